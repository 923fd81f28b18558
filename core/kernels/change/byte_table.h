// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/data/image_view.h"

namespace millrace {

/// A change of single values as a look-up table, and the tables of such changes. Each gives the
/// bytes of torchvision.transforms.v2.functional on u8 tensors.
using ByteTable = std::array<std::uint8_t, 256>;
/// How often each value occurs in a channel.
using ByteCounts = std::array<std::uint32_t, 256>;

/// Keeps the highest `bits`, 0 to 8.
ByteTable posterized(int bits);
/// Inverts values that are at least `threshold`.
ByteTable solarized(float threshold);
ByteTable inverted();
/// Multiplies by `factor`.
ByteTable brightened(float factor);
/// v^gamma, with v from 0 to 1.
ByteTable gammaChanged(double gamma);
/// Stretches the values that occur to 0 to 255.
ByteTable stretched(const ByteCounts& counts);
/// Spreads the values that occur evenly, as Pillow and torchvision do; unchanged if there are too
/// few pixels.
ByteTable equalized(const ByteCounts& counts);

/// One table for each channel, which begin as the identity. A fourth channel is alpha, which stays
/// unchanged. A value type.
class ChannelTables {
 public:
  explicit ChannelTables(int channels);

  int channels() const { return m_channels; }
  bool empty() const { return !m_changed; }
  /// The values pass through `table` after the tables that are there.
  void append(const ByteTable& table);
  void append(int channel, const ByteTable& table);
  /// The counts of channel `c` of the changed picture, from those of the unchanged one.
  ByteCounts changedCounts(int c, const ByteCounts& counts) const;
  void apply(MutableImageView picture) const;

 private:
  int m_channels;  ///< that change: 1 or 3
  bool m_changed = false;
  std::array<ByteTable, 3> m_tables;
};

/// The counts of the first three channels; 1, 3 or 4 channels.
std::array<ByteCounts, 3> countBytes(ImageView picture);

}  // namespace millrace
