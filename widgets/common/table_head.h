// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QString;

namespace millrace {

// Titles over the columns of a table: on two lines where one is too short. GUI thread.

/// The model's alignment of titles has Qt::TextWordWrap.
void wrapTitles(QHeaderView& head);
/// The width at which no word of the title is cut, with what stands around it.
int leastTitleWidth(const QHeaderView& head, const QString& title);
int leastTitleWidth(const QHeaderView& head, int column);

}  // namespace millrace
