// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep/search_page.h"

class QComboBox;

namespace millrace {

class ImportanceBars;
class LiveSweep;
class SweepPlot;
class SweepTableModel;

/// A sweep in progress or finished: progress, plot, table, findings, and the actions on a setting.
/// The page measures and edits nothing; it emits requests. GUI thread.
class SweepPage final : public SearchPage {
  Q_OBJECT
 public:
  /// `sweep` must outlive the page.
  explicit SweepPage(const LiveSweep& sweep, QWidget* parent = nullptr);

  /// The sweep has changed.
  void refresh();
  /// A stop was requested.
  void showStopping();

  SweepPlot& plot() { return *m_plot; }
  SweepTableModel& model() { return *m_model; }
  ImportanceBars& importance() { return *m_importance; }

 signals:
  /// Asks to continue where the sweep was stopped.
  void goOnRequested();

 private:
  QWidget* buildPlot();
  QWidget* buildFindings();
  void showProgress();
  void showEnd();
  void showFinding();
  QString rivalText() const;
  void showAxes();
  void sizeColumns();
  void choose(std::size_t point) override;
  void take(std::size_t point) override;
  void refreshButtons() override;

  const LiveSweep& m_sweep;
  QPushButton* m_goOn;
  QComboBox* m_x;
  QComboBox* m_y;
  QWidget* m_axes;
  SweepPlot* m_plot;
  ImportanceBars* m_importance;
  QPushButton* m_take;
  SweepTableModel* m_model;
};

}  // namespace millrace
