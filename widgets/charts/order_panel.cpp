// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/order_panel.h"

#include <algorithm>

#include <QPainter>

#include "core/metrics/metric_spec.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr double kMargin = 12;
constexpr double kLine = 18;  ///< height of a line of text
constexpr double kLabelWidth = 34;
constexpr double kTop = 1.1;  ///< share of a full shuffle at the top of the bars, at least

using Figures = std::vector<std::pair<QString, double>>;

void add(const char* metric, const std::optional<ShuffleFigure>& figure, Figures& figures) {
  const std::optional<double> ofFull = figure ? figure->ofFull() : std::nullopt;
  const MetricSpec* spec = findMetric(metric);
  if (ofFull && spec != nullptr) figures.emplace_back(toQt(spec->name), *ofFull);
}

Figures figuresOf(const ShuffleQuality& order) {
  Figures figures;
  add("shuffle_distance", order.distance, figures);
  add("shuffle_class_run", order.classRun, figures);
  add("shuffle_file_run", order.fileRun, figures);
  add("shuffle_batch_entropy", order.batchEntropy, figures);
  return figures;
}

std::vector<double> partsOf(const ShuffleQuality& order) {
  std::vector<double> parts;
  if (!order.batchEntropy || !order.batchEntropy->ofFull()) return parts;
  for (const double entropy : order.entropyAlong)
    parts.push_back(entropy / order.batchEntropy->full);
  return parts;
}

}  // namespace

QString shuffleText(const ShuffleQuality& order) {
  if (order.distance.value == 0) return "The samples come in the order of the source.";
  QString text = QString("A sample moves %1 as far as in a full shuffle.")
                     .arg(shownShare(order.distance.ofFull().value_or(0)));
  if (!order.batchEntropy) return text + " The classes are not known before samples are read.";
  const QString entropy = shownShare(order.batchEntropy->ofFull().value_or(0));
  if (isPoorlyMixed(order))
    return text + QString(
                      " A batch has only %1 of the class entropy: shuffle fully, or with a "
                      "larger window or more files.")
                      .arg(entropy);
  return text + QString(" A batch has %1 of the class entropy.").arg(entropy);
}

OrderPanel::OrderPanel(QWidget* parent) : PaintedView("Shuffle", parent) {}

void OrderPanel::refresh(const LiveRun& run, const std::optional<TimeSpan>&) {
  if (!follows()) return;
  std::optional<ShuffleQuality> order;
  if (run.result()) order = run.result()->result.figures.order;
  m_parts = order ? partsOf(*order) : std::vector<double>();
  m_figures = order ? figuresOf(*order) : Figures();
  m_words = order ? shuffleText(*order)
            : run.result()
                ? "This run has no figures of its order. Loaders have none, and data that is too "
                  "large or was not listed; nor have runs of older versions."
                : "How well the first epoch was shuffled appears here when the run has ended.";
  setAccessibleDescription(m_words);
  update();
}

TextTable OrderPanel::table() const {
  TextTable table{{"figure", "share_of_full_shuffle"}, {}};
  for (const auto& [name, share] : m_figures) table.rows << QVariantList{name, share};
  const auto count = static_cast<int>(m_parts.size());
  for (int part = 0; part < count; ++part)
    table.rows << QVariantList{
        QString("Class entropy of a batch, part %1 of %2 of the epoch").arg(part + 1).arg(count),
        m_parts[static_cast<std::size_t>(part)]};
  return table;
}

void OrderPanel::paintBars(QPainter& painter, const QRectF& area) const {
  const double top = std::max(kTop, *std::ranges::max_element(m_parts));
  const auto yOf = [&](double share) { return area.bottom() - area.height() * share / top; };
  const double width = (area.width() - kLabelWidth) / static_cast<double>(m_parts.size());
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    const double x = area.left() + kLabelWidth + width * static_cast<double>(i);
    const QRectF bar(QPointF(x + 2, yOf(m_parts[i])), QPointF(x + width - 2, area.bottom()));
    painter.fillRect(bar, theme()[Tone::Water]);
  }
  painter.setPen(theme()[Tone::Text2]);
  for (const double share : {0.0, 0.5, 1.0})
    painter.drawText(QRectF(area.left(), yOf(share) - kLine / 2, kLabelWidth - 6, kLine),
                     Qt::AlignVCenter | Qt::AlignRight, shownShare(share));
  painter.setPen(QPen(theme()[Tone::Text2], 1, Qt::DashLine));
  painter.drawLine(QPointF(area.left() + kLabelWidth, yOf(1)), QPointF(area.right(), yOf(1)));
}

void OrderPanel::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setFont(uiFont(12));
  QRectF room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
  if (m_figures.empty()) {
    painter.setPen(theme()[Tone::Hint]);
    painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, m_words);
    return;
  }
  painter.setPen(theme()[Tone::Text2]);
  QRectF words;
  painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_words, &words);
  room.setTop(words.bottom() + kLine / 2);
  if (m_parts.empty() || room.height() < 4 * kLine) return;
  painter.drawText(
      QRectF(room.left(), room.top(), room.width(), kLine), Qt::AlignLeft,
      painter.fontMetrics().elidedText("Class entropy of a batch, of a full shuffle",
                                       Qt::ElideRight, static_cast<int>(room.width())));
  const QRectF axis(room.left() + kLabelWidth, room.bottom() - kLine, room.width() - kLabelWidth,
                    kLine);
  painter.drawText(axis, Qt::AlignLeft | Qt::AlignBottom, "beginning");
  painter.drawText(axis, Qt::AlignRight | Qt::AlignBottom, "end of the epoch");
  paintBars(painter, room.adjusted(0, 1.5 * kLine, 0, -kLine));
}

}  // namespace millrace
