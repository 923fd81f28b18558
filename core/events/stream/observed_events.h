// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/events/stream/event_reader.h"
#include "core/measure/run_observer.h"

namespace millrace {

/// The snapshot of a run that another process measures, as far as its event has it: from it a
/// recorder makes the series. The GPU's values are those of its last sample.
RunSnapshot snapshotOf(const SnapshotEvent& event);

/// Notifies an observer of what an event of such a run says. Other events do nothing.
void observe(const StreamEvent& event, RunObserver& observer);

}  // namespace millrace
