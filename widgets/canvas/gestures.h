// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include <QPointF>

#include "widgets/canvas/canvas_scene.h"

namespace millrace {

struct EditSession;

/// A mouse action between press and release. It shows its state through the scene's marks; only
/// `finish` changes the document, by one undo step.
class Gesture {
 public:
  virtual ~Gesture() = default;
  /// `scale`: view pixels per scene pixel.
  virtual void move(QPointF at, double scale) = 0;
  virtual void finish(QPointF at) = 0;
  /// Restores the state before the gesture.
  virtual void cancel() = 0;
};

/// Drags the selection by one of its nodes; an unconnected node dropped on a wire is inserted into
/// it.
std::unique_ptr<Gesture> moveGesture(EditSession& session, CanvasScene& scene, const NodeId& held,
                                     QPointF start);

/// Draws a wire from a port. `released` gets the start port if the wire ends at no port.
std::unique_ptr<Gesture> wireGesture(EditSession& session, CanvasScene& scene, const PortHit& from,
                                     std::function<void(PortHit from, QPointF at)> released);

/// Drags a comment.
std::unique_ptr<Gesture> commentGesture(EditSession& session, CanvasScene& scene, std::size_t i,
                                        QPointF start);

/// A rubber-band selection; `keep` adds to the selection.
std::unique_ptr<Gesture> bandGesture(EditSession& session, CanvasScene& scene, QPointF start,
                                     bool keep);

/// Ports at which a wire from `from` may end.
std::vector<PortHit> fittingPorts(const EditSession& session, const PortHit& from);

}  // namespace millrace
