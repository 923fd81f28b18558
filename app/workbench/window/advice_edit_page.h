// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/advice.h"

namespace millrace {

class PipelinePage;

/// The title of a page's node; empty if there is no such node.
QString titleOn(PipelinePage& page, const QString& id);

/// An advised change of a page's pipeline: "Workers › Threads: 2 → 4".
QString changeText(PipelinePage& page, const Advice& advice);

/// Why the change cannot be made, as a sentence; empty if it can.
QString whyNoChange(PipelinePage& page, const Advice& advice);

/// Makes the change as one undo step and reports it on the page. False if it was refused.
bool makeChange(PipelinePage& page, const Advice& advice);

}  // namespace millrace
