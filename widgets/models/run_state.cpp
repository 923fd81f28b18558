// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_state.h"

#include "core/base/text/text.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr const char* kStopped = "stopped";  ///< the reason that the engine keeps

}  // namespace

bool wasStopped(const RunSummary& run) {
  return run.state == RunState::Interrupted && run.reason == kStopped;
}

QString shownState(const RunSummary& run) {
  return wasStopped(run) ? kStopped : toQt(nameOf(run.state));
}

QString shownEnd(const RunSummary& run) {
  const QString state = shownState(run);
  return run.reason.empty() || wasStopped(run) ? state
                                               : state + ": " + toQt(singleLine(run.reason));
}

}  // namespace millrace
