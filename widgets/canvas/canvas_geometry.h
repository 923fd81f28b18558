// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "widgets/canvas/canvas_layout.h"

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
  /// `graph` with nodes moved out of regions that they do not belong to, ready to become an edit.
  Graph settled(Graph graph) const;
  /// `graph` with its nodes in rows.
  Graph arrangedGraph(Graph graph, const RowStyle& style = {}) const;
  double widthOf(const GraphNode& node) const;

  /// Shows these nodes at other places until the document changes or `show({})` is called.
  void show(const NodePlaces& elsewhere);

 signals:
  void changed();

 private:
  void refresh();
  NodeWidths widthsOf(const Graph& graph) const;
  NodePlaces placesOf(const Graph& graph) const;

  Document& m_document;
  NodePlaces m_assumed;  ///< for nodes without a place in the file
  NodePlaces m_elsewhere;
  NodePlaces m_places;
  CanvasLayout m_layout;
};

}  // namespace millrace
