// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_page.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/common/table_head.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_sweep.h"
#include "widgets/sweep/importance_bars.h"
#include "widgets/sweep/job_strip.h"
#include "widgets/sweep/sweep_grid.h"
#include "widgets/sweep/sweep_plot.h"
#include "widgets/sweep/sweep_table_model.h"

namespace millrace {

SweepPage::SweepPage(const LiveSweep& sweep, QWidget* parent)
    : SearchPage("Progress of the sweep", parent),
      m_sweep(sweep),
      m_goOn(namedButton("go_on", "Continue", "play")),
      m_x(new QComboBox),
      m_y(new QComboBox),
      m_axes(new QWidget),
      m_plot(new SweepPlot(sweep)),
      m_importance(new ImportanceBars(sweep)),
      m_take(namedButton("take", "Use this setting", "check")),
      m_model(new SweepTableModel(sweep, this)) {
  setObjectName("sweep_page");
  fillTable(m_model, "Settings", [this](int row) { return m_model->pointAt(row); });
  compose(buildPlot(), sideOf(buildFindings(), {m_take}, m_plot->exportAction()), {});
  connect(m_take, &QPushButton::clicked, this, [this] {
    if (m_plot->chosen()) emit takeRequested(*m_plot->chosen());
  });
  m_strip->addButton(m_goOn);
  connect(m_goOn, &QPushButton::clicked, this, &SweepPage::goOnRequested);
  refresh();
}

QWidget* SweepPage::buildPlot() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout(m_axes);
  row->setContentsMargins(12, 4, 12, 4);
  for (const auto& [words, combo] : {std::pair("Columns", m_x), std::pair("Rows", m_y)}) {
    auto* label = new QLabel(words);
    label->setBuddy(combo);
    row->addWidget(label);
    row->addWidget(combo);
    connect(combo, &QComboBox::activated, this, [this] {
      m_plot->setAxes(static_cast<std::size_t>(m_x->currentIndex()),
                      static_cast<std::size_t>(m_y->currentIndex()));
    });
  }
  row->addStretch(1);
  column->addWidget(m_axes);
  column->addWidget(m_plot, 1);
  connect(m_plot, &SweepPlot::pointChosen, this, &SweepPage::choose);
  connect(m_plot, &SweepPlot::pointTaken, this, &SweepPage::take);
  return box;
}

QWidget* SweepPage::buildFindings() {
  auto* found = new QWidget;
  auto* column = new QVBoxLayout(found);
  column->setContentsMargins(14, 12, 6, 4);
  column->setSpacing(8);
  column->addWidget(m_finding);
  column->addWidget(m_importance);
  column->addStretch(1);
  return found;
}

void SweepPage::choose(std::size_t point) {
  m_plot->setChosen(point);
  showRow(m_model->rowOf(point));
  refreshButtons();
}

void SweepPage::take(std::size_t point) {
  if (m_obstacle.isEmpty()) emit takeRequested(point);
}

void SweepPage::refresh() {
  const int columns = m_model->columnCount();
  m_model->refresh();
  if (m_model->columnCount() != columns) {
    showAxes();
    if (columns < m_model->columnCount()) sizeColumns();
    m_said->say({});
  }
  m_plot->refresh();
  m_importance->refresh();
  showProgress();
  showEnd();
  showFinding();
  // Before the end it would hold on to a setting that another one overtakes.
  if (m_sweep.state() == LiveSweep::State::Over && !m_plot->chosen() && m_sweep.finding().best)
    choose(*m_sweep.finding().best);
  refreshButtons();
}

void SweepPage::sizeColumns() {
  QHeaderView& head = *m_table->horizontalHeader();
  const int last = m_model->columnCount() - 1;
  for (int c = 0; c <= last; ++c)
    m_table->setColumnWidth(c, std::max(m_model->usualWidth(c), leastTitleWidth(head, c)));
  // A failed setting's reason needs the room.
  head.setSectionResizeMode(QHeaderView::Interactive);
  head.setSectionResizeMode(last, QHeaderView::Stretch);
}

void SweepPage::showAxes() {
  const std::size_t count = m_sweep.plan().axes.size();
  m_axes->setVisible(count > 2);
  for (QComboBox* combo : {m_x, m_y}) {
    combo->clear();
    for (std::size_t a = 0; a < count; ++a) {
      combo->addItem(shownParameter(m_sweep, a));
      combo->setItemData(static_cast<int>(a), toQt(m_sweep.plan().axes[a].name()), Qt::ToolTipRole);
    }
  }
  if (count > 1) m_y->setCurrentIndex(1);
  m_plot->setAxes(0, 1);
}

void SweepPage::showProgress() {
  const bool going =
      m_sweep.state() == LiveSweep::State::Preparing || m_sweep.state() == LiveSweep::State::Going;
  m_strip->setTitle(m_sweep.title().isEmpty() ? QString("No sweep yet")
                                              : "Sweep of " + m_sweep.title());
  if (!going) return m_strip->showIdle();
  m_strip->showProgress(m_sweep.done(), m_sweep.of(), m_sweep.secondsLeft());
  if (m_sweep.state() == LiveSweep::State::Preparing)
    m_strip->setWords("The engine is checking every setting");
  if (!m_sweep.isKnown() || m_sweep.of() == 0) return;
  QString words = QString("%1 of %2 trials done").arg(m_sweep.done()).arg(m_sweep.of());
  if (m_sweep.failed() > 0) words += ", " + shownCount(m_sweep.failed(), "setting") + " failed";
  if (m_sweep.replaced() > 0) words += QString(", %1 disturbed").arg(m_sweep.replaced());
  if (!m_sweep.waitText().isEmpty()) words += "; " + m_sweep.waitText();
  m_strip->setWords(words);
}

void SweepPage::showEnd() {
  const auto& end = m_sweep.end();
  const bool over = m_sweep.state() == LiveSweep::State::Over && end.has_value();
  m_failed->say(over && end->kind == ChildEnd::Kind::Failed ? end->sentence : QString());
  const bool whole = over && m_sweep.isKnown() && m_sweep.done() >= m_sweep.of();
  m_goOn->setVisible(over && !whole && !m_sweep.experiment().isEmpty());
  m_goOn->setToolTip("Continue after the trials already measured");
  if (!over) return;
  QString words = "Done";
  if (end->kind == ChildEnd::Kind::Stopped) words = "Stopped";
  if (end->kind == ChildEnd::Kind::Failed) words = "Ended early";
  if (m_sweep.isKnown()) {
    const auto measured = static_cast<int>(m_sweep.finding().ranking.size());
    words += QString(": %1 of %2 settings measured").arg(measured).arg(m_sweep.points().size());
    if (m_sweep.failed() > 0) words += QString(", %1 failed").arg(m_sweep.failed());
  }
  if (!m_sweep.experiment().isEmpty()) words += QString("; kept as “%1”").arg(m_sweep.experiment());
  m_strip->setWords(words);
}

void SweepPage::showStopping() {
  m_strip->showStopping("Stopping; all trials except the running one are kept");
}

/// Whether the first setting is significantly faster than those after it.
QString SweepPage::rivalText() const {
  const SweepFinding& finding = m_sweep.finding();
  if (!finding.overNext) return {};
  const bool tooFew = finding.overNext->kind == VerdictKind::TooFew;
  QString html;
  if (!finding.rivals.empty()) {
    const SweepPoint& point = m_sweep.plan().points[finding.rivals.front()];
    // The comparison with the current setting follows below.
    if (tooFew && point.current && finding.rivals.size() == 1) return {};
    QStringList values;
    for (std::size_t a = 0; a < point.values.size(); ++a)
      values << shownParameter(m_sweep, a) + ' ' + shownSetting(point.values[a]);
    html = tooFew ? "<p>Too few repeats to tell it from " : "<p>No measurable difference from ";
    html += values.join(", ").toHtmlEscaped();
    if (finding.rivals.size() > 1) html += QString(" and %1 more").arg(finding.rivals.size() - 1);
    html += ".</p>";
    if (tooFew) return html;
  }
  const std::size_t next = finding.ranking[1];
  // The comparison with the current setting follows below.
  if (m_sweep.plan().points[next].current) return html;
  return html + "<p>" +
         richSentence(describe(*finding.overNext, "the next setting", "this setting")) + "</p>";
}

void SweepPage::showFinding() {
  if (!m_sweep.isKnown() || !m_sweep.finding().best)
    return m_finding->setText("The findings appear here after the first trials.");
  const SweepFinding& finding = m_sweep.finding();
  const std::size_t best = *finding.best;
  // The highest measured rate is not necessarily a significant difference.
  QString html = finding.rivals.empty() ? "<b>Fastest" : "<b>Highest rate";
  html += m_sweep.state() == LiveSweep::State::Over ? "</b>" : " so far</b>";
  const SweepPoint& point = m_sweep.plan().points[best];
  html += "<table cellspacing='0' cellpadding='1'>";
  for (std::size_t a = 0; a < point.values.size(); ++a)
    html += "<tr><td>" + shownParameter(m_sweep, a).toHtmlEscaped() + "&nbsp;&nbsp;</td><td><b>" +
            shownSetting(point.values[a]).toHtmlEscaped() + "</b></td></tr>";
  html += "</table><p>" + shownRate(*m_sweep.rateOf(best)) + " samples/s</p>" + rivalText() + "<p>";
  if (point.current)
    html += "This is the pipeline's current setting.";
  else if (finding.verdict)
    html += richSentence(describe(*finding.verdict, "the current setting", "this setting"));
  else
    html += "The current setting has not been measured yet.";
  html += "</p>";
  if (finding.mayBeChance)
    html +=
        "<p>Among this many settings, one may look this good by chance. Use it and measure both "
        "again together to be sure.</p>";
  m_finding->setText(html);
}

void SweepPage::refreshButtons() {
  const auto chosen = m_plot->chosen();
  const bool known = m_sweep.isKnown();
  QString tip = m_obstacle;
  if (tip.isEmpty() && !chosen) tip = "Select a setting in the plot or the table first.";
  if (tip.isEmpty() && m_sweep.plan().points[*chosen].current)
    tip = "This is the setting that the pipeline had when the sweep began.";
  m_take->setEnabled(known && chosen && m_obstacle.isEmpty());
  m_take->setToolTip(tip.isEmpty() ? "Applies it to the pipeline as one undo step" : tip);
  m_runs->setEnabled(known && !m_sweep.experiment().isEmpty());
  m_copy->setEnabled(m_sweep.state() != LiveSweep::State::None);
  button("export")->setEnabled(known);
}

}  // namespace millrace
