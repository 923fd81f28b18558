// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/byte_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/check.h"
#include "core/kernels/colour/colour_rules.h"

namespace millrace {

namespace {

template <class Rule>
ByteTable tableOf(Rule rule) {
  ByteTable table;
  for (std::size_t v = 0; v < table.size(); ++v) table[v] = rule(static_cast<std::uint8_t>(v));
  return table;
}

ByteTable unchanged() {
  return tableOf([](std::uint8_t v) { return v; });
}

std::uint8_t complement(std::uint8_t v) { return static_cast<std::uint8_t>(255 - v); }

int colourChannels(int channels) {
  MILLRACE_CHECK(channels == 1 || channels == 3 || channels == 4,
                 "colour operations need 1, 3 or 4 channels");
  return channels == 1 ? 1 : 3;
}

}  // namespace

ByteTable posterized(int bits) {
  MILLRACE_CHECK(bits >= 0 && bits <= 8, "a byte has 8 bits");
  const unsigned kept = 0xffU << static_cast<unsigned>(8 - bits) & 0xffU;
  return tableOf([kept](std::uint8_t v) { return static_cast<std::uint8_t>(v & kept); });
}

ByteTable solarized(float threshold) {
  return tableOf([threshold](std::uint8_t v) {
    return static_cast<float>(v) >= threshold ? complement(v) : v;
  });
}

ByteTable inverted() { return tableOf(complement); }

ByteTable brightened(float factor) {
  return tableOf([factor](std::uint8_t v) { return blendByte(v, factor, 0); });
}

ByteTable gammaChanged(double gamma) {
  const double exponent = static_cast<double>(static_cast<float>(gamma));
  return tableOf([exponent](std::uint8_t v) {
    const float unit = static_cast<float>(v) / 255.0F;
    const auto changed = static_cast<float>(std::pow(static_cast<double>(unit), exponent));
    return cutToByte(changed * 255.999F);
  });
}

ByteTable stretched(const ByteCounts& counts) {
  const auto occurs = [](std::uint32_t count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), occurs);
  if (first == counts.end()) return unchanged();
  const auto last = std::find_if(counts.rbegin(), counts.rend(), occurs).base() - 1;
  if (first == last) return unchanged();
  const auto least = static_cast<float>(first - counts.begin());
  const float scale = static_cast<float>(last - first) * static_cast<float>(1.0 / 255);
  return tableOf([least, scale](std::uint8_t v) {
    return cutToByte((static_cast<float>(v) - least) / scale);
  });
}

ByteTable equalized(const ByteCounts& counts) {
  const auto last = std::find_if(counts.rbegin(), counts.rend(), [](auto n) { return n > 0; });
  if (last == counts.rend()) return unchanged();
  const auto all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::uint64_t step = (all - *last) / 255;
  if (step == 0) return unchanged();
  ByteTable table;
  std::uint64_t below = 0;
  for (std::size_t v = 0; v < table.size(); ++v) {
    table[v] = static_cast<std::uint8_t>(std::min<std::uint64_t>((below + step / 2) / step, 255));
    below += counts[v];
  }
  return table;
}

ChannelTables::ChannelTables(int channels) : m_channels(colourChannels(channels)) {
  m_tables.fill(unchanged());
}

void ChannelTables::append(const ByteTable& table) {
  for (int c = 0; c < m_channels; ++c) append(c, table);
}

void ChannelTables::append(int channel, const ByteTable& table) {
  for (std::uint8_t& value : m_tables[static_cast<std::size_t>(channel)]) value = table[value];
  m_changed = true;
}

ByteCounts ChannelTables::changedCounts(int c, const ByteCounts& counts) const {
  ByteCounts changed{};
  const ByteTable& table = m_tables[static_cast<std::size_t>(c)];
  for (std::size_t v = 0; v < counts.size(); ++v) changed[table[v]] += counts[v];
  return changed;
}

void ChannelTables::apply(MutableImageView picture) const {
  if (!m_changed) return;
  const auto& [red, green, blue] = m_tables;
  for (int y = 0; y < picture.height; ++y) {
    std::uint8_t* pixel = picture.row(y);
    if (m_channels == 1) {
      for (int x = 0; x < picture.width; ++x) pixel[x] = red[pixel[x]];
      continue;
    }
    for (int x = 0; x < picture.width; ++x, pixel += picture.channels) {
      pixel[0] = red[pixel[0]];
      pixel[1] = green[pixel[1]];
      pixel[2] = blue[pixel[2]];
    }
  }
}

std::array<ByteCounts, 3> countBytes(ImageView picture) {
  std::array<ByteCounts, 3> counts{};
  const auto used = static_cast<std::size_t>(colourChannels(picture.channels));
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* pixel = picture.row(y);
    for (int x = 0; x < picture.width; ++x, pixel += picture.channels)
      for (std::size_t c = 0; c < used; ++c) ++counts[c][pixel[c]];
  }
  return counts;
}

}  // namespace millrace
