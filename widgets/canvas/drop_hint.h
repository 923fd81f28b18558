// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

#include "core/spec/node_spec.h"
#include "widgets/models/selection.h"

class QPainter;

namespace millrace {

struct EditSession;

/// Announces the effect of a drop on a wire or on another node while a node is held over it. Value.
struct DropHint {
  QString words;  ///< empty: nothing to announce
  bool goesIn = false;
  bool operator==(const DropHint&) const = default;
};

/// For an unconnected node: between the wire's ends, or the reason why it will not connect.
DropHint dropHint(const EditSession& session, const WireKey& wire, const NodeId& id);
/// For a new node of a kind, which is placed next to the wire if it does not fit.
DropHint dropHint(const EditSession& session, const WireKey& wire, const NodeSpec& kind);

/// The same over another node, `target`: it goes after that one.
DropHint dropHint(const EditSession& session, const NodeId& target, const NodeId& id);
DropHint dropHint(const EditSession& session, const NodeId& target, const NodeSpec& kind);

/// Painted next to the cursor at `at`, inside `room`, both in scene pixels; its size does not
/// depend on the zoom.
void paintDropHint(QPainter& painter, const DropHint& hint, QPointF at, const QRectF& room);

}  // namespace millrace
