// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/formats/io/spilled_list.h"

namespace millrace {

inline constexpr std::size_t kNearAtOnce = 250'000;

/// Takes a pair of positions, and returns how much work that was, in comparisons of two hashes.
using FoundPair = std::function<std::uint64_t(std::uint32_t, std::uint32_t)>;

/// Calls `found` with the positions of every two hashes that differ in at most `distance` bits,
/// each pair at least once, in no particular order. This is multi-index hashing (Norouzi, Punjani
/// and Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", CVPR 2012): of `distance +
/// 1` bands of bits, two such hashes are equal in at least one, so only hashes with an equal band
/// are compared. Bands that many hashes share are divided again by their remaining bits, so that
/// data whose hashes resemble each other does not need quadratic time. Equal hashes do: list each
/// once.
///
/// At most `atOnce` hashes are in memory; more are divided on disk. Returns false if it ended early
/// after `budget` comparisons, with those that `found` returns, which happens only if very many
/// pairs are that close.
bool findNearPairs(const SpilledList<std::uint64_t>& hashes, int distance, std::uint64_t budget,
                   const FoundPair& found, std::size_t atOnce = kNearAtOnce);

}  // namespace millrace
