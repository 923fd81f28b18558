// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// The command line that repeats a kept run: its pipeline with its settings, measured in the same
/// way. It names the example or file that was run, with a `--set` for each setting that has changed
/// since. If settings cannot express the difference (other nodes, other data, a missing file), the
/// kept pipeline itself is piped in. `store`: path of a non-default store, or empty. Reads that
/// file, so do not call it on the GUI thread.
QString repeatCommand(const KeptRun& run, const Catalog& catalog, const QString& store);

}  // namespace millrace
