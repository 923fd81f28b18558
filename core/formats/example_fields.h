// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/formats/example_proto.h"

namespace millrace {

/// A field of the stream and the key of tf.train.Example that it comes from.
struct ExampleField {
  std::string key;
  FieldSpec spec;
  bool typed = true;  ///< false: only the data can say type and shape
};

/// Reads `NAME=KEY` with what follows in any order, each behind a colon: an element type (`u8`,
/// `f32`, `encoded`, ...), a shape (`8x8x24`, `194`, `?`, `scalar`), a role, `hwc` or `chw`. The
/// name may be missing. Names `image`, `target`, `mask` and `label` say the role, and then need no
/// type. The error names the entry and what was wrong.
Result<std::vector<ExampleField>> parseExampleKeys(const std::vector<std::string>& entries);
/// The same for a person to read and to write down.
std::string textOf(const ExampleField& field);

/// What the keys of a few examples hold. One thread.
class ExampleSurvey {
 public:
  struct Key {
    FeatureKind kind = FeatureKind::None;
    std::size_t records = 0;  ///< that have it with a value
    std::size_t fewest = 0;   ///< values of one record
    std::size_t most = 0;
    std::size_t shortest = 0;  ///< bytes of a value
    std::size_t longest = 0;
    bool mixed = false;    ///< different kinds
    bool picture = false;  ///< the first value is an image file
    std::string text() const;
  };

  /// False where the bytes are no example, or one without features.
  bool add(std::span<const std::byte> record);
  std::size_t records() const { return m_records; }
  const std::map<std::string, Key, std::less<>>& keys() const { return m_keys; }

  /// The fields that a person most likely wants: pictures and labels, else whatever has one size.
  std::vector<ExampleField> guess() const;
  /// Gives untyped fields what the data has. The error names a key that is not there.
  Status complete(std::vector<ExampleField>& fields) const;
  /// Keys that `fields` leaves out, with what they hold.
  std::vector<std::string> leftOut(const std::vector<ExampleField>& fields) const;

 private:
  FieldSpec specOf(const Key& key, std::string name, Role role) const;

  std::map<std::string, Key, std::less<>> m_keys;
  std::size_t m_records = 0;
};

/// Turns examples into samples. One thread.
class ExampleParser {
 public:
  explicit ExampleParser(std::vector<ExampleField> fields);
  const std::vector<ExampleField>& fields() const { return m_fields; }

  /// Puts field i of the list into field `places[i]` of the sample. Bytes are borrowed from the
  /// record. An error concerns this sample alone.
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
