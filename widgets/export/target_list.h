// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include "widgets/export/export_work.h"

namespace millrace {

/// The targets of an export, each with its output format, how much it cannot do, and its measured
/// rate. GUI thread.
class TargetList : public QListWidget {
  Q_OBJECT
 public:
  explicit TargetList(QWidget* parent = nullptr);

  /// The first call selects the first target that is code; later calls keep the selection.
  void show(const ExportedTargets& targets);
  /// The name of the selected target; empty if none is selected.
  QString chosen() const;
  void choose(const QString& name);
};

/// "complete", "3 things differ", "1 node is missing", "not possible now".
QString lossText(const ExportedTarget& target);
/// "560 samples/s here", "3 430 samples/s here by the engine", "not measured here"; empty for what
/// cannot be run.
QString rateText(const ExportedTarget& target);

}  // namespace millrace
