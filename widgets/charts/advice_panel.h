// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/live_limit.h"
#include "widgets/charts/run_view.h"

class QFrame;
class QLabel;

namespace millrace {

class DiagnosisView;

/// What limits the run, with its evidence, or that this cannot be determined; and how the run ended
/// if that needs explaining. Below it is the diagnosis, which settles the question. GUI thread.
class AdvicePanel : public RunView {
  Q_OBJECT
 public:
  explicit AdvicePanel(QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  void forget() override;
  /// A complaint about a silent child; empty if there is none.
  void setSilence(const QString& sentence);
  /// "Decode limits this run".
  QString headline() const;
  /// One line each.
  QStringList evidence() const { return m_evidence; }
  QString endText() const;
  DiagnosisView& diagnosis() { return *m_diagnosis; }

 signals:
  /// The user asks to see the limiting node.
  void nodeRequested(const QString& id);

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
