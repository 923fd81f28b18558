// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/gpu_panel.h"

#include <QAction>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "widgets/charts/gpu_meters.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

QString wordsWithout(const QString& gpu) {
  return gpu.isEmpty() ? "Utilisation, power and clocks appear here if a GPU is found."
                       : "Its utilisation, power and clocks appear here during a run.";
}

}  // namespace

GpuPanel::GpuPanel(const QString& gpu, QWidget* parent)
    : PaintedView("GPU", parent),
      m_gpu(gpu),
      m_words(new QLabel(wordsWithout(gpu))),
      m_meters(new GpuMeters),
      m_pages(new QStackedLayout(this)) {
  setProperty("plot", true);
  setAttribute(Qt::WA_StyledBackground);
  m_pages->addWidget(makeNone());
  m_pages->addWidget(m_meters);
  showPage({});
}

/// Without figures there is nothing to freeze or export.
void GpuPanel::showPage(const std::optional<GpuFigures>& gpu) {
  m_figures = gpu.value_or(GpuFigures{});
  if (gpu) m_meters->show(toQt(gpu->name), gpuRows(*gpu));
  m_pages->setCurrentIndex(gpu ? 1 : 0);
  freezeAction()->setEnabled(gpu.has_value());
  exportAction()->setEnabled(gpu.has_value());
}

QWidget* GpuPanel::makeNone() {
  auto* page = new QWidget;
  auto* picture = new IconMark(m_gpu.isEmpty() ? "gpuoff" : "gpu", Tone::Text2, 26);
  auto* title = new QLabel("<b>" + (m_gpu.isEmpty() ? "No GPU" : m_gpu.toHtmlEscaped()) + "</b>");
  title->setAlignment(Qt::AlignCenter);
  m_words->setProperty("role", "second");
  m_words->setAlignment(Qt::AlignCenter);
  m_words->setWordWrap(true);
  auto* missing = new QPushButton("Why no GPU?");
  if (!m_gpu.isEmpty()) missing->hide();
  connect(missing, &QPushButton::clicked, this, &GpuPanel::gpuHelpRequested);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  column->addStretch();
  column->addWidget(picture, 0, Qt::AlignHCenter);
  column->addWidget(title);
  column->addWidget(m_words);
  column->addWidget(missing, 0, Qt::AlignCenter);
  column->addStretch();
  return page;
}

void GpuPanel::refresh(const LiveRun& run, const std::optional<TimeSpan>& range) {
  if (!follows()) return;
  if (run.layout().stages.empty()) {
    showPage({});
    m_words->setText(wordsWithout(m_gpu));
    return;
  }
  const std::optional<GpuFigures> gpu = range ? run.gpuBetween(*range) : run.shownGpu();
  showPage(gpu);
  if (!gpu) showNone(run);
}

void GpuPanel::showNone(const LiveRun& run) {
  const LiveSpan span = run.latest();
  const std::string consumer = run.layout().stages.back().id;
  const LiveSpan::Node* step = span.node(consumer);
  QString words = wordsWithout(m_gpu);
  if (!m_gpu.isEmpty() && run.state() != LiveRun::State::Preparing)
    words = "The engine reports no figures for this GPU. Run millrace doctor to find out why.";
  if (m_gpu.isEmpty() && span.stepSeconds > 0 && step != nullptr && step->items > 0)
    words += QString(" %1 takes %2 per batch instead.")
                 .arg(run.titleOf(consumer), shownMs(1000 * span.stepSeconds / step->items));
  if (words != m_words->text()) m_words->setText(words);
}

void GpuPanel::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Base]);
  if (hasFigures()) m_meters->paint(painter);
}

TextTable GpuPanel::table() const {
  TextTable table{{"metric", "value"}, {}};
  for (const GpuField& field : gpuFields())
    if (const std::optional<double> value = m_figures.values.*field.value)
      table.rows << QVariantList{"accelerator." + toQt(field.key), *value};
  return table;
}

QString GpuPanel::words() const { return m_words->text(); }

bool GpuPanel::hasFigures() const { return m_pages->currentWidget() == m_meters; }

}  // namespace millrace
