// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/dtype.h"

namespace millrace {

/// An input channel, unchanged or negated.
struct PickedChannel {
  std::size_t index = 0;
  bool negated = false;
};

/// Whether numbers of this type can be negative.
bool isSigned(DType type);

/// Builds arrays from a selection of the input's channels, reordered and optionally negated.
/// Constant.
class ChannelPicker {
 public:
  /// Only channels of signed types can be negated.
  ChannelPicker(DType type, const std::vector<PickedChannel>& channels);

  /// Converts `outer` x `channelsIn` x `inner` elements to `outer` x (picked channels) x `inner`.
  /// No overlap; every picked channel must be below `channelsIn`.
  void run(const std::byte* from, std::byte* to, std::size_t outer, std::size_t channelsIn,
           std::size_t inner) const;

 private:
  template <class T>
  void runAs(const std::byte* from, std::byte* to, std::size_t outer, std::size_t channelsIn,
             std::size_t inner) const;

  const std::size_t m_element;
  // An element, read as an unsigned integer x of its size, becomes (x ^ flip) + plus: for floats
  // this flips the sign bit, for integers it flips all bits and adds one.
  std::vector<std::uint32_t> m_index;
  std::vector<std::uint64_t> m_flip;
  bool m_plus = false;  ///< an integer type: add one to values with flipped bits
};

}  // namespace millrace
