// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QGraphicsView>
#include <QUrl>

#include "widgets/canvas/gestures.h"

namespace millrace {

struct EditSession;
class SearchPopup;

/// The canvas under the hand: zoom, pan, mouse gestures, keys, the search that adds nodes. All
/// edits go through the session's editor. GUI thread.
class CanvasView : public QGraphicsView {
  Q_OBJECT
 public:
  CanvasView(EditSession& session, CanvasScene& scene, QWidget* parent = nullptr);
  ~CanvasView() override;

  double zoom() const { return transform().m11(); }
  /// Keeps the scene point under `anchor` (view pixels) where it is.
  void setZoom(double zoom, QPointF anchor);
  void zoomBy(double factor) { setZoom(zoom() * factor, viewport()->rect().center()); }
  /// Shows everything, and goes on to when the room changes until somebody zooms or pans.
  void fit();
  /// What floats over the lower left corner, in view pixels: fit() leaves no node under it.
  void setCornerTaken(QSize size) { m_corner = size; }
  void showNode(const NodeId& id);

  /// Opens the search; what is chosen stands at this scene place.
  void searchAt(QPointF place);
  /// For the keyboard: what is chosen stands behind the current node and is connected.
  void searchBehindCurrent();
  /// For the keyboard: chooses the node that the current one shall lead to.
  void searchTarget();
  SearchPopup& search() { return *m_search; }
  /// Where a node goes that was not asked for at a place: the middle of what is seen.
  QPointF middle() const;

 signals:
  void zoomChanged();
  /// Behind a change of its size, in front or not.
  void resized();
  /// Enter on a node: the inspector shall take the focus.
  void inspectRequested();
  void menuRequested(QPoint globalPosition);
  /// A double click on a comment or on a group's head; places in the document's lists.
  void commentRequested(std::size_t i);
  void groupRequested(std::size_t i);
  /// Files or folders were dropped.
  void urlsDropped(const QList<QUrl>& urls);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void pressLeft(QMouseEvent* event);
  void startGesture(QPointF at);
  void endGesture();
  void hover(QPointF at);
  void pan(QPoint to);
  void walk(QPointF direction);
  bool handleArrow(QKeyEvent* event);
  void searchFor(const PortHit& from, QPointF place);
  double zoomToFit(QSize room) const;
  void fitInto(const QRect& room);
  bool liesOnNode(const QRect& place) const;

  EditSession& m_session;
  CanvasScene& m_scene;
  std::unique_ptr<Gesture> m_gesture;
  SearchPopup* m_search;
  QPoint m_pressed;
  QSize m_corner{0, 0};
  bool m_fitted = false;  ///< nobody has zoomed or panned since all was shown
  bool m_leftDown = false;
  bool m_panning = false;
  bool m_spaceDown = false;
  bool m_spaceUsed = false;
  bool m_wasSelected = false;
};

}  // namespace millrace
