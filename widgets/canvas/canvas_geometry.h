// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "widgets/canvas/canvas_layout.h"

namespace millrace {

class Document;

/// Where the nodes of a document stand, kept up to date. A node without a place in the file gets
/// one here, which is stored only when the person moves it: opening changes no document. While a
/// person drags, `show` moves nodes without touching the document. GUI thread.
class CanvasGeometry : public QObject {
  Q_OBJECT
 public:
  explicit CanvasGeometry(Document& document);

  const CanvasLayout& layout() const { return m_layout; }
  const NodePlaces& places() const { return m_places; }
  /// The layout that another graph would have, with the places known here.
  CanvasLayout layoutOf(const Graph& graph) const;
  /// `graph` with nodes that lie on foreign regions moved out, ready to be made an edit.
  Graph settled(Graph graph) const;
  /// `graph` with its nodes in rows.
  Graph arrangedGraph(Graph graph, const RowStyle& style = {}) const;
  double widthOf(const GraphNode& node) const;

  /// Shows these nodes elsewhere until the document changes or `show({})`.
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
