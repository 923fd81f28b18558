// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace millrace {

/// Marks a painted view that has the keyboard focus, at the end of its paintEvent: a frame inside
/// its edges. Does nothing without the focus. `painted`: the view, or the viewport of a scrolled
/// one.
void paintFocusFrame(const QWidget& view, QWidget& painted);

}  // namespace millrace
