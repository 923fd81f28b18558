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

/// What letting go over a wire will do, told while a node is held over it. Value.
struct DropHint {
  QString words;  ///< empty: there is nothing to tell
  bool goesIn = false;
  bool operator==(const DropHint&) const = default;
};

/// For a node that hangs loose: between the wire's ends, or why it stays out.
DropHint dropHint(const EditSession& session, const WireKey& wire, const NodeId& id);
/// For a new node of a kind, which stands beside the wire where it does not fit.
DropHint dropHint(const EditSession& session, const WireKey& wire, const NodeSpec& kind);

/// Beside the cursor at `at`, inside `room`, both in the scene; as large at any zoom.
void paintDropHint(QPainter& painter, const DropHint& hint, QPointF at, const QRectF& room);

}  // namespace millrace
