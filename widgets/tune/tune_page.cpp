// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tune/tune_page.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>

#include "core/base/text.h"
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
    : QWidget(parent),
      m_tune(tune),
      m_strip(new JobStrip("Progress of the tuning")),
      m_failed(new NoteStrip("error")),
      m_said(new NoteStrip("info")),
      m_plot(new TunePlot(tune)),
      m_finding(plainLabel()),
      m_takeBest(namedButton("take_best", "Use the best", "check")),
      m_take(namedButton("take", "Use the selected one", "check")),
      m_runs(namedButton("runs", "Show its runs", "runs")),
      m_copy(namedButton("copy", "Copy as command", "copy")),
      m_table(new QTableView),
      m_model(new TuneTableModel(tune, this)) {
  setObjectName("tune_page");
  // Tabs request the size of the largest one among them.
  setMinimumSize(400, 200);
  buildTable();
  auto* top = new QSplitter;
  top->addWidget(buildPlot());
  top->addWidget(buildSide());
  top->setStretchFactor(0, 1);
  top->setSizes({840, 360});
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(top);
  both->addWidget(m_table);
  both->setSizes({440, 280});
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_strip);
  column->addWidget(m_failed);
  column->addWidget(m_said);
  column->addWidget(both, 1);
  connect(m_said->addButton("Close"), &QPushButton::clicked, m_said, &QFrame::hide);
  connect(m_strip, &JobStrip::stopRequested, this, &TunePage::stopRequested);
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

QWidget* TunePage::buildSide() {
  auto* side = new QWidget;
  auto* all = new QVBoxLayout(side);
  all->setContentsMargins(0, 0, 12, 12);
  auto* scroll = new QScrollArea;
  m_finding->setWordWrap(true);
  m_finding->setTextFormat(Qt::RichText);
  m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_finding->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_finding->setContentsMargins(14, 12, 6, 4);
  scroll->setWidget(m_finding);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  all->addWidget(scroll, 1);
  auto* buttons = new QVBoxLayout;
  buttons->setContentsMargins(14, 0, 0, 0);
  buttons->setSpacing(8);
  all->addLayout(buttons);
  m_takeBest->setProperty("primary", true);
  m_takeBest->setIcon(icon("check", Tone::AccentText));
  auto* exporting = namedButton("export", "Export chart…", "export");
  for (QPushButton* button : {m_takeBest, m_take, m_runs, m_copy, exporting})
    buttons->addWidget(button);
  connect(m_takeBest, &QPushButton::clicked, this, [this] {
    if (m_tune.best()) take(*m_tune.best());
  });
  connect(m_take, &QPushButton::clicked, this, [this] {
    if (m_plot->chosen()) take(*m_plot->chosen());
  });
  connect(m_runs, &QPushButton::clicked, this, &TunePage::runsRequested);
  connect(m_copy, &QPushButton::clicked, this, &TunePage::commandRequested);
  connect(exporting, &QPushButton::clicked, m_plot->exportAction(), &QAction::trigger);
  return side;
}

void TunePage::buildTable() {
  m_table->setModel(m_model);
  m_table->setAccessibleName("Settings tried");
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->setTabKeyNavigation(false);
  m_table->setWordWrap(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(28);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->setStyleSheet("QTableView::item { padding: 0 8px; border: none; }");
  QHeaderView& head = *m_table->horizontalHeader();
  wrapTitles(head);
  const int widths[] = {320, 120, 100, 110, 100, 70, 70, 200, 60};
  for (int c = 0; c < TuneTableModel::kColumns; ++c)
    m_table->setColumnWidth(c, std::max(widths[c], leastTitleWidth(head, c)));
  head.setSectionResizeMode(TuneTableModel::State, QHeaderView::Stretch);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (current.isValid()) choose(m_model->trialAt(current.row()));
          });
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (index.isValid()) take(m_model->trialAt(index.row()));
  });
}

void TunePage::choose(std::size_t trial) {
  m_plot->setChosen(trial);
  const int row = m_model->rowOf(trial);
  if (row >= 0 && m_table->currentIndex().row() != row)
    m_table->setCurrentIndex(m_model->index(row, 0));
  refreshButtons();
}

/// A setting that the pipeline already has is not an undo step.
void TunePage::take(std::size_t trial) {
  if (m_obstacle.isEmpty() && trial < m_tune.trials().size() && !m_tune.trials()[trial].failed())
    emit takeRequested(trial);
}

void TunePage::refresh() {
  m_model->refresh();
  // For the default goal the next column shows the same.
  m_table->setColumnHidden(TuneTableModel::Goal, m_tune.goal() == TuneGoal::Throughput);
  m_plot->refresh();
  showProgress();
  showEnd();
  showFinding();
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
    html += ", <b>" + shownChange(*trial.gain) + "</b> in the measurements so far";
  return html + "</p>";
}

QString TunePage::sureText(std::size_t best) const {
  if (m_tune.state() != LiveTune::State::Over)
    return best == 0 ? QString() : QString("How certain this is will be known at the end.");
  if (best != 0) return m_tune.verdict().toHtmlEscaped();
  const auto open = m_tune.unproven();
  if (!open) return "No tried setting is better than the unmodified pipeline.";
  return QString(
             "No tried setting is proven to be better than the unmodified pipeline. %1 was at "
             "<b>%2</b>, but was only %3. A longer budget can settle it.")
      .arg(m_tune.settingsOf(*open).toHtmlEscaped(), shownChange(*m_tune.trials()[*open].gain),
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

void TunePage::setTakeObstacle(const QString& sentence) {
  m_obstacle = sentence;
  refreshButtons();
}

void TunePage::say(const QString& sentence) { m_said->say(sentence); }
QString TunePage::words() const { return m_strip->words(); }
QString TunePage::leftText() const { return m_strip->leftText(); }
QString TunePage::findingText() const { return m_finding->text(); }
QString TunePage::saidText() const { return m_said->words(); }

}  // namespace millrace
