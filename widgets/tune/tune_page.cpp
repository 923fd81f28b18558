// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tune/tune_page.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/common/table_head.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_tune.h"
#include "widgets/models/search/tune_order.h"
#include "widgets/sweep/job_strip.h"
#include "widgets/tune/tune_plot.h"
#include "widgets/tune/tune_table_model.h"

namespace millrace {

TunePage::TunePage(const LiveTune& tune, QWidget* parent)
    : SearchPage("Progress of the tuning", parent),
      m_tune(tune),
      m_plot(new TunePlot(tune)),
      m_takeBest(namedButton("take_best", "Use the best", "check")),
      m_take(namedButton("take", "Use the selected one", "check")),
      m_model(new TuneTableModel(tune, this)) {
  setObjectName("tune_page");
  fillTable(m_model, "Settings tried", [this](int row) { return m_model->trialAt(row); });
  sizeColumns();
  m_finding->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_finding->setContentsMargins(14, 12, 6, 4);
  compose(buildPlot(), sideOf(m_finding, {m_takeBest, m_take}, m_plot->exportAction()),
          {840, 360, 440, 280});
  connect(m_takeBest, &QPushButton::clicked, this, [this] {
    if (m_tune.best()) take(*m_tune.best());
  });
  connect(m_take, &QPushButton::clicked, this, [this] {
    if (m_plot->chosen()) take(*m_plot->chosen());
  });
  refresh();
}

QWidget* TunePage::buildPlot() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 4, 12, 4);
  row->setSpacing(8);
  auto* label = new QLabel("Shown against");
  auto* cost = new QComboBox;
  cost->setObjectName("cost");
  cost->addItems({"memory", "cores"});
  label->setBuddy(cost);
  connect(cost, &QComboBox::currentIndexChanged, this,
          [this](int index) { m_plot->setCost(static_cast<TunePlot::Cost>(index)); });
  row->addWidget(label);
  row->addWidget(cost);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(m_plot, 1);
  connect(m_plot, &TunePlot::trialChosen, this, &TunePage::choose);
  connect(m_plot, &TunePlot::trialTaken, this, &TunePage::take);
  return box;
}

void TunePage::sizeColumns() {
  QHeaderView& head = *m_table->horizontalHeader();
  const int widths[] = {320, 120, 100, 100, 110, 100, 70, 70, 200, 60};
  for (int c = 0; c < TuneTableModel::kColumns; ++c)
    m_table->setColumnWidth(c, std::max(widths[c], leastTitleWidth(head, c)));
  head.setSectionResizeMode(TuneTableModel::State, QHeaderView::Stretch);
}

/// The state's column, which stretches, gives up to the settings what it does not need.
void TunePage::fitSettings() {
  const QHeaderView& head = *m_table->horizontalHeader();
  const QAbstractItemView& cells = *m_table;  // QTableView hides its width hints.
  const auto contentWidth = [&](int column) {
    return std::max(cells.sizeHintForColumn(column), leastTitleWidth(head, column));
  };
  const int spare =
      m_table->columnWidth(TuneTableModel::State) - contentWidth(TuneTableModel::State);
  const int own = m_table->columnWidth(TuneTableModel::Settings);
  const int lack = contentWidth(TuneTableModel::Settings) - own;
  if (spare > 0 && lack > 0)
    m_table->setColumnWidth(TuneTableModel::Settings, own + std::min(spare, lack));
}

void TunePage::choose(std::size_t trial) {
  m_plot->setChosen(trial);
  showRow(m_model->rowOf(trial));
  refreshButtons();
}

/// A setting that the pipeline already has is not an undo step.
void TunePage::take(std::size_t trial) {
  if (m_obstacle.isEmpty() && trial < m_tune.trials().size() && !m_tune.trials()[trial].failed())
    emit takeRequested(trial);
}

void TunePage::refresh() {
  m_model->refresh();
  // For the default goal the next columns show the same.
  const bool isRate = m_tune.goal() == TuneGoal::Throughput;
  m_table->setColumnHidden(TuneTableModel::Goal, isRate);
  // Only rates that are the goal are relative to the unmodified pipeline.
  m_table->setColumnHidden(TuneTableModel::Rate, !isRate);
  fitSettings();
  m_plot->refresh();
  showProgress();
  showEnd();
  showFinding();
  // Before the end it would hold on to a setting that another one overtakes.
  if (m_tune.state() == LiveTune::State::Over && !m_plot->chosen() && m_tune.best())
    choose(*m_tune.best());
  refreshButtons();
}

void TunePage::showProgress() {
  m_strip->setTitle(m_tune.title().isEmpty() ? QString("No tuning yet")
                                             : "Tuning " + m_tune.title());
  if (!m_tune.isGoing()) return m_strip->showIdle();
  m_strip->showBudget(m_tune.budgetSeconds(), m_tune.secondsLeft());
  QString words = shownCount(m_tune.measured(), "trial") + " done";
  if (m_tune.failed() > 0) words += ", " + shownCount(m_tune.failed(), "setting") + " failed";
  if (m_tune.replaced() > 0) words += QString(", %1 measured again").arg(m_tune.replaced());
  if (m_tune.state() == LiveTune::State::Preparing) words = "The engine is checking the pipeline";
  if (const QString step = m_tune.stepText(); !step.isEmpty()) words += "; " + step;
  m_strip->setWords(words);
}

void TunePage::showEnd() {
  const auto& end = m_tune.end();
  const bool over = m_tune.state() == LiveTune::State::Over && end.has_value();
  m_failed->say(over && end->kind == ChildEnd::Kind::Failed ? end->sentence : QString());
  if (!over) return;
  QString words = "Done";
  if (end->kind == ChildEnd::Kind::Stopped) words = "Stopped";
  if (end->kind == ChildEnd::Kind::Failed) words = "Ended early";
  words += ": " + shownCount(m_tune.measured(), "trial") + " of " +
           shownCount(static_cast<std::int64_t>(m_tune.trials().size()), "setting");
  if (m_tune.failed() > 0) words += QString(", %1 failed").arg(m_tune.failed());
  if (!m_tune.experiment().isEmpty()) words += QString("; kept as “%1”").arg(m_tune.experiment());
  m_strip->setWords(words);
}

void TunePage::showStopping() { m_strip->showStopping("Stopping; the best so far is kept"); }

QString TunePage::bestText(std::size_t best) const {
  const TunedTrial& trial = m_tune.trials()[best];
  QString html;
  if (trial.edits.empty()) html = "The unmodified pipeline";
  for (const Advice& edit : trial.edits) {
    html += (html.isEmpty() ? "" : "<br>") +
            (m_shownEdit ? m_shownEdit(edit) : toQt(edit.editText())).toHtmlEscaped();
    if (edit.changes != SampleChange::Nothing)
      html += QString(" (changes the %1 that training gets)").arg(toQt(nameOf(edit.changes)));
  }
  html = "<p>" + html + "</p>";
  html += "<p>";
  if (trial.goal && m_tune.goal() != TuneGoal::Throughput)
    html +=
        goalFigure(m_tune.goal()) + " <b>" + shownGoalValue(m_tune.goal(), *trial.goal) + "</b>, ";
  if (trial.rate) html += shownRate(*m_tune.rateOf(best)) + " samples/s";
  // The verdict contains a figure itself.
  if (trial.gain && best != 0 && m_tune.verdict().isEmpty())
    html += ", <b>" + shownChange(m_tune.shownGain(best).value_or(*trial.gain)) +
            "</b> in the measurements so far";
  return html + "</p>";
}

/// Why a setting that looks better is not the best.
QString TunePage::rivalText() const {
  const auto rival = m_tune.rivalOfBest();
  if (!rival) return {};
  const QString name =
      *rival == 0 ? QString("The unmodified pipeline") : m_tune.settingsOf(*rival).toHtmlEscaped();
  return QString(
             "</p><p>%1 looks as good or better with no more memory and cores. It was only %2, "
             "which cannot be told from chance. A longer budget can settle it.")
      .arg(name, m_tune.stateText(*rival));
}

QString TunePage::sureText(std::size_t best) const {
  if (m_tune.state() != LiveTune::State::Over)
    return best == 0 ? QString() : QString("How certain this is will be known at the end.");
  if (best != 0) return m_tune.verdict().toHtmlEscaped() + rivalText();
  const auto isMeasured = [](const TunedTrial& trial) { return trial.rate.has_value(); };
  if (std::ranges::count_if(m_tune.trials(), isMeasured) < 2)
    return "No other setting was measured.";
  const auto open = m_tune.unproven();
  if (!open) return "No tried setting is better than the unmodified pipeline.";
  return QString(
             "No tried setting is proven to be better than the unmodified pipeline. %1 was at "
             "<b>%2</b>, but was only %3. A longer budget can settle it.")
      .arg(m_tune.settingsOf(*open).toHtmlEscaped(), shownChange(*m_tune.shownGain(*open)),
           m_tune.stateText(*open));
}

void TunePage::showFinding() {
  QString html;
  if (!m_tune.limit().isEmpty()) html += "<p>" + richSentence(fromQt(m_tune.limit())) + "</p>";
  if (const auto best = m_tune.best()) {
    html += m_tune.state() == LiveTune::State::Over ? "<b>Best</b>" : "<b>Best so far</b>";
    html += bestText(*best) + "<p>" + sureText(*best) + "</p>";
  } else {
    html += "The best setting so far appears here after the first trial.";
  }
  if (!m_tune.stoppedBecause().isEmpty())
    html += "<p>It ended because " + m_tune.stoppedBecause().toHtmlEscaped() + ".</p>";
  for (const QString& each : m_tune.leftOut())
    html += "<p>Not tried: " + each.toHtmlEscaped() + "</p>";
  if (!m_tune.axes().isEmpty())
    html += "<p>What may change:<br>" +
            m_tune.axes().join('\n').toHtmlEscaped().replace('\n', "<br>") + "</p>";
  m_finding->setText(html);
}

void TunePage::refreshButtons() {
  const auto best = m_tune.best();
  const auto chosen = m_plot->chosen();
  const auto fits = [this](std::optional<std::size_t> trial) {
    return trial && *trial > 0 && !m_tune.trials()[*trial].failed() && m_obstacle.isEmpty();
  };
  const QString usual = "Applies it to the pipeline as one undo step";
  QString whyBest = m_obstacle;
  if (whyBest.isEmpty() && !fits(best))
    whyBest = "No setting is better than the unmodified pipeline yet.";
  m_takeBest->setEnabled(fits(best));
  m_takeBest->setToolTip(fits(best) ? usual : whyBest);
  QString why = m_obstacle;
  if (why.isEmpty() && !chosen) why = "Select a setting in the chart or the table first.";
  if (why.isEmpty() && !fits(chosen))
    why = "This is the unmodified pipeline, or a setting that fails.";
  m_take->setEnabled(fits(chosen));
  m_take->setToolTip(fits(chosen) ? usual : why);
  m_runs->setEnabled(!m_tune.experiment().isEmpty());
  m_copy->setEnabled(m_tune.state() != LiveTune::State::None);
  button("export")->setEnabled(!m_plot->shown().empty());
}

}  // namespace millrace
