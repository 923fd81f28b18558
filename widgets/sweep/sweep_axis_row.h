// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/models/sweep_order.h"

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace millrace {

class NoteStrip;

/// A parameter that is to be varied: its values as a person writes them, ways to fill them in, what
/// they come to, and what is wrong with them in place. GUI thread.
class SweepAxisRow : public QWidget {
  Q_OBJECT
 public:
  /// `title`: "Workers › Threads". `spec` outlives the row.
  SweepAxisRow(SweepVariation variation, const ParamSpec& spec, const QString& title,
               QWidget* parent = nullptr);

  /// As written now.
  SweepVariation variation() const;
  QLineEdit& line() { return *m_line; }
  /// The value that the document has, for what is proposed.
  void setCurrent(const Value& current);
  /// What the check said: the values, or the problem.
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
