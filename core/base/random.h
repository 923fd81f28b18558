// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace {

/// 64-bit FNV-1a; stable across versions and machines (http://www.isthe.com/chongo/tech/comp/fnv).
/// With the hash of what came before as `hash`, that of both together.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 14695981039346656037ULL) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

/// What a random draw depends on, and nothing else (CONTRACT §3).
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0;
  std::uint32_t index = 0;  ///< sample: the source's index; batch: the batch within its epoch
  std::uint32_t round = 0;  ///< sample: the repeat round; batch: the row
  std::uint32_t node = 0;   ///< hash of the node's id
};

/// A stream of random numbers that is a pure function of its key: Philox4x32-10 (Salmon et al.,
/// "Parallel random numbers: as easy as 1, 2, 3", SC 2011), so it is the same on any thread and
/// any device. Value type; one thread. With `centre` set every draw gives the middle of its range
/// and no coin comes up heads unless its probability is 1: the `--no-random` mode.
class Draw {
 public:
  explicit Draw(const DrawKey& key, bool centre = false) : m_key(key), m_centre(centre) {}

  bool centred() const { return m_centre; }
  std::uint32_t bits();
  /// In [0, 1), 24 bits.
  double unit();
  /// In [low, high).
  double uniform(double low, double high);
  /// In [low, high], both included; unbiased.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  bool bernoulli(double probability);
  /// Standard normal, Box-Muller.
  double normal();
  /// Gamma(shape, 1), Marsaglia and Tsang 2000; shape > 0.
  double gamma(double shape);
  /// Beta(a, b); a, b > 0.
  double beta(double a, double b);

 private:
  DrawKey m_key;
  bool m_centre;
  std::uint32_t m_block = 0;
  std::size_t m_used = 4;
  std::array<std::uint32_t, 4> m_words{};
};

}  // namespace millrace
