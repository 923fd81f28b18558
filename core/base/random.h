// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace {

/// 64-bit FNV-1a; stable across versions and machines (http://www.isthe.com/chongo/tech/comp/fnv).
/// Pass the hash of the preceding text as `hash` to hash both texts as one.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 14695981039346656037ULL) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

/// Everything that a random draw depends on (docs/reference/order-and-randomness.md).
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0;
  std::uint32_t index = 0;  ///< sample: the source's index; batch: the batch within its epoch
  std::uint32_t copy = 0;   ///< sample: which copy of it in the epoch; batch: the row
  std::uint32_t node = 0;   ///< hash of the node's id
};

/// A stream of random numbers that is a pure function of its key: Philox4x32-10 (Salmon et al.,
/// "Parallel random numbers: as easy as 1, 2, 3", SC 2011), so it is the same on every thread and
/// device. A value type for use by one thread. With `centre`, every draw returns the middle of its
/// range and a coin comes up heads only with probability 1: this is the `--no-random` mode.
class Draw {
 public:
  explicit Draw(const DrawKey& key, bool centre = false) : m_key(key), m_centre(centre) {}

  bool centred() const { return m_centre; }
  std::uint32_t bits();
  /// In [0, 1), with 24 random bits.
  double unit();
  /// In [low, high).
  double uniform(double low, double high);
  /// In [low, high], both inclusive; unbiased.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  bool bernoulli(double probability);
  /// Standard normal (Box-Muller).
  double normal();
  /// Gamma(shape, 1) by Marsaglia and Tsang (2000); shape > 0.
  double gamma(double shape);
  /// Beta(a, b); a > 0, b > 0.
  double beta(double a, double b);

 private:
  DrawKey m_key;
  bool m_centre;
  std::uint32_t m_block = 0;
  std::size_t m_used = 4;
  std::array<std::uint32_t, 4> m_words{};
};

}  // namespace millrace
