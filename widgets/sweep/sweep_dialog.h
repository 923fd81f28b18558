// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include "widgets/models/search/sweep_order.h"
#include "widgets/sweep/field_grid.h"
#include "widgets/sweep/variation_list.h"

class QLabel;
class QPushButton;

namespace millrace {

class Document;
class NoteStrip;

/// The dialog for a sweep; it does not block the window. Parameters are added from the inspector's
/// menu or from its own list. Before the start it shows any problem, the number of trials, and
/// their duration. GUI thread.
class SweepDialog : public QDialog {
  Q_OBJECT
 public:
  /// `document` must outlive the dialog.
  SweepDialog(Document& document, const SweepOrder& usual, QWidget* parent);

  /// Adds this parameter, with values around its present one; its line gets the cursor.
  void add(const NodeId& node, const std::string& param);
  const std::vector<SweepAxisRow*>& rows() const { return m_variations->rows(); }
  const std::vector<FieldRow*>& fields() const { return m_fields->fields(); }
  const Document& document() const { return m_document; }
  /// The order as entered, valid or not.
  const SweepOrder& order() const { return m_order; }
  const SweepCheck& check() const { return m_check; }
  QString words() const;
  /// Why nothing may be measured now, as a sentence; empty if it may.
  void setObstacle(const QString& sentence);
  QPushButton& startButton() { return *m_start; }
  /// Checks the latest input now instead of after a pause.
  void checkNow();

 signals:
  void startRequested(const millrace::SweepOrder& order);
  void commandRequested(const millrace::SweepOrder& order);

 private:
  void build();
  void addFields();
  void showCheck();

  Document& m_document;
  SweepOrder m_order;
  SweepCheck m_check;
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
