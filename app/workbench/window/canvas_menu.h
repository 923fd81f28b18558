// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "widgets/canvas/canvas_view.h"

class QAction;
class QMenu;

namespace millrace {

class PipelinePage;

/// Fills the context menu of one thing on the canvas: only what acts on that thing. `action`
/// returns an action of the window by name; actions that act on the selection do so on the thing,
/// which is selected.
void fillCanvasMenu(QMenu& menu, PipelinePage& page, const CanvasThing& thing,
                    const std::function<QAction*(const char*)>& action);

}  // namespace millrace
