// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include <QGraphicsView>

#include "core/base/result.h"
#include "core/graph/diff/graph_diff.h"

namespace millrace {

struct EditSession;
class CanvasScene;
struct RunOverlay;

/// A read-only pipeline: Ctrl and the wheel zoom at the cursor, dragging pans, tooltips. With a
/// difference, each changed node has a mark whose text is readable at any zoom, and the nodes are
/// arranged in rows that suit the view. If the pipeline does not fit, its changes are shown first,
/// with scroll bars for the rest. GUI thread.
class KeptCanvas : public QGraphicsView {
  Q_OBJECT
 public:
  explicit KeptCanvas(const Catalog& catalog, QWidget* parent = nullptr);
  ~KeptCanvas() override;

  Status show(const std::string& json, const QString& title);
  /// Shows a graph whose nodes cannot run, without checking it. `catalog` has its kinds.
  void show(const Graph& graph, const Catalog& catalog, const QString& title);
  /// Shows `after`, plus the nodes of `before` that were removed; marks come from `diff`.
  Status showDiff(const std::string& before, const std::string& after, const GraphDiff& diff);
  /// Shows a run's figures on the nodes of the pipeline.
  void showRun(const RunOverlay& overlay);
  const RunOverlay& run() const;
  void clear();
  void fit();
  const EditSession& session() const { return *m_session; }
  const GraphDiff* diff() const { return m_diff.get(); }
  /// Adds lines of rich text to a node's tooltip in a difference, such as its figures.
  void setNodeText(std::function<QString(const NodeDiff&)> words) { m_nodeText = std::move(words); }
  /// The tooltip at a point of the scene; with a difference, the node's change comes first.
  QString toolTipAt(QPointF place) const;

 protected:
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void open(std::unique_ptr<EditSession> session);
  void putInRows();
  void wrapRows();
  void showChanges(double zoom);
  void showBeginning(const QRectF& content, double zoom);
  void setBars(Qt::ScrollBarPolicy policy);
  void zoomBy(double factor);
  double leastZoom(double whole) const;
  QRectF changedRect() const;
  QRectF markedRect(const NodeId& id, const QRectF& body) const;

  const Catalog& m_catalog;
  std::unique_ptr<EditSession> m_session;
  CanvasScene* m_scene = nullptr;  ///< the session's document owns it
  std::unique_ptr<GraphDiff> m_diff;
  std::function<QString(const NodeDiff&)> m_nodeText;
  int m_inRow = 0;         ///< nodes in a difference's row; 0: not arranged yet
  bool m_fitted = true;    ///< no zoom or pan yet
  bool m_fitting = false;  ///< scroll bars are appearing or disappearing
};

}  // namespace millrace
