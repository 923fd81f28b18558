// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/search/search_events.h"

#include <array>

#include "core/events/search/search_fields.inl"

namespace millrace {

std::string_view nameOf(TrialEndedEvent::State state) {
  static constexpr std::array<std::string_view, 4> kNames = {"measured", "replaced", "failed",
                                                             "over_limit"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string eventLine(double time, const SweepEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TuneEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TuneSpaceEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TrialBegunEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TrialEndedEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TuneEndedEvent& event) { return lineOf(time, event); }

}  // namespace millrace
