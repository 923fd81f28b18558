// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/store/run_record.h"

namespace millrace {

/// Whether the user stopped a kept run. A fault did not end it.
bool wasStopped(const RunSummary& run);

/// "finished", "failed", "interrupted"; "stopped" if the user stopped it.
QString shownState(const RunSummary& run);

/// The same, with the reason: "failed: decode: no memory".
QString shownEnd(const RunSummary& run);

}  // namespace millrace
