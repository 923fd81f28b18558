// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/drop_hint.h"

#include <algorithm>

#include <QPainter>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/edits.h"

namespace millrace {

using namespace canvas;

namespace {

constexpr double kAside = 18;  ///< from the cursor, in pixels of the view
constexpr double kBelow = 26;
constexpr double kHintIcon = 14;
constexpr double kHeight = 26;
constexpr double kWidest = 460;

DropHint between(const EditSession& session, const WireKey& wire) {
  return {QString("Between %1 and %2")
              .arg(session.editor.titleOf(wire.from), session.editor.titleOf(wire.to)),
          true};
}

DropHint after(const EditSession& session, const NodeId& target) {
  return {"After " + session.editor.titleOf(target), true};
}

DropHint refused(const QString& what, const std::string& why) {
  return {what + sentence(why).remove('`'), false};
}

}  // namespace

DropHint dropHint(const EditSession& session, const WireKey& wire, const NodeId& id) {
  const Result<Graph> in =
      insertOnWire(session.document.graph(), session.document.catalog(), id, wire);
  if (!in) return refused("Will not connect: ", in.error().message);
  const Status fits = session.editor.rules().mayLead(wire.from, id);
  return fits ? between(session, wire) : refused("Will not connect: ", fits.error().message);
}

DropHint dropHint(const EditSession& session, const WireKey& wire, const NodeSpec& kind) {
  const Status fits = session.editor.rules().mayFollow(wire.from, kind);
  return fits ? between(session, wire)
              : refused("Will be placed next to the wire: ", fits.error().message);
}

DropHint dropHint(const EditSession& session, const NodeId& target, const NodeId& id) {
  const Status fits = session.editor.rules().mayLead(target, id);
  return fits ? after(session, target) : refused("Will not connect: ", fits.error().message);
}

DropHint dropHint(const EditSession& session, const NodeId& target, const NodeSpec& kind) {
  const Status fits = session.editor.rules().mayFollow(target, kind);
  return fits ? after(session, target)
              : refused("Will be placed next to it: ", fits.error().message);
}

void paintDropHint(QPainter& painter, const DropHint& hint, QPointF at, const QRectF& room) {
  if (hint.words.isEmpty()) return;
  const QTransform toView = painter.transform();
  const QRectF seen = toView.mapRect(room);
  const QFont font = uiFont(12);
  const QFontMetricsF metrics(font);
  const double text = std::min(kWidest, metrics.horizontalAdvance(hint.words) + 1);
  QRectF box(toView.map(at) + QPointF(kAside, kBelow),
             QSizeF(kTextPad + kHintIcon + 6 + text + kTextPad, kHeight));
  if (box.right() > seen.right() - 4) box.moveRight(std::max(box.width(), seen.right() - 4));
  if (box.bottom() > seen.bottom() - 4) box.moveBottom(toView.map(at).y() - 10);
  painter.save();
  painter.resetTransform();
  painter.setRenderHint(QPainter::Antialiasing);
  const Tone tone = hint.goesIn ? Tone::Accent : Tone::Warning;
  painter.setPen(QPen(theme()[tone], 1.5));
  painter.setBrush(theme()[hint.goesIn ? Tone::Base : Tone::WarningSoft]);
  painter.drawRoundedRect(box, 4, 4);
  paintIcon(painter, hint.goesIn ? "check" : "warning",
            {box.left() + kTextPad, box.center().y() - kHintIcon / 2, kHintIcon, kHintIcon},
            theme()[tone]);
  painter.setFont(font);
  painter.setPen(theme()[Tone::Text]);
  painter.drawText(box.adjusted(kTextPad + kHintIcon + 6, 0, -kTextPad, 0),
                   Qt::AlignVCenter | Qt::AlignLeft,
                   metrics.elidedText(hint.words, Qt::ElideRight, text));
  painter.restore();
}

}  // namespace millrace
