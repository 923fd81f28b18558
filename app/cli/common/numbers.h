// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The numbers and words that options of the command line accept. Each validator refuses what is not
// wholly a finite decimal number in its range, with a sentence that gives the range.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace millrace::cli {

/// A length of time in seconds: more than 0, at most ten million.
CLI::Validator someSeconds();
/// A length of time in seconds that may be 0: at most ten million.
CLI::Validator secondsOrNone();
/// A length of time with a unit, "20ms". For `transform`: it becomes a number of seconds.
CLI::Validator lengthOfTime();
/// The most batches or epochs that a measurement may be asked for.
inline constexpr std::uint64_t kMostBatches = 1'000'000'000'000;
/// A whole number, both ends included. For `transform`, because it rewrites numbers with leading
/// zeros, which CLI11 would read as octal.
CLI::Validator whole(std::uint64_t least,
                     std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// One of these words, of which there are two or more. The help shows them as "{warm,cold}".
CLI::Validator oneOf(const std::vector<std::string>& words);

}  // namespace millrace::cli
