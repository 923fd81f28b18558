// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
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
  bool typed = true;  ///< false: type and shape must be taken from the data
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

/// The end of a key whose value describes another key's field, in the syntax of parseExampleKeys:
/// the writer adds it where bytes alone do not tell type and shape.
inline constexpr std::string_view kFieldEntry = "/field";

/// Statistics about the keys of a few examples. One thread.
class ExampleSurvey {
 public:
  struct Key {
    FeatureKind kind = FeatureKind::None;
    std::size_t records = 0;  ///< number of records with a value of this kind for it
    std::size_t others = 0;   ///< number of records with a value of another kind
    std::size_t single = 0;   ///< number of records with exactly one value
    std::size_t fewest = 0;   ///< fewest values in a record
    std::size_t most = 0;
    std::size_t shortest = 0;  ///< bytes of the shortest value
    std::size_t longest = 0;
    std::size_t pictures = 0;  ///< number of records whose value is a picture file
    bool picture = false;      ///< most of the values are
    std::string entry;         ///< of a key that ends with kFieldEntry: the first record's value
    std::string text() const;
  };

  /// Returns false if the bytes are not an example, or one without features.
  bool add(std::span<const std::byte> record);
  /// Number of added records that are a tf.train.SequenceExample; these are not counted otherwise.
  std::size_t sequences() const { return m_sequences; }
  std::size_t records() const { return m_records; }
  const std::map<std::string, Key, std::less<>>& keys() const { return m_keys; }

  /// The fields that are most likely wanted: pictures and labels that most records have, otherwise
  /// everything of fixed size that all have.
  std::vector<ExampleField> guess() const;
  /// Completes untyped fields from the data. The error names a key that does not occur.
  Status complete(std::vector<ExampleField>& fields) const;
  /// Where some records differ from `fields`: they lack a key, or have several values or another
  /// kind of value for it. In sentences.
  std::vector<std::string> missing(const std::vector<ExampleField>& fields) const;
  /// The key whose numbers look like the classes of samples that have several; empty if there is
  /// none, or if `fields` has a label.
  std::string listOfClasses(const std::vector<ExampleField>& fields) const;
  /// The keys that `fields` does not use, with their contents.
  std::vector<std::string> leftOut(const std::vector<ExampleField>& fields) const;

 private:
  /// The fields that the records themselves describe.
  std::vector<ExampleField> described() const;
  FieldSpec specOf(const Key& key, std::string name, Role role) const;
  void addValue(std::string_view name, const ExampleFeature& feature, std::size_t count);

  /// The statistics of each kind of value that a key has, and of the most frequent one.
  std::map<std::string, std::map<FeatureKind, Key>, std::less<>> m_kinds;
  std::map<std::string, Key, std::less<>> m_keys;
  std::size_t m_records = 0;
  std::size_t m_sequences = 0;
};

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
};

}  // namespace millrace
