// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include <QGraphicsView>

#include "core/base/result.h"
#include "core/graph/graph_diff.h"

namespace millrace {

struct EditSession;
class CanvasScene;

/// A pipeline that is looked at and cannot be changed: zoom at the cursor by Ctrl and the wheel,
/// drag to pan, tooltips. With a difference each node wears what became of it, in letters that are
/// read at any zoom, and the nodes stand in rows that suit the room; a pipeline too large for it
/// shows what changed first, and bars that there is more. GUI thread.
class KeptCanvas : public QGraphicsView {
  Q_OBJECT
 public:
  explicit KeptCanvas(const Catalog& catalog, QWidget* parent = nullptr);
  ~KeptCanvas() override;

  Status show(const std::string& json, const QString& title);
  /// `after` with the nodes of `before` that are no longer there; marks from `diff`.
  Status showDiff(const std::string& before, const std::string& after, const GraphDiff& diff);
  void clear();
  void fit();
  const EditSession& session() const { return *m_session; }
  const GraphDiff* diff() const { return m_diff.get(); }
  /// More lines of rich text for a node's tooltip in a difference, such as its figures.
  void setNodeWords(std::function<QString(const NodeDiff&)> words) {
    m_nodeWords = std::move(words);
  }
  /// Of what is there in the scene; with a difference, what became of it first.
  QString toolTipAt(QPointF place) const;

 protected:
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void putInRows();
  void setBars(Qt::ScrollBarPolicy policy);
  void zoomBy(double factor);
  double leastZoom() const;
  QRectF changedRect() const;
  QRectF markedRect(const NodeId& id, const QRectF& body) const;

  const Catalog& m_catalog;
  std::unique_ptr<EditSession> m_session;
  CanvasScene* m_scene = nullptr;  ///< the session's document owns it
  std::unique_ptr<GraphDiff> m_diff;
  std::function<QString(const NodeDiff&)> m_nodeWords;
  int m_inRow = 0;         ///< nodes of a difference; 0: not in rows yet
  bool m_fitted = true;    ///< nobody has zoomed or panned yet
  bool m_fitting = false;  ///< bars come and go
};

}  // namespace millrace
