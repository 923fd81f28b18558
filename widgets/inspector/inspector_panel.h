// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QScrollArea>

#include "core/graph/graph.h"
#include "widgets/inspector/field_row.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace millrace {

struct EditSession;

/// What is selected, made from the descriptions alone: a node with its fields, the fields that
/// several nodes have in common, a wire's stream, or the pipeline itself. GUI thread.
class InspectorPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit InspectorPanel(QWidget* parent = nullptr);

  /// Another document, or none. The session outlives its being shown.
  void setSession(EditSession* session);
  /// Puts the cursor into a field; the first one where `field` is empty.
  void focusField(const QString& field);
  const std::vector<FieldRow*>& rows() const { return m_rows; }

 signals:
  void helpRequested(const QString& kind);
  /// From a field's context menu.
  void sweepRequested(const QString& node, const QString& param);
  /// A field, by Escape.
  void left();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void rebuild();
  /// Takes the old fields away; what was typed into one and not yet taken goes to its own nodes.
  void release();
  void refresh();
  QString whyUnused(const ParamSpec& spec) const;
  void showProblems();
  void showStream();
  void addHead();
  void addFields();
  void addSection(const QString& title);
  void addSeed();
  /// The nodes inspected, and their kinds in their order.
  std::vector<NodeId> inspected() const;
  std::vector<const NodeSpec*> kindsOf(const std::vector<NodeId>& ids) const;

  EditSession* m_session = nullptr;
  std::vector<QMetaObject::Connection> m_connections;
  QVBoxLayout* m_column = nullptr;
  QPushButton* m_bypass = nullptr;
  QLabel* m_subtitle = nullptr;
  QLabel* m_title = nullptr;
  QLabel* m_nodeProblems = nullptr;
  QLabel* m_stream = nullptr;
  std::vector<FieldRow*> m_rows;
  std::vector<NodeId> m_ids;
};

}  // namespace millrace
