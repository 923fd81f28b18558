// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>

#include <QGraphicsScene>

#include "widgets/canvas/canvas_items.h"
#include "widgets/canvas/choice_item.h"
#include "widgets/canvas/drop_hint.h"
#include "widgets/canvas/note_items.h"

namespace millrace {

class BackgroundCheck;
class CanvasGeometry;
class Document;
class Selection;

/// A port under the cursor.
struct PortHit {
  NodeId id;
  bool isOutput = false;
  bool operator==(const PortHit&) const = default;
};

/// Shows a document, its selection and its problems, and finds what is at a point. Changes nothing.
/// GUI thread.
class CanvasScene : public QGraphicsScene {
  Q_OBJECT
 public:
  CanvasScene(Document& document, Selection& selection, BackgroundCheck& check,
              CanvasGeometry& geometry);
  ~CanvasScene() override;

  std::optional<NodeId> nodeAt(QPointF at) const;
  /// The nearest port within `reach`; `wanted` restricts the search to inputs or outputs.
  std::optional<PortHit> portAt(QPointF at, double reach,
                                std::optional<bool> wantOutput = {}) const;
  std::optional<WireKey> wireAt(QPointF at, double reach) const;
  /// Indices in the document's comments and groups; a group is hit only at its head.
  std::optional<std::size_t> commentAt(QPointF at) const;
  std::optional<std::size_t> groupAt(QPointF at) const;
  QRectF groupHead(std::size_t i) const { return m_groups.at(i)->head(); }
  /// A box for a new comment near a place, which covers neither nodes nor other comments.
  QRectF freeForComment(QPointF near) const;
  /// Nodes whose boxes touch `area`; a region counts only if it lies inside `area`.
  std::vector<NodeId> nodesIn(const QRectF& area) const;
  QPointF portPlace(const PortHit& port) const;

  // Marks that last as long as a gesture.
  struct Marks {
    std::optional<NodeId> hovered;
    std::optional<PortHit> hoveredPort;
    std::optional<WireKey> hoveredWire;
    std::optional<WireKey> targetWire;
    DropHint hint;  ///< of the target wire, next to the cursor
    QPointF hintAt;
    /// While a wire is drawn: the ports at which it may end; all others fade.
    std::optional<std::vector<PortHit>> fitting;
    bool operator==(const Marks&) const = default;
  };
  const Marks& marks() const { return m_marks; }
  void setMarks(const Marks& marks);
  /// `from`: where it is drawn from; `at`: the cursor.
  void showLooseWire(const PortHit& from, QPointF at, bool fits);
  bool isLooseWireShown() const;
  void hideLooseWire();
  void showCommentAt(std::size_t i, QPointF place);
  void showBand(const QRectF& band);

  /// Shows a run's figures on the nodes; an empty overlay removes them.
  void showRun(const RunOverlay& overlay);
  const RunOverlay& run() const { return m_run; }

  void setStreamsShown(bool shown);
  QString toolTipAt(QPointF at, double reach) const;
  /// The part of the canvas that holds nodes, with a margin.
  QRectF contentRect() const;

 protected:
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;

 private:
  void sync();
  void syncNodes();
  void syncWires();
  void syncNotes();
  void showStyles();
  void applyRun();
  WireDisplay wireFaceOf(const WireKey& key) const;
  NodeStyle styleOf(const NodeId& id) const;

  Document& m_document;
  Selection& m_selection;
  BackgroundCheck& m_check;
  CanvasGeometry& m_geometry;
  std::map<NodeId, std::unique_ptr<NodeItem>> m_nodes;
  std::map<NodeId, std::unique_ptr<RegionItem>> m_regions;
  std::map<NodeId, std::unique_ptr<ChoiceItem>> m_choices;
  std::map<WireKey, std::unique_ptr<WireItem>> m_wires;
  std::map<std::size_t, std::unique_ptr<CommentItem>> m_comments;
  std::map<std::size_t, std::unique_ptr<GroupItem>> m_groups;
  std::unique_ptr<LooseWireItem> m_looseWire;
  QRectF m_band;
  Marks m_marks;
  bool m_streamsShown = false;
  RunOverlay m_run;
};

}  // namespace millrace
