// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// The fact of a run's environment that tells who took its batches. Absent: the pipeline's own
/// consumer, and the run was measured. kTrainingOrigin: a training program that had the engine as
/// its loader; its rate is what it asked for. Runs of one are not alike those of the other.
inline constexpr std::string_view kOriginFact = "origin";
inline constexpr std::string_view kTrainingOrigin = "training";

}  // namespace millrace
