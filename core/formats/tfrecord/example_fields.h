// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/formats/tfrecord/example_proto.h"

namespace millrace {

/// A field of the stream, and the key of tf.train.Example that it is read from.
struct ExampleField {
  std::string key;
  FieldSpec spec;
  bool typed = true;   ///< false: type and shape must be taken from the data
  bool reals = false;  ///< class numbers are stored as floats
};

/// Parses `NAME=KEY`, followed in any order and each after a colon by an element type (`u8`, `f32`,
/// `encoded`, ...), a shape (`8x8x24`, `194`, `?`, `scalar`), a role, `hwc` or `chw`. The name may
/// be omitted. The names `image`, `target`, `mask` and `label` imply their role and then need no
/// type. The error names the entry and what is wrong.
Result<std::vector<ExampleField>> parseExampleKeys(const std::vector<std::string>& entries);
/// The field in the same syntax.
std::string textOf(const ExampleField& field);
/// The fields without their keys.
std::vector<FieldSpec> specsOf(const std::vector<ExampleField>& fields);

/// The field name for a key: lower-case letters, digits and _, because it may occur in file names
/// and code.
std::string fieldNameFor(std::string_view key);
/// A list of numbers whose length differs, such as the classes of a sample; it may be empty.
bool isNumberList(const FieldSpec& spec);

/// The end of a key whose value describes another key's field, in the syntax of parseExampleKeys:
/// the writer adds it where bytes alone do not tell type and shape.
inline constexpr std::string_view kFieldEntry = "/field";

/// Parses examples into samples. One thread.
class ExampleParser {
 public:
  explicit ExampleParser(std::vector<ExampleField> fields);
  const std::vector<ExampleField>& fields() const { return m_fields; }

  /// Stores field i in field `places[i]` of the sample. Bytes are borrowed from the record. An
  /// error affects only this sample.
  Status parse(std::span<const std::byte> record, Sample& sample,
               std::span<const std::size_t> places);
  Status parse(std::span<const std::byte> record, Sample& sample);

 private:
  Status put(std::size_t i, Sample& sample, std::size_t place) const;

  std::vector<ExampleField> m_fields;
  std::vector<std::size_t> m_inOrder;
  std::vector<ExampleFeature> m_found;
  bool m_empty = true;  ///< the record has no features
};

}  // namespace millrace
