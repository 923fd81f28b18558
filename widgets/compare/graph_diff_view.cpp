// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/graph_diff_view.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "core/base/text/text.h"
#include "core/compare/comparison.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/runs/run_column.h"

namespace millrace {

namespace {

constexpr const char* kShown[] = {"samples_per_second", "step_share",
                                  "cpu_seconds_per_1000_samples", "peak_rss_bytes"};

/// "mean ms: 1.93 → 2.02 (+4.7 %)", for one node.
QString nodeFigures(const Comparison& comparison, std::size_t run, const NodeDiff& node) {
  QStringList lines;
  for (const FigureRow& row : comparison.figures) {
    if (row.of.empty() || (row.of != node.before && row.of != node.after)) continue;
    const auto& before = row.values.front().value;
    const auto& after = row.values[run].value;
    if (!before && !after) continue;
    const auto shown = [&](const std::optional<double>& value) {
      return value ? shownFigure(*value, row.spec->unit) : QString("–");
    };
    const auto change = row.shownChange(run);
    lines << QString("%1: %2 → <b>%3</b>%4")
                 .arg(toQt(row.spec->name), shown(before), shown(after),
                      change ? " (" + shownChange(1 + *change) + ")" : QString());
  }
  return lines.isEmpty() ? QString() : "<p>" + lines.join("<br>") + "</p>";
}

/// "Samples per second 804 → 1 593 (+98.1 %)", for the main figures.
QString figureLines(const Comparison& comparison, std::size_t run) {
  QStringList lines;
  for (const char* id : kShown) {
    const auto row = std::ranges::find_if(comparison.figures, [&](const FigureRow& figure) {
      return figure.spec->id == id && figure.of.empty();
    });
    if (row == comparison.figures.end()) continue;
    const auto& before = row->values.front().value;
    const auto& after = row->values[run].value;
    if (!before || !after) continue;
    const auto change = row->shownChange(run);
    lines << QString("%1: %2 → <b>%3</b>%4")
                 .arg(toQt(row->spec->name), shownFigure(*before, row->spec->unit),
                      shownFigure(*after, row->spec->unit),
                      change ? " (" + shownChange(1 + *change) + ")" : QString());
  }
  return lines.join("<br>");
}

}  // namespace

GraphDiffView::GraphDiffView(CompareSet& set, QWidget* parent)
    : QWidget(parent),
      m_set(set),
      m_canvas(new KeptCanvas(set.catalog())),
      m_pick(new QComboBox),
      m_export(new QAction(icon("export"), "Export as code…", this)),
      m_counts(new QLabel),
      m_figures(new QLabel),
      m_empty(new QLabel),
      m_content(new QWidget),
      m_stack(new QStackedLayout(this)) {
  setAttribute(Qt::WA_StyledBackground);
  m_pick->setAccessibleName("Run to compare with the reference");
  m_counts->setProperty("role", "second");
  m_counts->setMinimumWidth(40);
  m_pick->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_figures->setProperty("role", "second");
  m_figures->setWordWrap(true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("role", "second");
  m_empty->setMargin(12);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(8);
  row->addWidget(m_pick);
  m_counts->setWordWrap(true);
  row->addWidget(m_counts, 1);
  auto* column = new QVBoxLayout(m_content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_canvas, 1);
  m_figures->setContentsMargins(12, 6, 12, 8);
  column->addWidget(m_figures);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(m_content);
  m_export->setToolTip("Export the second run's pipeline as code, with its figures");
  addAction(m_export);  // It is shown in the dock's title.
  connect(m_export, &QAction::triggered, this, [this] {
    const Comparison* comparison = m_set.comparison();
    const auto run = static_cast<std::size_t>(std::max(0, m_pick->currentIndex())) + 1;
    if (comparison != nullptr && run < comparison->runs.size())
      emit exportRequested(comparison->runs[run].summary.number);
  });
  connect(&set, &CompareSet::changed, this, &GraphDiffView::refill);
  connect(m_pick, &QComboBox::currentIndexChanged, this, &GraphDiffView::showPicked);
  refill();
}

void GraphDiffView::refill() {
  const QSignalBlocker quiet(m_pick);
  m_pick->clear();
  if (const Comparison* comparison = m_set.comparison())
    for (std::size_t run = 1; run < comparison->runs.size(); ++run)
      m_pick->addItem(
          QString("%1 against %2")
              .arg(toQt(comparison->runs.front().number()), toQt(comparison->runs[run].number())));
  showPicked();
}

void GraphDiffView::showPicked() {
  const Comparison* comparison = m_set.comparison();
  const auto run = static_cast<std::size_t>(std::max(0, m_pick->currentIndex())) + 1;
  QString why;
  if (comparison == nullptr) {
    why = m_set.problem().isEmpty() ? "Select two or more runs in the table." : m_set.problem();
  } else if (const auto& diff = comparison->runs[run].graph; !diff) {
    why = "One of the two pipelines cannot be read.";
  } else if (const Status shown =
                 m_canvas->showDiff(m_set.pipelineOf(0), m_set.pipelineOf(run), *diff);
             !shown) {
    why = sentence(shown.error().message);
  } else {
    // Called later, when the comparison may have been replaced.
    m_canvas->setNodeText([this, run](const NodeDiff& node) {
      const Comparison* now = m_set.comparison();
      return now == nullptr || run >= now->runs.size() ? QString() : nodeFigures(*now, run, node);
    });
    QStringList counts;
    for (const auto& [words, fate] :
         {std::pair("+ added %1", NodeFate::Added), std::pair("≠ changed %1", NodeFate::Changed),
          std::pair("− removed %1", NodeFate::Removed)})
      counts << QString(words).arg(diff->count(fate)).replace(' ', kNoBreak);
    m_counts->setText(counts.join("   "));
    m_figures->setText(figureLines(*comparison, run));
  }
  if (!why.isEmpty()) {
    m_canvas->setNodeText({});
    m_canvas->clear();
  }
  m_export->setEnabled(why.isEmpty());
  m_empty->setText(why);
  m_stack->setCurrentWidget(why.isEmpty() ? m_content : static_cast<QWidget*>(m_empty));
}

QString GraphDiffView::counts() const { return m_counts->text().replace(kNoBreak, ' '); }
QString GraphDiffView::figures() const { return m_figures->text(); }

}  // namespace millrace
