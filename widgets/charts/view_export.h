// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include <QList>
#include <QSize>

#include "core/base/result.h"
#include "widgets/common/table_text.h"

class QAction;
class QPainter;
class QPoint;
class QWidget;

namespace millrace {

/// A chart or a page of figures that can be exported.
struct ViewExport {
  QString title;
  QSize size;
  std::function<void(QPainter&)> paint;
  /// Its content as a table; empty: only pictures are offered. A chart over time provides its own
  /// CSV instead.
  std::function<TextTable()> table;
  std::function<std::string()> csv;
};

/// The file's suffix selects png, svg, csv or json; others are refused. If writing fails, the old
/// file stays intact.
Status exportView(const ViewExport& view, const QString& file);

/// Asks for a file and exports to it outside the GUI thread. The window's status line shows where
/// it was saved; errors are reported. `parent` is the view.
void askViewExport(QWidget* parent, const ViewExport& view);

/// To the clipboard, as a picture or as CSV.
void copyPicture(const ViewExport& view);
void copyTable(const ViewExport& view);

/// The context menu of a view: `own` actions, copying, and export.
void popUpViewMenu(QWidget* parent, const QPoint& at, const ViewExport& view,
                   const QList<QAction*>& own = {});

}  // namespace millrace
