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

/// What a context menu is for.
struct CanvasThing {
  enum class Kind { Empty, Nodes, Wire, Comment, Group, Port };
  Kind kind = Kind::Empty;
  QPointF at;             ///< in the scene
  PortHit port;           ///< of a port
  std::size_t index = 0;  ///< of a comment or group, in the document's list
};

/// The interactive canvas: zoom, pan, mouse gestures, keys, and the search that adds nodes. All
/// edits go through the session's editor. GUI thread.
class CanvasView : public QGraphicsView {
  Q_OBJECT
 public:
  CanvasView(EditSession& session, CanvasScene& scene, QWidget* parent = nullptr);
  ~CanvasView() override;

  double zoom() const { return transform().m11(); }
  /// Keeps the scene point under `anchor` (view pixels) in place.
  void setZoom(double zoom, QPointF anchor);
  void zoomBy(double factor) { setZoom(zoom() * factor, viewport()->rect().center()); }
  /// Shows as much as is readable: everything if 80 % is enough for it, otherwise the selected node
  /// or the beginning. Keeps doing so when the view is resized, until the user zooms or pans.
  void fit();
  /// Shows everything, however small.
  void showAll();
  /// The size of the overlay in the lower left corner, in view pixels: fit() keeps nodes clear of
  /// it.
  void setCornerTaken(QSize size) { m_corner = size; }
  void showNode(const NodeId& id);
  /// The part of a node in the scene that shows its title.
  QRectF titlePlace(const NodeId& id) const;

  /// Opens the search; the chosen kind is added at this scene point.
  void searchAt(QPointF place);
  /// For the keyboard: the chosen kind is added after the current node and connected.
  void searchAfterCurrent();
  /// For a port's menu: the chosen kind is added there and connected.
  void searchAtPort(const PortHit& port);
  /// For a wire's menu: the chosen kind is inserted into the wire.
  void searchOnWire(const WireKey& wire, QPointF place);
  /// For the keyboard: chooses the node to connect the current one to.
  void searchTarget();
  SearchPopup& search() { return *m_search; }
  /// The place for a node that was added without one: the middle of the visible part.
  QPointF middle() const;

 signals:
  void zoomChanged();
  /// What is shown was chosen by `fit` or `showAll`.
  void fitted();
  /// Emitted after a change of size, whether the view is visible or not.
  void resized();
  /// Enter was pressed on a node: the inspector should take the focus.
  void inspectRequested();
  /// A context menu for `thing`, which is selected if it can be.
  void menuRequested(QPoint globalPosition, const millrace::CanvasThing& thing);
  /// A comment or a group's head was double-clicked; indices in the document's lists.
  void commentRequested(std::size_t i);
  void groupRequested(std::size_t i);
  /// A node's title was double-clicked.
  void renameRequested(const millrace::NodeId& id);
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
  CanvasThing thingAt(QPointF at);
  CanvasThing selectedThing() const;
  void searchFor(const PortHit& from, QPointF place);
  void dropKind(const std::string& kind, QPointF at);
  void showInserted();
  enum class Fitted { No, Readably, Whole };
  void show(Fitted how);
  double zoomToFit(QSize room, Fitted how) const;
  void fitInto(const QRect& room, Fitted how);
  bool liesOnNode(const QRect& place) const;

  EditSession& m_session;
  CanvasScene& m_scene;
  std::unique_ptr<Gesture> m_gesture;
  SearchPopup* m_search;
  QPoint m_pressed;
  std::vector<NodeId> m_known;  ///< the nodes before the last edit
  QSize m_corner{0, 0};
  Fitted m_fitted = Fitted::No;  ///< how, if there was no zoom or pan since
  QSize m_fitSize;               ///< of the viewport then
  bool m_leftDown = false;
  bool m_panning = false;
  bool m_spaceDown = false;
  bool m_spaceUsed = false;
  bool m_wasSelected = false;
};

}  // namespace millrace
