// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/runs_page.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/models/pipeline_title.h"
#include "widgets/runs/columns_popup.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/saved_views.h"
#include "widgets/runs/store_import.h"

namespace millrace {

namespace {

constexpr int kBaselineText = 240;
constexpr int kMenuText = 480;
constexpr int kWatchMs = 2000;

QToolButton* barButton(const QString& text, const QString& iconName, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setIcon(icon(iconName));
  button->setToolButtonStyle(iconName.isEmpty() ? Qt::ToolButtonTextOnly
                                                : Qt::ToolButtonTextBesideIcon);
  button->setToolTip(tip);
  button->setProperty("framed", true);
  return button;
}

QString runText(const RunSummary& run) {
  return QString("%1 %2")
      .arg(static_cast<std::int64_t>(run.number))
      .arg(run.name.empty() ? shownPipeline(run.pipelineName) : toQt(singleLine(run.name)));
}

}  // namespace

RunsPage::RunsPage(StoreThread& store, const Catalog& catalog, QSettings& settings,
                   const QStringList& usualColumns, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_catalog(catalog),
      m_settings(settings),
      m_usualColumns(usualColumns),
      m_model(new RunTableModel(store, catalog, this)),
      m_view(new RunTableView(*m_model)),
      m_query(new QueryLine),
      m_mistake(new QLabel),
      m_count(new QLabel),
      m_chosenCount(new QLabel),
      m_baseline(barButton({}, "pin", "The run that the others are compared with")),
      m_baselineMenu(new QMenu(this)),
      m_columns(barButton("Columns", "columns", "Choose what the table shows")),
      m_columnsPopup(new ColumnsPopup(this)),
      m_saved(new SavedViews(settings, this)),
      m_views(barButton("Views", "eye", "Query, columns and order, saved under a name")),
      m_bar(new QWidget) {
  buildActions();
  buildBar();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_bar);
  m_mistake->setContentsMargins(14, 0, 12, 6);
  m_mistake->setWordWrap(true);
  m_mistake->setTextFormat(Qt::RichText);
  m_mistake->setProperty("role", "mistake");
  m_mistake->hide();
  column->addWidget(m_mistake);
  buildNotes();
  for (NoteStrip* note : {m_problemNote, m_saidNote, m_progressNote}) column->addWidget(note);
  buildTable();
  column->addLayout(m_stack, 1);
  column->addWidget(m_caption);
  connect(m_model, &RunTableModel::listed, this, &RunsPage::showListing);
  connect(m_model, &RunTableModel::failed, this, &RunsPage::showProblem);
  connect(m_query, &QueryLine::queryChanged, this, [this](const QString& query) {
    RunListRequest request = m_model->listRequest();
    request.query = query;
    m_model->setRequest(request);
  });
  connect(m_query, &QueryLine::shownMistakeChanged, this, [this] {
    const auto& mistake = m_query->shownMistake();
    if (mistake) m_mistake->setText(richSentence(singleLine(mistake->message)));
    m_mistake->setVisible(mistake.has_value());
  });
  m_watch.setInterval(kWatchMs);
  connect(&m_watch, &QTimer::timeout, this, &RunsPage::checkStore);
  noteTrace();
  m_model->setRequest(firstRequest());
  action("group")->setChecked(m_model->listRequest().grouped);
  refreshActions();
}

RunsPage::~RunsPage() {
  // The query line is deleted after this, and reports a change while it is.
  m_query->disconnect(this);
  // Deleted runs can be restored for a while, also by `millrace runs restore`.
  if (m_hidAny)
    m_store.change(
        nullptr,
        [](RunStore& store) -> Status {
          const auto removed = store.removeExpired();
          return removed.ok() ? Status() : Status(removed.error());
        },
        [](const QString&) {});
}

RunListRequest RunsPage::firstRequest() const {
  RunListRequest request;
  request.columns = m_settings.value("runs/columns", m_usualColumns).toStringList();
  if (request.columns.isEmpty()) request.columns = m_usualColumns;
  request.sortedBy = m_settings.value("runs/sorted_by").toString();
  request.descending = m_settings.value("runs/descending", true).toBool();
  request.grouped = m_settings.value("runs/grouped", false).toBool();
  for (const QString& pin : m_settings.value("runs/pins").toStringList())
    request.pins.push_back(RunNumber{pin.toLongLong()});
  return request;
}

void RunsPage::keepRequest() {
  const RunListRequest& request = m_model->listRequest();
  m_settings.setValue("runs/columns", request.columns);
  m_settings.setValue("runs/sorted_by", request.sortedBy);
  m_settings.setValue("runs/descending", request.descending);
  m_settings.setValue("runs/grouped", request.grouped);
  QStringList pins;
  for (const RunNumber pin : request.pins) pins << QString::number(static_cast<std::int64_t>(pin));
  m_settings.setValue("runs/pins", pins);
}

void RunsPage::buildNotes() {
  m_problemNote = new NoteStrip("error");
  connect(m_problemNote->addButton("Try again"), &QPushButton::clicked, this, [this] {
    m_problemNote->say({});
    readAgain();
  });
  connect(m_problemNote->addButton("Choose another store…"), &QPushButton::clicked, this,
          &RunsPage::chooseStore);
  m_saidNote = new NoteStrip("info");
  m_saidUndo = m_saidNote->addButton("Undo");
  connect(m_saidUndo, &QPushButton::clicked, &m_undo, &QUndoStack::undo);
  connect(m_saidNote->addButton("Close"), &QPushButton::clicked, m_saidNote, &QFrame::hide);
  m_progressNote = new NoteStrip("info");
  m_progress = new QProgressBar;
  m_progress->setMaximumWidth(300);
  m_progressNote->addWidget(m_progress);
  connect(m_progressNote->addButton("Stop"), &QPushButton::clicked, this, [this] {
    if (m_import != nullptr) m_import->stop();
  });
}

void RunsPage::buildTable() {
  m_empty = new QWidget;
  m_empty->setAutoFillBackground(true);
  m_empty->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(m_empty);
  column->addStretch();
  auto* mark = new IconMark("runs", Tone::Hint, 26);
  m_emptyTitle = new QLabel;
  m_emptyTitle->setFont(uiFont(15, true));
  m_emptyText = new QLabel;
  m_emptyText->setProperty("role", "second");
  m_emptyText->setWordWrap(true);
  m_emptyButton = new QPushButton;
  column->addWidget(mark, 0, Qt::AlignHCenter);
  for (QLabel* label : {m_emptyTitle, m_emptyText}) {
    label->setAlignment(Qt::AlignCenter);
    column->addWidget(label);
  }
  column->addWidget(m_emptyButton, 0, Qt::AlignHCenter);
  column->addStretch();
  m_stack = new QStackedLayout;
  m_stack->addWidget(m_view);
  m_stack->addWidget(m_empty);
  m_caption = new QLabel;
  m_caption->setProperty("role", "second");
  m_caption->setContentsMargins(14, 5, 12, 5);
  m_caption->setWordWrap(true);
  connect(m_emptyButton, &QPushButton::clicked, this, [this] {
    if (m_model->listing().all > 0)
      m_query->clear();
    else
      chooseImport();
  });
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_view, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
    QMenu::exec(m_menuActions, m_view->viewport()->mapToGlobal(at), nullptr, this);
  });
  connect(m_view, &RunTableView::openRequested, this, &RunsPage::openRequested);
  connect(m_view, &RunTableView::measureRequested, this, [this](RunNumber run) {
    if (const auto& baseline = m_model->listing().baseline)
      emit measureRequested(baseline->number, run);
  });
  m_view->setChosenWidths(m_settings.value("runs/widths").toMap());
  connect(m_view, &RunTableView::widthsChosen, this,
          [this](const QVariantMap& widths) { m_settings.setValue("runs/widths", widths); });
  connect(m_view, &RunTableView::chosenChanged, this, [this] {
    m_model->setCompared(m_view->chosen().size() > 1 ? m_view->chosen() : std::vector<RunNumber>());
    refreshActions();
    emit chosenChanged();
  });
  connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
          &RunsPage::keepRequest);
}

void RunsPage::showListing() {
  const RunListing& listing = m_model->listing();
  m_query->setMistake(listing.mistake);
  if (listing.mistake) return;
  QStringList names;
  for (const std::string& name : fieldNames(listing.vocabulary)) names << toQt(name);
  m_query->setNames(names);
  if (listing.unreadable > 0)
    showProblem(QString("%1 of the runs cannot be read and are left out: %2")
                    .arg(listing.unreadable)
                    .arg(sentence(fromQt(listing.damage))));
  m_count->setText(countText());
  const auto& baseline = listing.baseline;
  const QString base = baseline ? "Baseline: " + runText(*baseline) : QString("No baseline");
  // The query matters more than a long name.
  m_baseline->setText(m_baseline->fontMetrics().elidedText(base, Qt::ElideMiddle, kBaselineText));
  m_baseline->setToolTip(base);
  const int all = static_cast<int>(runColumnIds(listing.vocabulary).size());
  m_columns->setText(QString("Columns %1 of %2").arg(listing.columns.size()).arg(all));
  m_caption->setText(
      baseline ? "Verdicts use undisturbed repeats, at least 3 of each run, and the "
                 "spread between sessions. Pinned runs always stay at the top."
               : "Select a run and make it the baseline. The others then get a change and a "
                 "verdict relative to it.");
  showState();
  refreshActions();
  emit counted(countText());
}

void RunsPage::showState() {
  const RunListing& listing = m_model->listing();
  const bool none = m_model->rowCount() == 0;
  m_stack->setCurrentWidget(none ? m_empty : static_cast<QWidget*>(m_view));
  if (!none) return;
  const bool filtered = listing.all > 0;
  m_emptyTitle->setText(filtered ? "No run matches" : "No runs yet");
  m_emptyText->setText(filtered ? QString("None of the %1 runs matches the query.").arg(listing.all)
                                : QString("Press F5 in a pipeline to run it."));
  m_emptyButton->setText(filtered ? "Clear the query" : "Import runs…");
  // If the store cannot be read, the note above reports it; the store is not empty.
  for (QWidget* part : {static_cast<QWidget*>(m_emptyTitle), static_cast<QWidget*>(m_emptyText),
                        static_cast<QWidget*>(m_emptyButton)})
    part->setVisible(m_problemNote->isHidden());
}

QString RunsPage::countText() const {
  const RunListing& listing = m_model->listing();
  if (listing.matching == listing.all) return shownCount(listing.all, "run");
  return QString("%1 of %2 runs").arg(shownNumber(listing.matching), shownNumber(listing.all));
}

void RunsPage::showProblem(const QString& sentence) {
  m_problemNote->say(sentence);
  showState();
}

QString RunsPage::problem() const { return m_problemNote->words(); }

void RunsPage::say(const QString& sentence) {
  m_saidUndo->setVisible(m_undo.canUndo() && sentence.contains("deleted"));
  m_saidNote->say(sentence);
  emit said(sentence);
}

void RunsPage::fillBaselines() {
  m_baselineMenu->clear();
  const RunListing& listing = m_model->listing();
  const auto choose = [this](std::optional<RunNumber> run, bool none) {
    RunListRequest request = m_model->listRequest();
    request.baseline = run;
    request.noBaseline = none;
    m_model->setRequest(request);
  };
  m_baselineMenu->addAction(action("baseline"));
  m_baselineMenu->addSeparator();
  for (const RunSummary& run : listing.baselines) {
    QAction* entry = m_baselineMenu->addAction(
        m_baselineMenu->fontMetrics().elidedText(runText(run), Qt::ElideMiddle, kMenuText) +
            "  ·  " + toQt(singleLine(run.experiment)),
        this, [choose, number = run.number] { choose(number, false); });
    entry->setCheckable(true);
    entry->setChecked(listing.baseline && listing.baseline->number == run.number);
  }
  QAction* none = m_baselineMenu->addAction("No baseline", this, [choose] { choose({}, true); });
  none->setCheckable(true);
  none->setChecked(!listing.baseline);
}

void RunsPage::openColumns() {
  const RunListing& listing = m_model->listing();
  std::vector<ColumnsPopup::Entry> entries = {
      {kVariedSettings, "Settings that differ in the listed runs"}};
  for (const QString& id : runColumnIds(listing.vocabulary))
    if (const auto column = runColumn(id, listing.vocabulary, m_catalog))
      entries.push_back({id, column->title});
  m_columnsPopup->open(entries, m_model->listRequest().columns,
                       m_columns->mapToGlobal(QPoint(0, m_columns->height() + 2)));
}

/// Taken before the runs are read, so that later changes are noticed.
void RunsPage::noteTrace() {
  m_store.trace(this, [this](const QString& trace) { m_seen = trace; });
}

void RunsPage::readAgain() {
  noteTrace();
  m_model->reload();
}

void RunsPage::checkStore() {
  if (m_looking) return;
  m_looking = true;
  m_store.trace(this, [this](const QString& trace) {
    m_looking = false;
    if (trace == m_seen || m_view->isEditing() || m_model->isLoading()) return;
    m_seen = trace;
    m_model->reload();
  });
}

void RunsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  checkStore();
  m_watch.start();
}

void RunsPage::resizeEvent(QResizeEvent* event) {
  fitBar();
  QWidget::resizeEvent(event);
}

void RunsPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_watch.stop();
}

}  // namespace millrace
