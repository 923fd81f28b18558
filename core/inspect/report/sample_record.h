// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/data/image_view.h"

namespace millrace {

/// What can be wrong with a sample. The first ones are found in the sample alone, those from
/// `Duplicate` on by comparing samples. States of reports contain the numbers: add at the end, and
/// increment kStateVersion of reading_state.cpp if one changes its meaning.
enum class Finding : std::uint8_t {
  Unreadable,     ///< its bytes cannot be read
  Hanging,        ///< reading or decoding did not end in time
  Broken,         ///< a picture cannot be decoded
  Truncated,      ///< a picture ends early
  Damaged,        ///< decoded, with damage that readers skip
  NotFinite,      ///< a raw picture has values that are not finite
  Mismatched,     ///< picture and mask have different sizes
  Constant,       ///< all pixels are equal
  Blank,          ///< nearly so
  Tiny,           ///< a side below kTinySide pixels
  Duplicate,      ///< the same bytes as an earlier sample of the set
  Conflict,       ///< the same bytes as a sample of another class
  NearDuplicate,  ///< looks like an earlier sample of the set
  Shared,         ///< the same bytes as a sample of an earlier set
  NearShared,     ///< looks like a sample of an earlier set
};
inline constexpr std::size_t kFindings = 15;

/// The name in JSON, in lists and for `--list`: "broken", "near-duplicates".
std::string_view nameOf(Finding finding);
/// What it says about one or several samples: "cannot be decoded".
std::string_view meaningOf(Finding finding, bool one);

/// Whether a list of samples to train with leaves it out: what cannot be decoded, shows nothing,
/// contradicts itself or exists twice.
bool isLeftOut(Finding finding);

inline constexpr std::uint32_t kTinySide = 32;
/// Standard deviation, of 255, below which a picture is nearly uniform.
inline constexpr double kBlankDeviation = 2;

/// What is kept of every sample. Its size decides the memory of a report. Value; states of reports
/// contain its bytes.
struct SampleRecord {
  std::uint64_t content = 0;  ///< XXH3 of the bytes of the first picture, or of all fields
  std::uint64_t look = 0;     ///< differenceHash, if `hasLook`
  std::uint32_t width = 0;    ///< of the first picture, as displayed
  std::uint32_t height = 0;
  std::uint32_t bytes = 0;         ///< of the first picture, or of all fields; at most 4 GiB
  std::uint32_t decodeMicros = 0;  ///< processor time for decoding all pictures
  std::int32_t label = -1;         ///< -1: unknown
  std::uint16_t findings = 0;      ///< bits
  std::uint8_t channels = 0;       ///< as stored; 0: there is no picture, or it is unreadable
  std::uint8_t bits = 0;           ///< of one stored value
  std::uint8_t orientation = 0;    ///< EXIF
  std::uint8_t hasLook = 0;
  std::uint8_t examined = 0;             ///< 0: the record says nothing yet
  std::array<std::uint8_t, 3> colour{};  ///< mean of R, G and B
  std::array<char, 10> format{};         ///< "JPEG"; zero-terminated

  bool has(Finding finding) const {
    return ((findings >> static_cast<unsigned>(finding)) & 1U) != 0;
  }
  void add(Finding finding) {
    findings = static_cast<std::uint16_t>(findings | 1U << static_cast<unsigned>(finding));
  }
  /// Whether its bytes were read.
  bool isRead() const { return !has(Finding::Unreadable) && !has(Finding::Hanging); }
  std::string_view formatName() const { return format.data(); }
};
static_assert(sizeof(SampleRecord) == 56 && std::is_trivially_copyable_v<SampleRecord>);

/// Sums over the first pictures of many samples: each picture counts equally, whatever its size, as
/// if all were resized to one size. Value.
struct ChannelSums {
  static constexpr std::size_t kMost = kMostFloatChannels;
  std::uint64_t pictures = 0;
  std::uint64_t channels = 0;
  std::array<double, kMost> mean{};
  std::array<double, kMost> meanSquare{};

  /// Pictures with another number of channels than the first are left out.
  void add(const ChannelSums& other);
};

/// The records of consecutive samples, with what is kept of them besides.
struct ExaminedBlock {
  std::uint32_t first = 0;
  std::vector<SampleRecord> records;
  ChannelSums sums;
  /// By index: why a sample has a finding.
  std::vector<std::pair<std::uint32_t, std::string>> reasons;
};

}  // namespace millrace
