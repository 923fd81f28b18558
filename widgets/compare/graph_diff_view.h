// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>

#include "widgets/compare/compare_set.h"

class QComboBox;
class QLabel;
class QStackedLayout;

namespace millrace {

class KeptCanvas;

/// The reference's pipeline with the changes that another run made to it, and the figures of both.
/// With more than two runs, the user picks one. GUI thread.
class GraphDiffView : public QWidget {
  Q_OBJECT
 public:
  explicit GraphDiffView(CompareSet& set, QWidget* parent = nullptr);

  KeptCanvas& canvas() { return *m_canvas; }
  QComboBox& pick() { return *m_pick; }
  /// "+ added 1   ≠ changed 2   − removed 0".
  QString counts() const;
  QString figures() const;
  QSize sizeHint() const override { return {340, 300}; }

 signals:
  /// Asks to export the run that is compared with the reference as code.
  void exportRequested(millrace::RunNumber run);

 private:
  void refill();
  void showPicked();

  CompareSet& m_set;
  KeptCanvas* m_canvas;
  QComboBox* m_pick;
  QAction* m_export;
  QLabel* m_counts;
  QLabel* m_figures;
  QLabel* m_empty;
  QWidget* m_content;
  QStackedLayout* m_stack;
};

}  // namespace millrace
