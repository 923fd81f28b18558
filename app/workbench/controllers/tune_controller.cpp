// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/tune_controller.h"

#include <algorithm>

#include <QAction>
#include <QMainWindow>
#include <QSettings>

#include "core/store/run_store.h"
#include "core/tune/advice_edit.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/advice_edits.h"
#include "widgets/tune/tune_dialog.h"
#include "widgets/tune/tune_page.h"
#include "widgets/tune/tune_plot.h"

namespace millrace {

namespace {

// A trial gets three seconds to stop, and then the outcome is written.
constexpr EngineChild::Patience kPatience{8000, 4000};

/// The document with all edits of a setting.
Result<Graph> edited(const Document& document, const std::vector<Advice>& edits) {
  Result<Graph> graph = document.graph();
  for (const Advice& edit : edits)
    if (graph) graph = applyAdvice(graph.take(), document.catalog(), edit);
  if (graph && *graph == document.graph()) return Error{"the pipeline already has these settings"};
  return graph;
}

}  // namespace

TuneController::TuneController(const Place& place)
    : SearchController(place, {"tune", "tuning", "Tuning", "&Tune: find the best settings…",
                               "Show the tunin&g", "Ctrl+Shift+T"}),
      m_store(defaultStorePath()),
      m_page(new TunePage(m_tune)) {
  connect(&askAction(), &QAction::triggered, this, &TuneController::ask);
  job().setPatience(kPatience);
  connect(m_page, &TunePage::stopRequested, this, &TuneController::stop);
  connect(m_page, &TunePage::takeRequested, this, &TuneController::take);
  connect(m_page, &TunePage::commandRequested, this, [this] { copy(m_order, searched()); });
  connect(m_page, &TunePage::runsRequested, this,
          [this] { emit runsRequested(m_tune.experiment()); });
  m_page->setEditText([this](const Advice& edit) {
    if (searched() == nullptr) return toQt(edit.editText());
    const Document& document = searched()->session().document;
    return shownEdit(document.graph(), document.catalog(), edit);
  });
}

TuneController::~TuneController() { delete m_page; }

QWidget& TuneController::view() { return *m_page; }

QWidget& TuneController::plot() { return m_page->plot(); }

void TuneController::say(const QString& sentence) { m_page->say(sentence); }

void TuneController::showNewsInView(bool stopping) {
  m_page->refresh();
  if (stopping) m_page->showStopping();
}

void TuneController::setObstacles(const QString& begin, const QString& take) {
  if (m_dialog) m_dialog->setObstacle(begin);
  m_page->setTakeObstacle(take);
}

TuneOrder TuneController::usualOrder() const {
  TuneOrder order;
  order.budgetSeconds =
      std::clamp(place().settings.value("tune/budget", 120.0).toDouble(), 5.0, 86400.0);
  order.memoryBytes = std::max<qint64>(0, place().settings.value("tune/memory", 0).toLongLong());
  return order;
}

void TuneController::keepUsual(const TuneOrder& order) {
  place().settings.setValue("tune/budget", order.budgetSeconds);
  place().settings.setValue("tune/memory", static_cast<qlonglong>(order.memoryBytes));
}

void TuneController::openDialog(PipelinePage& page) {
  Document& document = page.session().document;
  if (m_dialog && &m_dialog->document() == &document) return;
  delete m_dialog;
  m_dialog = new TuneDialog(document, usualOrder(), &place().window);
  // The document is deleted with its page, and the dialog with it.
  connect(&document, &QObject::destroyed, m_dialog, [dialog = m_dialog] { delete dialog; });
  const QPointer<PipelinePage> asked(&page);
  connect(m_dialog, &TuneDialog::startRequested, this, [this, asked](const TuneOrder& order) {
    keepUsual(order);
    m_dialog->hide();
    if (asked) start(*asked, order);
  });
  connect(m_dialog, &TuneDialog::commandRequested, this,
          [this, asked](const TuneOrder& order) { copy(order, asked); });
}

void TuneController::ask() {
  PipelinePage* page = front();
  if (page == nullptr) return;
  openDialog(*page);
  present(*m_dialog, *page);
}

void TuneController::start(PipelinePage& page, const TuneOrder& order) {
  if (!mayBegin(page)) return;
  const Document& document = page.session().document;
  m_order = order;
  m_tune.begin(document.title(), order.budgetSeconds,
               SettingNames(document.graph(), document.catalog()));
  m_page->say({});
  m_page->plot().setChosen({});
  begin(page, {"tune", "The tuning", document.text(), document.title(), document.base(),
               order.flags() + QStringList{"--store", fileText(m_store)}});
}

void TuneController::take(std::size_t trial) {
  if (searched() == nullptr || trial >= m_tune.trials().size()) return;
  const Document& document = searched()->session().document;
  const std::vector<Advice>& edits = m_tune.trials()[trial].edits;
  QStringList changes;
  for (const Advice& edit : edits) changes << shownEdit(document.graph(), document.catalog(), edit);
  takeIn(edited(document, edits), changes);
}

void TuneController::copy(const TuneOrder& order, PipelinePage* page) {
  copyCommand(page, [&](const QString& file) { return order.command(file); });
}

TuneDialog* TuneController::dialog() const { return m_dialog; }

}  // namespace millrace
