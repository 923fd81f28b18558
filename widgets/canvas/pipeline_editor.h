// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>

#include "core/graph/wire_rules.h"
#include "widgets/canvas/canvas_geometry.h"
#include "widgets/models/selection.h"

namespace millrace {

class BackgroundCheck;
struct Comment;
class Document;

/// What a person does to a pipeline, each as one undo step with a text that names its object:
/// shared by canvas, outline, palette and menus. A refusal is said through `Document::refused` and
/// changes nothing. GUI thread.
class PipelineEditor : public QObject {
  Q_OBJECT
 public:
  PipelineEditor(Document& document, Selection& selection, BackgroundCheck& check,
                 CanvasGeometry& geometry);

  /// The rules for wires in the document as it stands.
  WireRules rules() const;

  /// A new node; selected afterwards. Where it would cover another it stands beside that; without
  /// a place, below everything.
  std::optional<NodeId> add(const std::string& kind, std::optional<QPointF> place = {});
  /// A new node behind `from`, connected, between it and what it led to where that fits.
  std::optional<NodeId> addBehind(const std::string& kind, const NodeId& from,
                                  std::optional<QPointF> place = {});
  std::optional<NodeId> addBefore(const std::string& kind, const NodeId& to, QPointF place);
  std::optional<NodeId> addOnWire(const std::string& kind, const WireKey& wire, QPointF place);

  bool connectNodes(const NodeId& from, const NodeId& to);
  bool insert(const NodeId& id, const WireKey& wire, QPointF place);
  bool disconnect(const WireKey& wire);

  /// Deletes what is selected: nodes with their wires, the wire, or the comment. What stood around
  /// nodes is joined where `healing` asks for it and the types allow it; where they do not,
  /// `Document::refused` says why.
  void removeSelected(Healing healing);
  /// Why B would do nothing to the selection: a kind that cannot be bypassed, or types that forbid
  /// it; nothing when it does.
  std::optional<QString> whyNoBypass() const;
  void toggleBypass();
  void togglePlainConsumer();

  void move(const NodePlaces& places);
  /// Moves the selection; presses in a row are one step.
  void nudge(QPointF by);
  void arrange();

  void copy();
  void cut();
  void paste(Incoming incoming, std::optional<QPointF> at = {});
  void duplicate();
  void selectAll();

  void addComment(const QString& text, QPointF place);
  void setComment(std::size_t i, const Comment& comment);
  void groupSelected(const QString& title);
  void ungroupSelected();
  void retitleGroup(std::size_t i, const QString& title);

  bool rename(const NodeId& id, const std::string& newId);
  /// One parameter of several nodes; values typed in a row are one step.
  bool setParameter(const std::vector<NodeId>& ids, const ParamSpec& param, const Value& value);

  QString titleOf(const NodeId& id) const;

 private:
  enum class Passing { Nothing, Bypassed };
  /// `wanted`, or where a node would cover others there, to the right of them.
  QPointF uncovered(QPointF wanted) const;
  std::optional<NodeId> finishAdd(const QString& text, Result<AddedNode> added);
  /// `node` at `place`; where it would cover another it gets room behind `from` instead.
  Graph placedOnWire(Graph graph, const NodeId& from, const NodeId& node, QPointF place) const;
  /// Room for a node behind `from`; nodes that stood there are moved along the chain.
  Graph withRoomBehind(Graph graph, const NodeId& from, const NodeId& added) const;
  QString selectedTitles() const;
  void pasteText(const QByteArray& text, QPointF offset, Incoming incoming, const QString& name);
  bool allowed(const NodeId& from, const NodeId& to);
  /// Whether all that is selected is bypassed.
  bool isBypassed() const;
  /// What would meet without the nodes of one stretch, and whether it may.
  struct Gap {
    NodeId before;
    NodeId behind;
    QString why;  ///< it may not, as a sentence; empty: it may
  };
  /// Of all stretches of these nodes that lie between others; bypassed nodes behind one may be
  /// passed over. What only the disk could tell is left out.
  std::vector<Gap> gapsWithout(const std::vector<NodeId>& ids, Passing passing) const;

  Document& m_document;
  Selection& m_selection;
  BackgroundCheck& m_check;
  CanvasGeometry& m_geometry;
  int m_pastes = 0;  ///< of the same clipboard: each stands a little further
};

/// The MIME type of copied nodes; the same JSON is on the clipboard as text.
inline constexpr const char* kNodesMime = "application/x-millrace-nodes+json";

}  // namespace millrace
