// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/loader_controller.h"

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QTabWidget>

#include "app/workbench/dialogs/loader_dialog.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/store/run_store.h"
#include "widgets/bridge/file_work.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/loader/loader_page.h"
#include "widgets/loader/translation_view.h"
#include "widgets/models/code_trust.h"

namespace millrace {

namespace {

constexpr const char* kPythonKey = "loader/python";
// A repeat gets three seconds to end the user's processes, and then the outcome is written.
constexpr EngineChild::Patience kLoaderPatience{8000, 4000};

/// The user's code that a pipeline's file calls. Touches files.
auto codeIn(const std::filesystem::path& pipeline) {
  const ReadGraph read = readGraph(pipeline, builtinCatalog());
  return withDigests(
      userCode(read.graph.value_or(Graph()), builtinCatalog(), pipeline.parent_path()));
}

/// Next to the Python file, and not there yet.
QString freeOutput(const QString& python) {
  const QString stem = QFileInfo(python).path() + '/' + QFileInfo(python).completeBaseName();
  QString output = stem + ".millrace.json";
  for (int i = 2; QFileInfo::exists(output); ++i)
    output = QString("%1_%2.millrace.json").arg(stem).arg(i);
  return output;
}

}  // namespace

LoaderController::LoaderController(const Place& place, Hooks hooks)
    : SearchController(place, {"loader", "measurement of the loader", "Loader",
                               "Open a Python &loader…", "Show the l&oader", ""}),
      m_hooks(std::move(hooks)),
      m_store(defaultStorePath()),
      m_page(new LoaderPage(m_live)),
      m_translate(new QAction("Translate the loader &into a pipeline", this)) {
  m_translate->setObjectName("action_translate_loader");
  m_translate->setEnabled(false);
  job().setPatience(kLoaderPatience);
  connect(&askAction(), &QAction::triggered, this, [this] { ask({}); });
  connect(m_translate, &QAction::triggered, this, &LoaderController::translate);
  connect(m_page, &LoaderPage::measureRequested, this, &LoaderController::measure);
  connect(m_page, &LoaderPage::stopRequested, this, &LoaderController::stopAll);
  connect(m_page, &LoaderPage::translateRequested, this, &LoaderController::translate);
  connect(m_page, &LoaderPage::pipelineRequested, this, &LoaderController::showPipeline);
  connect(&m_import, &LoaderImport::ended, this, &LoaderController::takeImport);
}

LoaderController::~LoaderController() { delete m_page; }

void LoaderController::fillMenu(QMenu& menu) { menu.addActions({&showAction(), m_translate}); }

void LoaderController::fillFileMenu(QMenu& menu) { menu.addAction(&askAction()); }

QWidget& LoaderController::view() { return *m_page; }

QWidget& LoaderController::plot() { return m_page->canvas(); }

LoaderDialog* LoaderController::dialog() const { return m_dialog; }

void LoaderController::refresh() {
  SearchController::refresh();
  askAction().setEnabled(true);
  m_translate->setEnabled(!m_chosen.file.isEmpty() && !isBusy());
}

void LoaderController::ask(const QString& file) {
  delete m_dialog;
  m_dialog = new LoaderDialog(
      {file, {}, place().settings.value(kPythonKey, "python3").toString()},
      [this](const ChosenLoader& loader) { open(loader); }, &place().window);
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  m_dialog->open();
}

void LoaderController::openWord(const QString& word) {
  const QString file = QFileInfo(word.section(':', 0, -2)).absoluteFilePath();
  const QString usual = place().settings.value(kPythonKey, "python3").toString();
  m_opening = true;
  doFileWork(*this, [this, file, usual, name = word.section(':', -1)]() -> std::function<void()> {
    const QString own = interpreterNextTo(file);
    return [this, loader = ChosenLoader{file, name, own.isEmpty() ? usual : own}] {
      m_opening = false;
      open(loader);
    };
  });
}

void LoaderController::open(const ChosenLoader& loader) {
  if (isBusy()) return show();
  m_chosen = loader;
  setSearched(nullptr);
  place().settings.setValue(kPythonKey, loader.interpreter);
  m_page->showTranslation({});
  measure();
  place().tabs.setTabText(place().tabs.indexOf(m_page), m_live.name());
}

void LoaderController::measure() {
  if (isBusy() || m_chosen.file.isEmpty()) return;
  const MeasureChoice choice = m_hooks.measure();
  m_page->forget();
  m_live.begin(m_chosen.shown(), choice);
  JobOrder order;
  order.command = "loader";
  order.name = "The measurement";
  order.base = pathOf(QFileInfo(m_chosen.file).path());
  order.flags = {m_chosen.word(),
                 "--python",
                 m_chosen.interpreter,
                 "--warmup",
                 QString::number(choice.warmupSeconds),
                 "--seconds",
                 QString::number(choice.seconds),
                 "--repeats",
                 QString::number(choice.repeats),
                 "--store",
                 fileText(m_store)};
  begin(order);
}

void LoaderController::stopAll() {
  if (m_import.isRunning())
    m_import.stop();
  else
    stop();
}

void LoaderController::setTranslating(bool translating) {
  m_translating = translating;
  m_page->showTranslating(translating);
  refresh();
  emit statusChanged();
  emit stateChanged();
}

void LoaderController::translate() {
  if (isBusy() || m_chosen.file.isEmpty()) return;
  m_page->say({});
  setTranslating(true);
  doFileWork(*this, [this, file = m_chosen.file]() -> std::function<void()> {
    return [this, output = freeOutput(file)] { startImport(output); };
  });
}

void LoaderController::startImport(const QString& output) {
  m_output = output;
  m_import.start(m_chosen, output);
}

void LoaderController::takeImport(const QJsonObject& result, const QString& refusal) {
  setTranslating(false);
  if (!refusal.isEmpty()) return m_page->warn("It was not translated. " + refusal);
  m_page->showTranslation(result);
  // The user has agreed to run this code by opening the loader.
  doFileWork(
      *this,
      [this, file = pathOf(m_output), words = translationWords(result)]() -> std::function<void()> {
        return [this, words, code = codeIn(file)] {
          allow(code);
          openPipeline(words);
        };
      });
}

void LoaderController::openPipeline(const QString& words) {
  m_hooks.openAsStep(m_output, "Translate " + m_live.name(), [this, words](PipelinePage* page) {
    setSearched(page);
    sayApplied(words + " Ctrl+Z undoes the translation.");
    page->say(words + " Ctrl+Z undoes the translation.");
  });
}

void LoaderController::showPipeline() {
  if (searched() != nullptr) place().tabs.setCurrentWidget(searched());
}

/// The engine's words are about its options.
void LoaderController::takeEnd(const ChildEnd& end) {
  ChildEnd shown = end;
  shown.sentence.replace("the setting `python` names the interpreter that has it",
                         "open it with the interpreter that has it");
  m_live.finish(shown);
}

void LoaderController::showNewsInView(bool stopping) {
  m_page->refresh();
  if (stopping) m_page->showStopping();
}

void LoaderController::say(const QString& sentence) { m_page->say(sentence); }

void LoaderController::setObstacles(const QString& begin, const QString&) {
  m_page->setObstacle(isRunning() ? QString() : begin);
}

}  // namespace millrace
