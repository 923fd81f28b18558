// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/start_desk.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>
#include <QToolBar>

#include "app/workbench/document_docks.h"
#include "app/workbench/machine_words.h"
#include "app/workbench/run_desk.h"
#include "widgets/bridge/file_work.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"
#include "widgets/start/start_page.h"

namespace millrace {

namespace {

constexpr const char* kWantedKey = "start/show";

QString aboutMachine() {
  return QString("<b>%1.</b> Every example runs on this machine%2")
      .arg(machineWords(", "), firstGpuName().isEmpty() ? "; nodes set to auto use the CPU." : ".");
}

}  // namespace

StartDesk::StartDesk(QMainWindow& window, DocumentDocks& docks, const Catalog& catalog,
                     QSettings& settings, RunDesk& runs, Hooks hooks)
    : QObject(&window),
      m_window(window),
      m_docks(docks),
      m_catalog(catalog),
      m_settings(settings),
      m_runs(runs),
      m_hooks(std::move(hooks)),
      m_page(new StartPage(catalog)),
      m_stack(new QStackedWidget) {
  m_page->setMachineWords(aboutMachine());
  m_page->setShownAtStart(isWanted());
  connect(m_page, &StartPage::chooseFolderAsked, this, &StartDesk::chooseFolder);
  connect(m_page, &StartPage::openAsked, this, &StartDesk::open);
  connect(m_page, &StartPage::runAsked, this, &StartDesk::run);
  connect(m_page, &StartPage::newAsked, this, &StartDesk::leaveForNew);
  connect(m_page, &StartPage::openFileAsked, this, [this] { m_hooks.chooseFile(); });
  connect(m_page, &StartPage::fileAsked, this, [this](const QString& file) { m_hooks.open(file); });
  connect(m_page, &StartPage::shownAtStartChanged, this,
          [this](bool shown) { m_settings.setValue(kWantedKey, shown); });
  connect(&m_look, &FolderLook::found, this, &StartDesk::takeFolder);
}

QWidget* StartDesk::around(QWidget* documents) {
  m_stack->addWidget(documents);
  m_stack->addWidget(m_page);
  return m_stack;
}

bool StartDesk::isShown() const { return m_stack->currentWidget() == m_page; }

bool StartDesk::isWanted() const { return m_settings.value(kWantedKey, true).toBool(); }

void StartDesk::show() {
  if (isShown()) return;
  m_docks.putAway();
  m_bars.clear();
  for (QToolBar* bar : m_window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (bar->isHidden()) continue;
    m_bars << bar;
    bar->hide();
  }
  m_page->setRecent(m_settings.value("recent").toStringList());
  m_page->setMeasureWords(shownMeasure(m_runs.measure()));
  m_stack->setCurrentWidget(m_page);
  m_window.setWindowTitle("Millrace");
  emit changed();
}

void StartDesk::leave() {
  if (!isShown()) return;
  m_stack->setCurrentIndex(0);
  for (const QPointer<QToolBar>& bar : std::as_const(m_bars))
    if (bar) bar->show();
  m_docks.bringBack();
  emit changed();
}

void StartDesk::leaveForNew() {
  leave();
  if (!m_hooks.nothingOpen()) m_hooks.newPage();
}

void StartDesk::refresh() {
  if (isShown() && !m_hooks.nothingOpen()) leave();
}

void StartDesk::open(const StartOffer& offer) {
  leave();
  PipelinePage* page = m_hooks.openText(offer.text, offer.name);
  if (page != nullptr) page->view().setFocus();
  if (page != nullptr && offer.isOwn && !offer.description.isEmpty()) page->say(offer.description);
}

void StartDesk::run(const StartOffer& offer) {
  leave();
  m_toRun = m_hooks.openText(offer.text, offer.name);
  if (!m_toRun) return;
  // What was pressed has gone: keys are for what is there now.
  m_toRun->view().setFocus();
  connect(&m_toRun->session().check, &BackgroundCheck::finished, this, &StartDesk::runWhenChecked);
  runWhenChecked();
}

void StartDesk::runWhenChecked() {
  if (!m_toRun || !m_toRun->session().check.isCurrent()) return;
  disconnect(&m_toRun->session().check, nullptr, this, nullptr);
  m_toRun.clear();
  m_runs.run();
}

bool StartDesk::isData(const QString& path) {
  const QFileInfo file(path);
  if (file.isDir()) return true;
  // Pipelines are JSON too; one JSON file alone can stand for data, the list of a set's shards.
  const bool mayBeData = !path.endsWith(".json") || file.fileName() == "index.json";
  return mayBeData && file.isFile() && lookAt(pathOf(path)).layout != DataLayout::Unknown;
}

void StartDesk::propose(const QString& path) {
  if (isShown())
    m_page->offerFolder(path);
  else
    m_look.look(path);
}

void StartDesk::chooseFolder() {
  withStartFolder(*this, {}, [this](const QString& start) {
    const QString folder = askFolder(&m_window, "Your own data", start);
    if (!folder.isEmpty()) propose(folder);
  });
}

void StartDesk::takeFolder(const QString& folder, const FolderContent& content) {
  const auto offer = ownOffer(folder, content, m_catalog);
  if (!offer) {
    m_hooks.tell(folder, toQt(offer.error().message));
    return;
  }
  PipelinePage* page = m_hooks.openText(offer->text, offer->name);
  if (page != nullptr) page->say((offer->data + ' ' + offer->description).trimmed());
}

}  // namespace millrace
