// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Kinds of lists in a tf.train.Feature; the values are its field numbers
/// (tensorflow/core/example/feature.proto). None: the feature contains no list.
enum class FeatureKind : std::uint8_t { None = 0, Bytes = 1, Float = 2, Int64 = 3 };
std::string_view nameOf(FeatureKind kind);

/// One feature of an example; borrows from its bytes.
struct ExampleFeature {
  std::string_view key;
  FeatureKind kind = FeatureKind::None;
  std::span<const std::byte> list;  ///< the encoded BytesList, FloatList or Int64List
};

/// Iterates over the features of an encoded tf.train.Example (or of the context of a
/// SequenceExample, which has the same encoding) without allocating memory. Safe for any bytes.
/// protozero 1.7 takes 1.1 to 1.7 times as long for an example, and keeps only 32 bits of a damaged
/// length, which then looks valid.
/// Features come in the order of the file; if a key occurs twice, the last one counts, as in
/// protobuf.
class ExampleWalk {
 public:
  explicit ExampleWalk(std::span<const std::byte> example);

  /// The next feature; false after the last. The error contains the offset in the record.
  Result<bool> next(ExampleFeature& feature);

 private:
  Status enter(std::span<const std::byte> entry, ExampleFeature& feature) const;
  Error damagedAt(const std::byte* place) const;

  const std::byte* m_begin;
  std::span<const std::byte> m_rest;      ///< rest of the example after the current features
  std::span<const std::byte> m_features;  ///< rest of the current features
};

/// Whether the bytes are a tf.train.SequenceExample with at least one list of features.
bool isSequenceExample(std::span<const std::byte> record);
/// The names of the lists of features in a tf.train.SequenceExample; those before the first damage.
std::vector<std::string_view> sequenceLists(std::span<const std::byte> record);

/// Number of values in a list. The error says that the list is damaged.
Result<std::size_t> countValues(const ExampleFeature& feature);
/// Value `i` of a BytesList.
Result<std::span<const std::byte>> bytesValue(const ExampleFeature& feature, std::size_t i = 0);
/// The value of a BytesList that has exactly one; otherwise the error says how many it has.
Result<std::span<const std::byte>> onlyBytesValue(const ExampleFeature& feature);
/// All values of a FloatList or Int64List; their number must be that of `to`.
Status floatValues(const ExampleFeature& feature, std::span<float> to);
Status int64Values(const ExampleFeature& feature, std::span<std::int64_t> to);

}  // namespace millrace
