// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>

#include "core/graph/rules/wire_rules.h"
#include "widgets/canvas/layout/canvas_geometry.h"
#include "widgets/models/selection.h"

namespace millrace {

class BackgroundCheck;
struct Comment;
class Document;

/// The user's edits of a pipeline, each one undo step whose text names its object. Shared by
/// canvas, outline, palette and menus. A refused edit is reported by `Document::refused` and
/// changes nothing. GUI thread.
class PipelineEditor : public QObject {
  Q_OBJECT
 public:
  PipelineEditor(Document& document, Selection& selection, BackgroundCheck& check,
                 CanvasGeometry& geometry);

  /// The rules for wires in the current document.
  WireRules rules() const;

  /// Adds a node and selects it. If it would cover another node, it is placed next to that one;
  /// without `place`, below everything. A choice names the selected nodes.
  std::optional<NodeId> add(const std::string& kind, std::optional<QPointF> place = {});
  /// Adds a choice among the selected nodes.
  void chooseAmongSelected();
  /// Adds a node after `from` and connects it, between `from` and its successor if that fits.
  std::optional<NodeId> addAfter(const std::string& kind, const NodeId& from,
                                 std::optional<QPointF> place = {});
  std::optional<NodeId> addBefore(const std::string& kind, const NodeId& to, QPointF place);
  std::optional<NodeId> addOnWire(const std::string& kind, const WireKey& wire, QPointF place);

  /// Why a new node of `kind` cannot follow `from`, as a sentence; empty if it can. Also refuses
  /// kinds that the stream has no field for: they would be an error at once.
  QString whyNotAfter(const WireRules& rules, const NodeSpec& kind, const NodeId& from) const;
  QString whyNotBefore(const WireRules& rules, const NodeSpec& kind, const NodeId& to) const;

  bool connectNodes(const NodeId& from, const NodeId& to);
  bool insert(const NodeId& id, const WireKey& wire, QPointF place);
  /// Connects an unconnected node after `from`, between it and its successor.
  bool insertAfter(const NodeId& id, const NodeId& from);
  bool disconnect(const WireKey& wire);

  /// Deletes the selection: nodes with their wires, the wire, or the comment. With `healing`, the
  /// neighbours of deleted nodes are joined if the types allow it; otherwise `Document::refused`
  /// says why not.
  void removeSelected(Healing healing);
  /// Why bypassing would not change the selection: a kind that cannot be bypassed, or types that
  /// forbid it. nullopt if it can be bypassed.
  std::optional<QString> whyNoBypass() const;
  void toggleBypass();
  void togglePlainConsumer();
  /// Why the selection cannot be replaced by a drain or be put back; nullopt if it can.
  std::optional<QString> whyNotPlain() const;

  /// Moves these nodes; if they would cover others, to the next free place below.
  void move(const NodePlaces& places);
  /// Moves the selection; consecutive key presses are one step.
  void nudge(QPointF by);
  void arrange();
  /// Lines up two or more selected nodes at an edge; those side by side move apart.
  void align(Qt::Edge edge);
  /// Gives three or more selected nodes equal gaps between the outer two.
  void distribute(Qt::Orientation along);

  void copy();
  void cut();
  /// `at`: the place of the upper left corner; otherwise near the original.
  void paste(Incoming incoming, std::optional<QPointF> at = {});
  void duplicate();
  void selectAll();

  void addComment(const QString& text, QPointF place);
  void setComment(std::size_t i, const Comment& comment);
  void groupSelected(const QString& title);
  void ungroupSelected();
  void retitleGroup(std::size_t i, const QString& title);

  bool rename(const NodeId& id, const std::string& newId);
  /// Why a node cannot have that name, as a sentence; empty if it can.
  QString whyNoRename(const NodeId& id, const std::string& newId) const;
  /// Sets one parameter of several nodes; values typed consecutively are one step.
  bool setParameter(const std::vector<NodeId>& ids, const ParamSpec& param, const Value& value);

  QString titleOf(const NodeId& id) const;
  /// A sentence of the engine with titles in place of the ids of nodes and settings.
  QString inWindowWords(const QString& sentence) const;

 private:
  enum class Passing { Nothing, Bypassed };
  AddedNode actingOn(AddedNode added, const std::string& field) const;
  Result<AddedNode> newNode(const std::string& kind, QPointF place) const;
  /// `wanted`, or a place to the right of the nodes that it would cover.
  QPointF uncovered(QPointF wanted) const;
  std::optional<NodeId> finishAdd(const QString& text, Result<AddedNode> added);
  std::optional<NodeId> chooseAmong(const NodeSpec& kind, std::vector<NodeId> nodes);
  /// `node` at `place`; if it would cover another node, it gets room after `from` instead.
  Graph placedOnWire(Graph graph, const NodeId& from, const NodeId& node, QPointF place) const;
  /// Makes room for a node after `from`; nodes in that place are moved along the chain.
  Graph withRoomAfter(Graph graph, const NodeId& from, const NodeId& added) const;
  /// The selected nodes that can be moved alone, in the order of their places.
  std::vector<std::pair<NodeId, QRectF>> alignable(Qt::Orientation order) const;
  void moveBoxes(const QString& text, const std::vector<std::pair<NodeId, QRectF>>& boxes);
  QString selectedTitles() const;
  void pasteText(const QByteArray& text, QPointF offset, Incoming incoming, const QString& name);
  bool lacksInput(const Graph& graph, const NodeId& id) const;
  Graph withFreePlace(Graph graph, const std::vector<NodeId>& ids) const;
  QPointF cornerOf(const QByteArray& text) const;
  bool allowed(const NodeId& from, const NodeId& to);
  QString cannotFollow(const QString& title, const NodeId& before, const Error& why) const;
  /// An error of the rules with titles in place of ids.
  QString reason(const Error& why) const;
  /// Whether all selected nodes are bypassed.
  bool isBypassed() const;
  /// The two nodes that would become neighbours if one stretch were removed, and whether they may.
  struct Gap {
    NodeId before;
    NodeId after;
    QString why;  ///< it may not, as a sentence; empty: it may
  };
  /// The gaps of all stretches of these nodes that lie between others; bypassed nodes after a
  /// stretch may be skipped. Checks that need the disk are left out.
  std::vector<Gap> gapsWithout(const std::vector<NodeId>& ids, Passing passing) const;

  Document& m_document;
  Selection& m_selection;
  BackgroundCheck& m_check;
  CanvasGeometry& m_geometry;
  int m_pastes = 0;  ///< of the same clipboard: each is placed a little further
};

/// The MIME type of copied nodes; the same JSON is on the clipboard as text.
inline constexpr const char* kNodesMime = "application/x-millrace-nodes+json";

}  // namespace millrace
