// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QString;

namespace millrace {

// Column titles of a table, wrapped onto two lines where needed. GUI thread.

/// The model's title alignment must include Qt::TextWordWrap.
void wrapTitles(QHeaderView& head);
/// The least width, with margins, at which the title fits on two lines.
int leastTitleWidth(const QHeaderView& head, const QString& title);
int leastTitleWidth(const QHeaderView& head, int column);

}  // namespace millrace
