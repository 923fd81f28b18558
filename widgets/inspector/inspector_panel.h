// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QScrollArea>

#include "core/graph/graph.h"
#include "widgets/inspector/field_row.h"
#include "widgets/models/live/node_run.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace millrace {

struct EditSession;
class NodeRunView;

/// Shows the selection, using only the kinds' descriptions: a node with what it did in the last run
/// and its fields, the fields that several nodes share, a wire's stream, or the pipeline itself.
/// GUI thread.
class InspectorPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit InspectorPanel(QWidget* parent = nullptr);

  /// Shows another document, or none. The session must outlive being shown.
  void setSession(EditSession* session);
  /// What a node did in the last run of the document that is shown; nullopt if that is not known.
  using RanOf = std::function<std::optional<NodeRun>(const NodeId&)>;
  void setRanOf(RanOf ranOf) { m_ranOf = std::move(ranOf); }
  /// Call when that run has ended, or when another one is shown.
  void showRun();
  /// The text of what is shown of a run, one figure in each line; empty if none is shown.
  QString runText() const;
  /// Puts the cursor into a field; into the first one if `field` is empty.
  void focusField(const QString& field);
  const std::vector<FieldRow*>& rows() const { return m_rows; }
  /// Wide enough for the content next to the scroll bar.
  QSize minimumSizeHint() const override;

 signals:
  void helpRequested(const QString& kind);
  /// Requested in a field's context menu.
  void sweepRequested(const QString& node, const QString& param);
  /// Escape was pressed in a field.
  void left();

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void rebuild();
  /// Removes the old fields; text typed into one and not yet taken is applied to its own nodes
  /// first.
  void release();
  void refresh();
  QString whyUnused(const ParamSpec& spec) const;
  void showProblems();
  void showStream();
  void addHead();
  void addFields();
  void addSection(const QString& title);
  void addRun();
  void addSeed();
  /// The inspected nodes, and their kinds in the same order.
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
  RanOf m_ranOf;
  NodeRunView* m_run = nullptr;
  std::vector<FieldRow*> m_rows;
  std::vector<NodeId> m_ids;
};

}  // namespace millrace
