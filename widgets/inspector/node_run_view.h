// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QWidget>

#include "widgets/models/live/node_run.h"

namespace millrace {

/// What a node did in the last run: its figures, a note and the times of its samples. Hidden if
/// that is not known. GUI thread.
class NodeRunView : public QWidget {
 public:
  explicit NodeRunView(QWidget* parent = nullptr);

  void showRun(const std::optional<NodeRun>& ran);
  /// What is shown, one figure in each line; empty while it is hidden.
  QString text() const;
};

}  // namespace millrace
