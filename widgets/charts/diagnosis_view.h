// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QWidget>

#include "widgets/models/live/diagnosis_report.h"
#include "widgets/models/live/run_settings.h"

class QFrame;
class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace millrace {

class NoteStrip;
class StallBar;

/// A diagnosis, from its start button to its advice: what limits the pipeline, why, how that was
/// found, and for each advice its gain, cost and effect on training. The view measures and edits
/// nothing; it emits requests. GUI thread.
class DiagnosisView : public QWidget {
  Q_OBJECT
 public:
  explicit DiagnosisView(QWidget* parent = nullptr);

  /// Finds the text for an advice in terms of the pipeline, such as "Workers › Threads 2 → 4", and
  /// why it cannot be applied now; empty if it can.
  struct Texts {
    std::function<QString(const Advice&)> edit;
    std::function<QString(const Advice&)> obstacle;
    /// A node's title by its id; empty if there is no such node.
    std::function<QString(const QString&)> title;
  };
  void setTexts(Texts texts) { m_texts = std::move(texts); }
  /// Why no diagnosis can be started; empty if one can.
  void setObstacle(const QString& sentence);

  void showBegun();
  /// `what` is measured next; a negative `secondsLeft` means that it is unknown.
  void showProgress(int done, int of, double secondsLeft, const QString& what);
  void showStopping();
  void showReport(const DiagnosisReport& report, const QString& title);
  void showEnd(const ChildEnd& end);
  /// Hides the report: the document in front has none.
  void forgetReport();
  /// Why the report no longer holds, as a sentence; empty if it does.
  void setStale(const QString& sentence);
  QString staleText() const;
  /// Call after the pipeline has changed: other advice may be applicable now.
  void refreshAdvice();

  const std::optional<DiagnosisReport>& report() const { return m_report; }
  StallBar& stalls() { return *m_stalls; }
  /// "2 of 14: up to resize, 31 s left".
  QString progressText() const;
  QString failureText() const;
  /// All text shown for a report, in order.
  QString reportText() const;
  QPushButton* button(const QString& name) const;

 signals:
  void diagnoseRequested();
  void stopRequested();
  void applyRequested(const millrace::Advice& advice);
  /// A report is shown from now on, or none any more.
  void reported();
  void sweepRequested(const QString& node, const QString& param);
  /// The user asks to see the limiting node.
  void nodeRequested(const QString& id);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void buildProgress(QVBoxLayout& column);
  void buildReport(QVBoxLayout& column);
  /// A sentence of the engine as the window says it.
  QString words(const QString& text) const;
  QString list(const QStringList& lines) const;
  void showFinding();
  void showHow();
  QFrame* adviceCard(std::size_t i);

  Texts m_texts;
  std::optional<DiagnosisReport> m_report;
  QString m_title;  ///< the report's
  QPushButton* m_begin;
  QLabel* m_hint;
  QWidget* m_going;
  QLabel* m_progress;
  QProgressBar* m_bar;
  QPushButton* m_stop;
  NoteStrip* m_failure;
  QWidget* m_found;
  NoteStrip* m_stale;
  QLabel* m_finding;
  StallBar* m_stalls;
  QLabel* m_also;
  QVBoxLayout* m_advice;
  QPushButton* m_showHow;
  QLabel* m_how;
  std::vector<QFrame*> m_cards;
};

}  // namespace millrace
