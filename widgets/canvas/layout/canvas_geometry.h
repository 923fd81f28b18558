// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "widgets/canvas/layout/canvas_layout.h"

namespace millrace {

class Document;

/// The places of a document's nodes, kept up to date. A node without a place in the file gets one
/// here, which is stored only when the user moves it: opening a file does not modify it. During a
/// drag, `show` moves nodes without touching the document. GUI thread.
class CanvasGeometry : public QObject {
  Q_OBJECT
 public:
  explicit CanvasGeometry(Document& document);

  const CanvasLayout& layout() const { return m_layout; }
  const NodePlaces& places() const { return m_places; }
  /// The layout that another graph would have, with the places known here.
  CanvasLayout layoutOf(const Graph& graph) const;
  /// `graph` with nodes moved out of regions that they do not belong to, and heads of regions that
  /// are gone off other nodes, ready to become an edit.
  Graph settled(Graph graph) const;
  /// `graph` with its nodes in rows that suit the view, and no comment on them.
  Graph arrangedGraph(Graph graph) const;
  Graph arrangedGraph(Graph graph, const RowStyle& style) const;
  /// `edited`, a next state of the document, with places for the nodes that it adds: if the drawing
  /// is in rows, it stays in rows. Otherwise nullopt.
  std::optional<Graph> keptInRows(Graph edited) const;
  double widthOf(const GraphNode& node) const;

  /// The size of the view at 100 %, which decides where rows wrap.
  void setRoom(QSizeF room) { m_room = room; }
  /// Wraps the rows again for the view, unless the user has moved a node.
  void wrapToRoom();

  /// Shows these nodes at other places until the document changes or `show({})` is called.
  void show(const NodePlaces& elsewhere);

 signals:
  void changed();

 private:
  void refresh();
  NodePlaces rowsOf(const Graph& graph, const NodeWidths& widths) const;
  Graph withCommentsFree(Graph graph) const;
  NodeWidths widthsOf(const Graph& graph) const;
  NodePlaces placesOf(const Graph& graph) const;

  Document& m_document;
  QSizeF m_room;
  QSizeF m_wrapped;      ///< the room for which the rows were wrapped last
  NodePlaces m_assumed;  ///< for nodes without a place in the file
  /// The same by the nodes of a document in which none has a place: undo restores what was shown.
  std::map<std::vector<NodeId>, NodePlaces> m_assumedBefore;
  NodePlaces m_elsewhere;
  NodePlaces m_places;
  CanvasLayout m_layout;
};

}  // namespace millrace
