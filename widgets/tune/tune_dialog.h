// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include "widgets/models/search/tune_order.h"
#include "widgets/sweep/field_grid.h"
#include "widgets/sweep/variation_list.h"

class QLabel;
class QPushButton;

namespace millrace {

class Document;
class NoteStrip;

/// The dialog for a tuning; it does not block the window. It asks for goal, budget, limits, allowed
/// changes, and parameters to try in addition to those that the tuner knows. GUI thread.
class TuneDialog : public QDialog {
  Q_OBJECT
 public:
  /// `document` must outlive the dialog.
  TuneDialog(Document& document, const TuneOrder& usual, QWidget* parent);

  const Document& document() const { return m_document; }
  VariationList& variations() { return *m_variations; }
  const std::vector<FieldRow*>& fields() const { return m_fields->fields(); }
  /// The order as entered, valid or not.
  const TuneOrder& order() const { return m_order; }
  QString words() const;
  /// Why nothing may be measured now, as a sentence; empty if it may.
  void setObstacle(const QString& sentence);
  QPushButton& startButton() { return *m_start; }
  /// Checks the latest input now instead of after a pause.
  void checkNow();

 signals:
  void startRequested(const millrace::TuneOrder& order);
  void commandRequested(const millrace::TuneOrder& order);

 private:
  void build();
  void addFields();
  void addFlag(const ParamSpec& spec, SampleChange change);
  void showCheck();

  Document& m_document;
  TuneOrder m_order;
  TuneCheck m_check;
  QString m_obstacle;
  QTimer m_pause;
  VariationList* m_variations;
  FieldGrid* m_fields;
  QLabel* m_words;
  NoteStrip* m_problem;
  QPushButton* m_start;
  QPushButton* m_copy;
};

}  // namespace millrace
