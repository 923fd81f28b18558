// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analyse/live_limit.h"
#include "widgets/charts/run_view.h"

class QFrame;
class QLabel;

namespace millrace {

class DiagnosisView;

/// What limits the run, with its evidence, or that it cannot be told; and how it ended when that
/// needs words. Below it the diagnosis, which settles it. GUI thread.
class AdvicePanel : public RunView {
  Q_OBJECT
 public:
  explicit AdvicePanel(QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  void forget() override;
  /// What the child leaves to be desired; empty: nothing.
  void setSilence(const QString& sentence);
  /// "Decode limits this run".
  QString headline() const;
  /// One line each.
  QStringList evidence() const { return m_evidence; }
  QString endWords() const;
  DiagnosisView& diagnosis() { return *m_diagnosis; }

 signals:
  /// A person asks to see the node that limits.
  void nodeAsked(const QString& id);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showHint();
  void showFinding(const LiveRun& run);
  void showEnd(const LiveRun& run);

  QFrame* m_card;
  QLabel* m_icon;
  QLabel* m_headline;
  QLabel* m_lines;
  QFrame* m_endCard;
  QLabel* m_end;
  QFrame* m_silenceCard;
  QLabel* m_silence;
  DiagnosisView* m_diagnosis;
  QStringList m_evidence;
  std::optional<LiveFinding> m_shown;
  double m_shownAt = 0;  ///< the run's time
};

}  // namespace millrace
