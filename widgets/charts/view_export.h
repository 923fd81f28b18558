// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include <QSize>

#include "core/base/result.h"
#include "widgets/common/table_text.h"

class QPainter;
class QWidget;

namespace millrace {

/// A chart or a page of figures as it can be taken away.
struct ViewExport {
  QString title;
  QSize size;
  std::function<void(QPainter&)> paint;
  /// What it shows as a table; empty: only pictures are offered. A chart over time gives its own
  /// CSV instead.
  std::function<TextTable()> table;
  std::function<std::string()> csv;
};

/// As the file's suffix says: png, svg, csv, or json; others are refused. The old file stays whole
/// where writing fails.
Status exportView(const ViewExport& view, const QString& file);

/// Asks for a file and exports, beside the GUI thread. Where it was saved stands in the window's
/// status line; what went wrong is said. `parent` is the view.
void askViewExport(QWidget* parent, const ViewExport& view);

}  // namespace millrace
