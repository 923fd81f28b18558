// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

class PipelinePage;

/// Why the pipeline of a page cannot be measured now, as a sentence with the remedy; empty if it
/// can. The same for runs, sweeps, tunings and diagnoses. `page` may be nullptr: none is in front.
/// GUI thread.
QString pageObstacle(PipelinePage* page);

}  // namespace millrace
