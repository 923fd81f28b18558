// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/run/recorded_stream.h"
#include "widgets/models/live/live_run.h"

namespace millrace {

class Document;

/// The nodes' names in this document.
NodeNames namesOf(const Document& document);

/// A kept run as every view of a run reads it: it receives the events that the run sent while it
/// was measured, as far as the store has them.
LiveRun keptLiveRun(const RecordedRun& recorded, NodeNames names);

}  // namespace millrace
