// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/live_limit.h"
#include "widgets/charts/run_view.h"

class QFrame;
class QLabel;
class QPushButton;

namespace millrace {

class DiagnosisView;
class NoteStrip;

/// What limits the run, with its evidence, or that this cannot be determined; after the run the
/// change that the rules advise, with its button; and how the run ended if that needs explaining.
/// Below it is the diagnosis; once it has a result, the panel shows that instead. The panel edits
/// nothing. GUI thread.
class AdvicePanel : public RunView {
  Q_OBJECT
 public:
  explicit AdvicePanel(QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  void forget() override;
  /// A complaint about a silent child; empty if there is none.
  void setSilence(const QString& sentence);
  /// The advised change of the run that is shown. Value.
  struct Change {
    QString edit;      ///< "Workers › Threads: 2 → 4"; empty: `text` is only for reading
    QString text;      ///< what it does, and what is expected of it
    QString obstacle;  ///< why it cannot be applied now; empty if it can
    /// "Likely limit: too few workers", by the figures of the whole run; empty if it is not known
    /// or needs no words. It is the headline if the panel's own rule found no limit.
    QString cause{};
    bool operator==(const Change&) const = default;
  };
  void setChange(const std::optional<Change>& change);
  /// Why what is shown no longer holds, as a sentence; empty if it does.
  void setStale(const QString& sentence);
  /// What a change that was applied before this run was expected to give, and what it gave.
  void setOutcome(const QString& sentence);
  const std::optional<Change>& change() const { return m_change; }
  QString staleText() const;
  QString outcomeText() const;
  QPushButton& applyButton() { return *m_apply; }
  /// Offered after a run that was too short to be sure.
  QPushButton& longerButton() { return *m_longer; }
  /// Whether the pipeline of the shown run can be measured from here; true at first.
  void setMeasures(bool measures) { m_measures = measures; }
  /// "Decode limits this run".
  QString headline() const;
  /// One line each.
  QStringList evidence() const { return m_evidence; }
  QString endText() const;
  DiagnosisView& diagnosis() { return *m_diagnosis; }

 signals:
  /// The user asks to see the limiting node.
  void nodeRequested(const QString& id);
  void applyRequested();
  /// The user asks for a run that is long enough to tell what limits it.
  void longerRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QFrame* buildChange();
  void showCard();
  bool isCauseAbove() const;
  void showHeadline();
  void showChangeText();
  enum class Look { Open, Limits, KeepsUp };
  void showFinding(const LiveRun& run);
  void showLook(Look look);
  void showEnd(const LiveRun& run);

  QFrame* m_card;
  QLabel* m_icon;
  QLabel* m_headline;
  QLabel* m_lines;
  NoteStrip* m_stale;
  NoteStrip* m_outcome;
  QLabel* m_changeText = nullptr;  ///< this and the next one are made by buildChange
  QPushButton* m_apply = nullptr;
  QFrame* m_changeCard;
  QPushButton* m_longer;
  std::optional<Change> m_change;
  QString m_ownHeadline;  ///< by the panel's own rule
  bool m_isOpen = false;  ///< the run is over, and that rule found no limit
  bool m_measures = true;
  bool m_runIsNewer = true;   ///< than the diagnosis
  bool m_neverBegan = false;  ///< the run that is shown was refused: it has no limit
  QFrame* m_endCard;
  QLabel* m_end;
  QFrame* m_silenceCard;
  QLabel* m_silence;
  DiagnosisView* m_diagnosis;
  QStringList m_evidence;
  std::optional<LiveFinding> m_shown;
  Look m_look = Look::Open;
  double m_shownAt = 0;  ///< the run's time
};

}  // namespace millrace
