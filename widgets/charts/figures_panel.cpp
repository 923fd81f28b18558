// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/figures_panel.h"

#include <cmath>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "core/base/text/text.h"
#include "core/measure/store_figures.h"
#include "core/metrics/metric_spec.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

using Figure = FiguresPanel::Figure;

const QString kUnknown = "–";
constexpr int kRow = 60;

QString bytes(double value) { return toQt(humanBytes(value)).replace(' ', kNoBreak); }
QString seconds(double value) { return toQt(humanSeconds(value)).replace(' ', kNoBreak); }

template <class Show>
QString shownOr(const std::optional<double>& value, Show show) {
  return value ? show(*value) : kUnknown;
}

/// The values shared by the two sources: a running run and a result.
struct Known {
  std::optional<double> rate;
  QString interval;
  std::optional<double> stepShare;
  std::optional<double> readPerSecond;
  std::optional<double> cpuPer1000;
  std::uint64_t peakBytes = 0;
  std::uint64_t failed = 0;
};

Known knownOf(const LiveSpan& span, const LiveRun& run) {
  Known known;
  known.peakBytes = run.peakBytes();
  known.failed = run.failedSamples();
  if (span.seconds <= 0) return known;
  known.rate = span.samplesPerSecond();
  if (span.stepSeconds > 0) known.stepShare = std::min(1.0, span.stepSeconds / span.seconds);
  known.readPerSecond = span.readBytes / span.seconds;
  if (span.samples > 0) known.cpuPer1000 = 1000 * span.cpuSeconds / span.samples;
  return known;
}

Known knownOf(const RunResult& result) {
  const SpanFigures& figures = result.figures;
  Known known;
  known.rate = figures.samplesPerSecond.mean;
  if (figures.samplesPerSecond.ci95Low && figures.samplesPerSecond.ci95High)
    known.interval = QString(", 95%1%: %2%1to%1%3")
                         .arg(kNoBreak)
                         .arg(shownRate(*figures.samplesPerSecond.ci95Low),
                              shownRate(*figures.samplesPerSecond.ci95High));
  known.stepShare = figures.stepShare;
  known.readPerSecond = figures.inputBytesPerSecond;
  known.cpuPer1000 = figures.cpuSecondsPer1000Samples;
  known.peakBytes = figures.peakRssBytes.value_or(0);
  known.failed = figures.failedSamples;
  return known;
}

QString leftOutNote(const RunResult& result) {
  const std::string leftOut = leftOutText(result);
  return leftOut.empty() ? QString() : "Not counted: " + toQt(leftOut);
}

std::vector<Figure> figuresOf(const Known& known) {
  const auto perSecond = [](double value) { return bytes(value) + "/s"; };
  return {
      {shownOr(known.rate, shownRate), "samples/s" + known.interval, "samples_per_second",
       known.rate},
      {shownOr(known.stepShare, shownShare), "step busy", "step_share", known.stepShare},
      {shownOr(known.readPerSecond, perSecond), "read", "input_bytes_per_second",
       known.readPerSecond},
      {shownOr(known.cpuPer1000, seconds), QString("CPU per 1") + kNoBreak + "000 samples",
       "cpu_seconds_per_1000_samples", known.cpuPer1000},
      {known.peakBytes > 0 ? bytes(static_cast<double>(known.peakBytes)) : kUnknown, "peak memory",
       "peak_rss_bytes",
       known.peakBytes > 0 ? std::optional(static_cast<double>(known.peakBytes)) : std::nullopt},
      {shownNumber(static_cast<std::int64_t>(known.failed)), "samples skipped", "failed_samples",
       static_cast<double>(known.failed)},
  };
}

}  // namespace

FiguresPanel::FiguresPanel(QWidget* parent) : PaintedView("Figures", parent) {}

void FiguresPanel::refresh(const LiveRun& run, const std::optional<TimeSpan>& range) {
  if (!follows()) return;
  if (run.state() == LiveRun::State::None) {
    m_figures.clear();
    m_note.clear();
    showHeading("Figures");
    return;
  }
  const bool ofResult = !range && run.result().has_value();
  const Known known = ofResult ? knownOf(run.result()->result) : knownOf(run.of(range), run);
  m_figures = figuresOf(known);
  if (!ofResult && !range && run.state() == LiveRun::State::WarmUp)
    m_note = "Last second; the run is warming up.";
  else if (range)
    m_note = QString("Selected range of %1 s.")
                 .arg(shownNumber(std::round((range->to - range->from) * 10) / 10));
  else if (!ofResult && run.state() == LiveRun::State::Measuring)
    m_note = "This repeat so far; nodes show the last second.";
  else
    m_note = ofResult ? leftOutNote(run.result()->result) : QString();
  showHeading("Figures of " + run.label().toLower());
}

void FiguresPanel::showHeading(const QString& heading) {
  update();
  if (heading == m_heading) return;
  m_heading = heading;
  emit headingChanged(heading);
}

QRect FiguresPanel::cell(std::size_t i) const {
  const int column = (width() - 24) / 2;
  const int row = std::min(kRow, (height() - 14 - noteHeight()) / 3);
  return {12 + static_cast<int>(i % 2) * column, 10 + static_cast<int>(i / 2) * row, column - 8,
          row};
}

/// Its lines, if the captions of figures may still have two; otherwise one.
int FiguresPanel::noteHeight() const {
  constexpr int kLeastRow = 52;
  const QFontMetrics metrics(uiFont(11));
  const QRect room(0, 0, width() - 24, height());
  const int whole = metrics.boundingRect(room, Qt::TextWordWrap, m_note).height();
  return height() - 14 - whole >= 3 * kLeastRow ? whole : metrics.height();
}

QRect FiguresPanel::noteBox() const {
  const int high = m_note.isEmpty() ? 0 : noteHeight();
  return {12, height() - 4 - high, width() - 24, high};
}

QString FiguresPanel::shownNote() const {
  const QFontMetrics metrics(uiFont(11));
  const QRect box = noteBox();
  if (box.height() > metrics.height()) return m_note;
  return metrics.elidedText(m_note, Qt::ElideRight, box.width());
}

TextTable FiguresPanel::table() const {
  TextTable table{{"figure", "value", "unit"}, {}};
  for (const Figure& figure : m_figures) {
    const MetricSpec* spec = findMetric(fromQt(figure.metric));
    table.rows << QVariantList{figure.metric, figure.number ? QVariant(*figure.number) : QVariant(),
                               spec == nullptr ? QString() : toQt(spec->unit)};
  }
  return table;
}

void FiguresPanel::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Panel]);
  if (m_figures.empty()) {
    painter.setPen(theme()[Tone::Hint]);
    painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap,
                     "A run's figures appear here.");
    return;
  }
  for (std::size_t i = 0; i < m_figures.size(); ++i) {
    const QRect box = cell(i);
    painter.setFont(uiFont(17, true));
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignTop, m_figures[i].value);
    painter.setFont(uiFont(12));
    painter.setPen(theme()[Tone::Text2]);
    const QRect below = box.adjusted(0, 24, 0, 0);
    const QString& caption = m_figures[i].caption;
    const QFontMetrics metrics = painter.fontMetrics();
    if (below.height() >= 2 * metrics.lineSpacing() - 2)
      painter.drawText(below, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextDontClip,
                       caption);
    else
      painter.drawText(below, Qt::AlignLeft | Qt::AlignTop,
                       metrics.elidedText(caption, Qt::ElideRight, below.width()));
  }
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Hint]);
  painter.drawText(noteBox(), Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, shownNote());
}

bool FiguresPanel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return RunView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const bool onNote = noteBox().contains(help->pos());
  for (std::size_t i = 0; i < m_figures.size() && !onNote; ++i) {
    const MetricSpec* spec = findMetric(fromQt(m_figures[i].metric));
    if (!cell(i).contains(help->pos()) || spec == nullptr) continue;
    QToolTip::showText(help->globalPos(),
                       QString("<p><b>%1</b> %2</p><p>%3</p><p>%4</p>")
                           .arg(toQt(spec->name), m_figures[i].caption.toHtmlEscaped(),
                                toQt(spec->meaning), toQt(spec->reading)),
                       this);
    return true;
  }
  if (!onNote) return RunView::event(event);
  QToolTip::showText(help->globalPos(), m_note, this);
  return true;
}

}  // namespace millrace
