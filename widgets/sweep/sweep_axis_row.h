// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/models/search/sweep_order.h"

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace millrace {

class NoteStrip;

/// A parameter to vary: an input line for its values, ways to fill it in, the resulting values, and
/// any problem with them. GUI thread.
class SweepAxisRow : public QWidget {
  Q_OBJECT
 public:
  /// `title`: "Workers › Threads". `spec` must outlive the row.
  SweepAxisRow(SweepVariation variation, const ParamSpec& spec, const QString& title,
               QWidget* parent = nullptr);

  /// The variation as entered.
  SweepVariation variation() const;
  QLineEdit& line() { return *m_line; }
  /// Sets the document's value, on which the proposed values are based.
  void setCurrent(const Value& current);
  /// Shows the result of the check: the values or the problem.
  void show(const QString& problem, const SweepAxis* axis);
  QString problem() const;
  QString words() const;

 signals:
  void edited();
  void removeRequested();

 private:
  void build(const QString& title);
  void fillProposals();

  SweepVariation m_variation;
  const ParamSpec& m_spec;
  Value m_current;
  QLineEdit* m_line;
  QToolButton* m_fill;
  QMenu* m_proposals;
  QLabel* m_words;
  NoteStrip* m_problem;
};

}  // namespace millrace
