// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/diff_mark.h"

#include <algorithm>

#include <QPainter>

#include "core/base/text/text.h"
#include "core/spec/node_spec.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kMark = 18;
/// Below this zoom, marks and chips are drawn at the size that they have at it.
constexpr double kMarkZoom = 0.8;

struct MarkStyle {
  const char* sign;
  Tone tone;
  Tone soft;
};

MarkStyle markStyleOf(NodeFate fate) {
  switch (fate) {
    case NodeFate::Added: return {"+", Tone::Faster, Tone::FasterSoft};
    case NodeFate::Removed: return {"−", Tone::Text2, Tone::Base};
    case NodeFate::Changed: return {"≠", Tone::Warning, Tone::WarningSoft};
    case NodeFate::Same: break;
  }
  return {"", Tone::Text, Tone::Base};
}

/// "2 → 6", for the first two parameters that changed.
QString changeText(const NodeDiff& node) {
  if (node.fate != NodeFate::Changed) return {};
  QStringList words;
  constexpr std::size_t kMost = 2;
  for (std::size_t i = 0; i < std::min(kMost, node.params.size()); ++i)
    words << toQt(singleLine(shownParam(node.params[i].before))) + " → " +
                 toQt(singleLine(shownParam(node.params[i].after)));
  if (node.params.size() > kMost) words << "…";
  if (words.isEmpty() && node.moved) words << "moved";
  if (words.isEmpty() && node.renamed()) words << "renamed";
  if (words.isEmpty() && node.stateBefore != node.stateAfter)
    words << (node.stateAfter == NodeState::On ? "on" : "bypassed");
  return words.join(", ");
}

QFont chipFont() { return uiFont(12, true); }

/// Marks and chips have this scale in the scene.
double scaleAt(double zoom) { return std::max(1.0, kMarkZoom / zoom); }

/// As wide as the node, so that it covers no neighbour.
QString chipWords(const NodeDiff& node, const QRectF& body, double scale) {
  return QFontMetricsF(chipFont())
      .elidedText(changeText(node), Qt::ElideRight, body.width() / scale + 6);
}

}  // namespace

QRectF diffChip(const NodeDiff& node, const QRectF& body, DiffBody what, double zoom) {
  const double scale = scaleAt(zoom);
  const QString words = chipWords(node, body, scale);
  if (words.isEmpty()) return {};
  QRectF chip(0, 0, QFontMetricsF(chipFont()).horizontalAdvance(words) + 12, 20);
  chip.setSize(chip.size() * scale);
  constexpr double kGap = 4;
  if (what == DiffBody::RegionHead)  // Its title fills the head, and members are below.
    chip.moveBottomRight(body.topRight() + QPointF(-(kMark / 2 + 4) * scale, -kGap));
  else
    chip.moveTopRight(body.bottomRight() + QPointF(-6, -kGap * scale));
  return chip;
}

QString fateLines(const NodeDiff& node, const NodeSpec* spec) {
  if (node.fate == NodeFate::Same) return "<p>The same in both.</p>";
  if (node.fate == NodeFate::Added) return "<p><b>+ added</b></p>";
  if (node.fate == NodeFate::Removed) return "<p><b>− removed</b></p>";
  QStringList lines;
  for (const ParamDiff& param : node.params) {
    const ParamSpec* known = spec == nullptr ? nullptr : spec->param(param.param);
    lines << QString("%1: %2 → <b>%3</b>")
                 .arg(
                     toQt(known == nullptr ? validUtf8(param.param) : known->label).toHtmlEscaped(),
                     toQt(singleLine(shownParam(param.before))).toHtmlEscaped(),
                     toQt(singleLine(shownParam(param.after))).toHtmlEscaped());
  }
  if (node.moved)
    lines << QString("moved: was after %1, now after %2")
                 .arg(toQt(validUtf8(node.predecessorBefore)).toHtmlEscaped(),
                      toQt(validUtf8(node.predecessorAfter)).toHtmlEscaped());
  if (node.renamed())
    lines << QString("renamed: was %1").arg(toQt(validUtf8(node.before)).toHtmlEscaped());
  if (node.stateBefore != node.stateAfter)
    lines << (node.stateAfter == NodeState::On ? "bypassed, now on" : "on, now bypassed");
  return "<p><b>≠ changed</b><br>" + lines.join("<br>") + "</p>";
}

void paintDiffMark(QPainter& painter, const NodeDiff& node, const QRectF& body, DiffBody what,
                   double zoom) {
  const MarkStyle style = markStyleOf(node.fate);
  const QColor colour = theme()[style.tone];
  painter.setBrush(Qt::NoBrush);
  QPen pen(colour, 2);
  if (node.fate == NodeFate::Removed) {
    QColor veil = theme()[Tone::Canvas];
    veil.setAlphaF(0.6F);
    painter.fillRect(body.adjusted(-8, -2, 8, 2), veil);
    pen.setDashPattern({4, 3});
  }
  painter.setPen(pen);
  painter.drawRoundedRect(body.adjusted(-2, -2, 2, 2), canvas::kNodeRadius + 2,
                          canvas::kNodeRadius + 2);
  if (node.fate == NodeFate::Added)
    painter.drawRoundedRect(body.adjusted(-6, -6, 6, 6), canvas::kNodeRadius + 6,
                            canvas::kNodeRadius + 6);
  const double scale = scaleAt(zoom);
  const auto at = [&](QPointF corner) {
    painter.save();
    painter.translate(corner);
    painter.scale(scale, scale);
  };
  if (const QRectF place = diffChip(node, body, what, zoom); !place.isEmpty()) {
    at(place.topLeft());
    const QRectF chip(QPointF(), place.size() / scale);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(theme()[style.soft]);
    painter.drawRoundedRect(chip, 4, 4);
    painter.setFont(chipFont());
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(chip, Qt::AlignCenter, chipWords(node, body, scale));
    painter.restore();
  }
  at(body.topRight());
  const QRectF mark(-kMark / 2 - 2, -kMark / 2 - 2, kMark, kMark);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawEllipse(mark);
  painter.setFont(uiFont(13, true));
  painter.setPen(theme()[Tone::Base]);
  painter.drawText(mark, Qt::AlignCenter, style.sign);
  painter.restore();
}

}  // namespace millrace
