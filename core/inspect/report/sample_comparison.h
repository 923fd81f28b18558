// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/formats/io/spilled_list.h"
#include "core/inspect/report/examined_set.h"

namespace millrace {

struct SampleId {
  std::uint32_t set = 0;    ///< position in the list of sets
  std::uint32_t index = 0;  ///< the source's index
  auto operator<=>(const SampleId&) const = default;
};

/// A sample with a finding; of a copy, also the sample that it is a copy of.
struct FoundSample {
  SampleId sample;
  std::optional<SampleId> like;
};

/// By finding, in the order of sets and samples.
struct FoundSamples {
  std::array<SpilledList<FoundSample>, kFindings> of;
  /// False: so many samples look alike that some near duplicates were not searched for.
  bool allNear = true;

  SpilledList<FoundSample>& operator[](Finding f) { return of[static_cast<std::size_t>(f)]; }
  const SpilledList<FoundSample>& operator[](Finding f) const {
    return of[static_cast<std::size_t>(f)];
  }
};

/// Near duplicates differ in at most this many bits of differenceHash. They must also have about
/// the same proportions and mean colour, because hashes of simple pictures coincide by chance.
inline constexpr int kNearBits = 3;

/// The findings of all samples, and copies within the sets and between them. Of several exact
/// copies, only the first takes part in the search for near duplicates. What is kept of many
/// samples lies in temporary files.
FoundSamples findSamples(std::span<const ExaminedSet> sets);

}  // namespace millrace
