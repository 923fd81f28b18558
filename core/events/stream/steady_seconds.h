// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"

namespace millrace {

/// The steady clock in seconds, which is also the `time` of events.
inline double steadySeconds() { return toSeconds(steadyClock().now().time_since_epoch()); }

}  // namespace millrace
