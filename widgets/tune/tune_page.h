// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/analysis/advice.h"
#include "widgets/sweep/search_page.h"

namespace millrace {

class LiveTune;
class TunePlot;
class TuneTableModel;

/// A tuning in progress or finished: progress, speed against cost, the tried settings, the best
/// one, and the actions on a setting. The page measures and edits nothing; it emits requests. GUI
/// thread.
class TunePage final : public SearchPage {
  Q_OBJECT
 public:
  /// `tune` must outlive the page.
  explicit TunePage(const LiveTune& tune, QWidget* parent = nullptr);

  /// The text of an edit: "Workers › Threads: 2 → 4".
  using EditText = std::function<QString(const Advice& edit)>;
  void setEditText(EditText text) { m_shownEdit = std::move(text); }
  /// The tuning has changed.
  void refresh();
  /// A stop was requested.
  void showStopping();

  TunePlot& plot() { return *m_plot; }
  TuneTableModel& model() { return *m_model; }

 private:
  QWidget* buildPlot();
  void sizeColumns();
  void fitSettings();
  void showProgress();
  void showEnd();
  void showFinding();
  QString bestText(std::size_t best) const;
  QString rivalText() const;
  QString sureText(std::size_t best) const;
  void choose(std::size_t trial) override;
  void take(std::size_t trial) override;
  void refreshButtons() override;

  const LiveTune& m_tune;
  EditText m_shownEdit;
  TunePlot* m_plot;
  QPushButton* m_takeBest;
  QPushButton* m_take;
  TuneTableModel* m_model;
};

}  // namespace millrace
