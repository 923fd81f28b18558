// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/dtype.h"

namespace millrace {

/// A channel of what comes in, as it is or negated.
struct PickedChannel {
  std::size_t index = 0;
  bool negated = false;
};

/// Whether numbers of that type have a negative.
bool isSigned(DType type);

/// Makes arrays of some channels of others, in another order, with another sign. Constant.
class ChannelPicker {
 public:
  /// Negated channels only of signed types.
  ChannelPicker(DType type, const std::vector<PickedChannel>& channels);

  /// From `outer` x `channelsIn` x `inner` elements to `outer` x (channels picked) x `inner`. No
  /// overlap; no channel picked is `channelsIn` or above.
  void run(const std::byte* from, std::byte* to, std::size_t outer, std::size_t channelsIn,
           std::size_t inner) const;

 private:
  template <class T>
  void runAs(const std::byte* from, std::byte* to, std::size_t outer, std::size_t channelsIn,
             std::size_t inner) const;

  const std::size_t m_element;
  // An element as the unsigned integer x of its size becomes (x ^ flip) + plus: the sign bit of a
  // float, all bits and one more of an integer.
  std::vector<std::uint32_t> m_index;
  std::vector<std::uint64_t> m_flip;
  bool m_plus = false;  ///< an integer type: what has flipped bits gets one more
};

}  // namespace millrace
