// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QDialog>
#include <QTimer>

#include "widgets/models/sweep_order.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace millrace {

class Document;
class FieldRow;
class NoteStrip;
class SearchPopup;
class SweepAxisRow;

/// What is to be swept, asked beside the work: parameters join it from the inspector's menu or from
/// its own list. Says before the start what is wrong, how many trials there are, and how long they
/// take. GUI thread.
class SweepDialog : public QDialog {
  Q_OBJECT
 public:
  /// `document` outlives the dialog.
  SweepDialog(Document& document, const SweepOrder& usual, QWidget* parent);

  /// Varies this parameter too, with values around the one that it has; its line gets the cursor.
  void add(const NodeId& node, const std::string& param);
  const std::vector<SweepAxisRow*>& rows() const { return m_rows; }
  const std::vector<FieldRow*>& fields() const { return m_fields; }
  const Document& document() const { return m_document; }
  /// As it stands, sound or not.
  const SweepOrder& order() const { return m_order; }
  const SweepCheck& check() const { return m_check; }
  QString words() const;
  /// Why nothing may be measured now, as a sentence; empty: it may.
  void setObstacle(const QString& sentence);
  QPushButton& startButton() { return *m_start; }
  /// What was typed last is checked now, not in a moment.
  void checkNow();

 signals:
  void startRequested(const millrace::SweepOrder& order);
  void commandRequested(const millrace::SweepOrder& order);

 private:
  void build();
  void addField(const ParamSpec& spec, const Value& value, std::function<void(const Value&)> take);
  void addFields(QVBoxLayout& column);
  void chooseParameter();
  void remove(SweepAxisRow* row);
  void changed();
  void showCheck();

  Document& m_document;
  SweepOrder m_order;
  SweepCheck m_check;
  QString m_obstacle;
  QTimer m_pause;
  QVBoxLayout* m_axes;
  QLabel* m_none;
  QLabel* m_words;
  NoteStrip* m_problem;
  QPushButton* m_start;
  QPushButton* m_copy;
  SearchPopup* m_search;
  std::vector<SweepAxisRow*> m_rows;
  std::vector<FieldRow*> m_fields;
};

}  // namespace millrace
