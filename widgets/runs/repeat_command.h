// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// The command line that does a kept run again: its pipeline with its settings, measured as it was.
/// Names the example or file that was run, with a `--set` for each setting in which the run differs
/// from what that is now; where settings do not say it all (other nodes, other data, the file is
/// gone), the kept pipeline itself is piped in. `store`: another store than the usual one, as a
/// path; empty: none. Reads that file: not on the GUI thread.
QString repeatCommand(const KeptRun& run, const Catalog& catalog, const QString& store);

}  // namespace millrace
