// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "app/cli/run/run_control.h"
#include "core/events/stream/comparison_events.h"

namespace millrace::cli {

/// Handles the requests of a command that only accepts `stop`; every other one is answered with an
/// error. `events` must outlive the reader.
RequestReader::Handlers stopRequests(ComparisonEvents& events, std::function<void()> stop);

}  // namespace millrace::cli
