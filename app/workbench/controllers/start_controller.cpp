// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/start_controller.h"

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimer>
#include <QToolBar>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/machine_text.h"
#include "widgets/bridge/file_work.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"
#include "widgets/start/data_choice.h"
#include "widgets/start/start_page.h"

namespace millrace {

namespace {

constexpr const char* kWantedKey = "start/show";

QString aboutMachine() {
  return QString("<b>%1.</b> Every example runs on this machine%2")
      .arg(machineText(", "), firstGpuName().isEmpty() ? "; nodes set to auto use the CPU." : ".");
}

}  // namespace

StartController::StartController(QMainWindow& window, DocumentDocks& docks, const Catalog& catalog,
                                 QSettings& settings, RunController& runs, Hooks hooks)
    : QObject(&window),
      m_window(window),
      m_docks(docks),
      m_catalog(catalog),
      m_settings(settings),
      m_runs(runs),
      m_hooks(std::move(hooks)),
      m_page(new StartPage(catalog)),
      m_runKeys(new QShortcut(m_page)),
      m_stack(new QStackedWidget) {
  m_page->setMachineText(aboutMachine());
  m_page->setShownAtStart(isWanted());
  connect(m_page, &StartPage::chooseFolderRequested, this, &StartController::chooseFolder);
  connect(m_page, &StartPage::openRequested, this, &StartController::open);
  connect(m_page, &StartPage::examineRequested, this, [this](const StartOffer& offer) {
    open(offer);
    emit examineRequested();
  });
  connect(m_page, &StartPage::runRequested, this, &StartController::run);
  connect(m_page, &StartPage::severalFound, this, &StartController::askWhich);
  connect(m_runKeys, &QShortcut::activated, m_page, &StartPage::run);
  connect(m_page, &StartPage::newRequested, this, &StartController::leaveForNew);
  connect(m_page, &StartPage::openFileRequested, this, [this] { m_hooks.chooseFile(); });
  connect(m_page, &StartPage::importRequested, this, [this] { m_hooks.openLoader(); });
  connect(m_page, &StartPage::fileRequested, this, [this](const QString& file) {
    m_hooks.closeTab(m_page);
    m_hooks.open(file);
  });
  connect(m_page, &StartPage::shownAtStartChanged, this,
          [this](bool shown) { m_settings.setValue(kWantedKey, shown); });
  connect(&m_scan, &FolderScan::found, this, &StartController::takeFolder);
}

QWidget* StartController::around(QWidget* documents) {
  m_stack->addWidget(documents);
  m_stack->addWidget(m_page);
  return m_stack;
}

bool StartController::isShown() const { return m_stack->currentWidget() == m_page; }

bool StartController::isWanted() const { return m_settings.value(kWantedKey, true).toBool(); }

/// What may have changed since the page was shown last.
void StartController::prepare() {
  if (const auto* action = m_window.findChild<QAction*>("action_run"))
    m_runKeys->setKeys(action->shortcuts());
  m_page->setRecent(m_settings.value("recent").toStringList());
  m_page->setMeasureText(shownMeasure(m_runs.measure()));
}

void StartController::showBesideDocuments() {
  if (m_hooks.nothingOpen()) return show();
  prepare();
  m_hooks.showTab(m_page, "Start");
  m_page->setFocus();
}

void StartController::show() {
  if (isShown()) return;
  m_hooks.closeTab(m_page);
  m_stack->addWidget(m_page);
  m_docks.putAway();
  m_bars.clear();
  for (QToolBar* bar : m_window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (bar->isHidden()) continue;
    m_bars << bar;
    bar->hide();
  }
  prepare();
  m_stack->setCurrentWidget(m_page);
  m_page->setFocus();
  m_window.setWindowTitle("Millrace");
  emit changed();
}

void StartController::leave() {
  if (!isShown()) return;
  m_stack->setCurrentIndex(0);
  for (const QPointer<QToolBar>& bar : std::as_const(m_bars))
    if (bar) bar->show();
  m_docks.bringBack();
  emit changed();
}

void StartController::close() {
  leave();
  m_hooks.closeTab(m_page);
}

void StartController::leaveForNew() {
  close();
  if (!m_hooks.nothingOpen()) m_hooks.newPage();
}

void StartController::refresh() {
  if (isShown() && !m_hooks.nothingOpen()) leave();
}

void StartController::open(const StartOffer& offer) {
  close();
  PipelinePage* page = m_hooks.openText(offer.text, offer.name, offer.isOwn);
  if (page != nullptr) page->view().setFocus();
  if (page != nullptr && offer.isOwn && !offer.description.isEmpty()) page->say(offer.description);
}

void StartController::run(const StartOffer& offer) {
  close();
  m_toRun = m_hooks.openText(offer.text, offer.name, offer.isOwn);
  if (!m_toRun) return;
  // The pressed button is gone, so the keyboard focus moves to what is there now.
  m_toRun->view().setFocus();
  connect(&m_toRun->session().check, &BackgroundCheck::finished, this,
          &StartController::runWhenChecked);
  runWhenChecked();
}

void StartController::runWhenChecked() {
  if (!m_toRun || !m_toRun->session().check.isCurrent()) return;
  disconnect(&m_toRun->session().check, nullptr, this, nullptr);
  m_toRun.clear();
  m_runs.run();
}

bool StartController::isData(const QString& path) {
  const QFileInfo file(path);
  if (file.isDir()) return true;
  // Pipelines are JSON, too. The only JSON file that can be data is index.json, which lists shards.
  const bool mayBeData = !path.endsWith(".json") || file.fileName() == "index.json";
  return mayBeData && file.isFile() && detectContent(pathOf(path)).layout != DataLayout::Unknown;
}

void StartController::propose(const QString& path) {
  if (m_page->isVisible())
    m_page->offerFolder(path);
  else
    m_scan.scan(path);
}

void StartController::chooseFolder() {
  withStartFolder(*this, {}, [this](const QString& start) {
    const QString folder = askFolder(&m_window, "Choose your data", start);
    if (!folder.isEmpty()) propose(folder);
  });
}

void StartController::takeFolder(const QString& folder, const FolderContent& content) {
  const auto offer = ownOffer(folder, content, m_catalog);
  if (!offer && !content.below.empty()) return askWhich(folder, content);
  if (!offer) {
    m_hooks.warn(folder, toQt(offer.error().message));
    return;
  }
  PipelinePage* page = m_hooks.openText(offer->text, offer->name, offer->isOwn);
  if (page != nullptr) page->say((offer->data + ' ' + offer->description).trimmed());
}

void StartController::askWhich(const QString& folder, const FolderContent& content) {
  auto* choice = new DataChoice(folder, content, &m_window);
  connect(choice, &DataChoice::chosen, this, &StartController::propose);
  choice->open();
}

}  // namespace millrace
