// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "widgets/export/export_work.h"

namespace millrace {

/// The targets of an export side by side: the rate, the length of the code, and what is lost. GUI
/// thread.
class TargetTable : public QTableWidget {
  Q_OBJECT
 public:
  explicit TargetTable(QWidget* parent = nullptr);
  void show(const ExportedTargets& targets);

 signals:
  /// The name of the target whose row was clicked, or on which Enter was pressed.
  void targetChosen(const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;
};

/// What is lost, a few words for each: "HEIC files fail", "n8 is missing"; why there is no code, if
/// there is none.
QStringList lossTitles(const ExportedTarget& target);

}  // namespace millrace
