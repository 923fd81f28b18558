// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include "widgets/export/export_work.h"

namespace millrace {

/// The targets of an export, each with what comes out and how much it cannot do. GUI thread.
class TargetList : public QListWidget {
  Q_OBJECT
 public:
  explicit TargetList(QWidget* parent = nullptr);

  /// The first time the first target that is code is chosen; later the choice stays.
  void show(const ExportedTargets& targets);
  /// Name of the chosen target; empty: none.
  QString chosen() const;
  void choose(const QString& name);
};

/// "nothing is lost", "3 things differ", "1 node is missing", "not possible now".
QString lossWords(const ExportedTarget& target);

}  // namespace millrace
