// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The user's actions on the runs of RunsPage.
#include <algorithm>
#include <limits>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>

#include "core/compare/from_store.h"
#include "core/store/stored_values.h"
#include "widgets/bridge/file_save.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/repeat_command.h"
#include "widgets/runs/run_table_text.h"
#include "widgets/runs/runs_page.h"
#include "widgets/runs/store_choice.h"
#include "widgets/runs/store_import.h"

namespace millrace {

namespace {

constexpr const char* kStoreFilter = "Stores (*.db);;All files (*)";

QString runCount(std::size_t count) { return shownCount(static_cast<std::int64_t>(count), "run"); }

/// The table as the content of a file.
struct TableFile {
  std::string text;
  std::size_t runs = 0;
};

/// Hides runs; undo brings them back. Holds only numbers.
class DeleteRuns final : public QUndoCommand {
 public:
  using Change = std::function<void(std::function<Status(RunStore&)>)>;
  DeleteRuns(std::vector<RunNumber> runs, Change change)
      : QUndoCommand("Delete " + runCount(runs.size())),
        m_runs(std::move(runs)),
        m_change(std::move(change)) {}

  void undo() override {
    m_change([runs = m_runs](RunStore& store) { return store.restore(runs); });
  }
  void redo() override {
    if (std::exchange(m_done, true))
      m_change([runs = m_runs](RunStore& store) { return store.hide(runs); });
  }

 private:
  std::vector<RunNumber> m_runs;
  Change m_change;
  bool m_done = false;  ///< pushing a command calls redo() once
};

}  // namespace

QAction* RunsPage::add(const QString& name, const QString& text, const QKeySequence& keys,
                       const std::function<void()>& run, const QString& iconName) {
  auto* action = new QAction(text, this);
  action->setObjectName("action_runs_" + name);
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  if (!iconName.isEmpty()) action->setIcon(icon(iconName));
  connect(action, &QAction::triggered, this, run);
  addAction(action);
  m_menuActions << action;
  return action;
}

void RunsPage::buildActions() {
  const auto separator = [this] {
    auto* line = new QAction(this);
    line->setSeparator(true);
    m_menuActions << line;
  };
  const auto current = [this] { return m_view->current(); };
  add("open", "&Open", {}, [this, current] {
    if (const auto run = current()) emit openRequested(*run);
  })->setToolTip("Show the run with its figures, charts and settings (Enter)");
  add(
      "restore", "R&estore", {},
      [this, current] {
        if (const auto run = current()) emit restoreRequested(*run);
      },
      "reset")
      ->setToolTip("Open the pipeline as it ran in a new document");
  add("export_run", "E&xport as code…", {}, [this, current] {
    if (const auto run = current()) emit exportRequested(*run);
  })->setToolTip("Export the pipeline as it ran, with its figures, for another loader");
  add("measure", "&Measure both again", {}, [this] { measureChosen(); }, "compare");
  action("open")->setIcon(icon("open"));
  separator();
  add("pin", "&Pin on top", QKeySequence("P"), [this] { togglePin(); }, "pin");
  add("baseline", "Make it the &baseline", QKeySequence("Shift+B"), [this, current] {
    if (const auto run = current()) setBaseline(*run);
  });
  add(
      "rename", "Edit &name, tags or notes", {},
      [this] {
        if (!m_view->editLabel())
          say("The table shows neither names, tags nor notes. Add one of them in Columns.");
      },
      "note");
  add("delete", "De&lete", QKeySequence::Delete, [this] { deleteRuns(m_view->chosen()); });
  separator();
  add(
      "copy_command", "&Copy as command", QKeySequence("Ctrl+Shift+C"), [this] { copyCommand(); },
      "copy");
  add(
      "export_table", "Export t&able…", QKeySequence("Ctrl+E"), [this] { chooseExport(); },
      "export");
  QAction* group =
      add("group", "&Group by pipeline", QKeySequence("G"), [this] { toggleGrouping(); });
  group->setCheckable(true);
  group->setIcon(icon("batch"));
  group->setToolTip("Put the runs of each pipeline together");
  add("import", "&Import runs…", {}, [this] { chooseImport(); });
  add("choose_store", "Choose another &store…", {}, [this] { chooseStore(); });
  add("read_again", "Rea&d again", QKeySequence("Ctrl+R"), [this] { readAgain(); });
  add(
      "find", "&Find runs", QKeySequence::Find,
      [this] {
        m_query->setFocus();
        m_query->selectAll();
      },
      "search");
  action("export_table")->setIconText("CSV, JSON");
}

void RunsPage::toggleGrouping() {
  RunListRequest request = m_model->listRequest();
  request.grouped = action("group")->isChecked();
  m_model->setRequest(request);
  keepRequest();
}

void RunsPage::refreshActions() {
  const auto& chosen = m_view->chosen();
  const bool one = m_view->current().has_value() && !chosen.empty();
  for (const char* name : {"open", "restore", "export_run", "pin", "baseline", "rename", "delete"})
    action(name)->setEnabled(one);
  const auto& baseline = m_model->listing().baseline;
  const bool pair =
      chosen.size() == 2 || (chosen.size() == 1 && baseline && chosen.front() != baseline->number);
  action("measure")->setEnabled(pair && m_measureObstacle.isEmpty());
  action("measure")->setToolTip(!pair ? "Select two runs, or one to compare with the baseline"
                                : m_measureObstacle.isEmpty()
                                    ? "Measure the two in alternation and report which is faster"
                                    : m_measureObstacle);
  const auto& pins = m_model->listRequest().pins;
  const bool pinned = one && std::ranges::find(pins, chosen.front()) != pins.end();
  action("pin")->setText(pinned ? "Un&pin" : "&Pin on top");
  m_chosenCount->setText(chosen.empty() ? QString() : runCount(chosen.size()) + " selected");
  fitBar();
}

void RunsPage::setMeasureObstacle(const QString& sentence) {
  m_measureObstacle = sentence;
  refreshActions();
}

void RunsPage::togglePin() {
  std::vector<RunNumber> pins = m_model->listRequest().pins;
  const auto& chosen = m_view->chosen();
  if (chosen.empty()) return;
  const bool pinned = std::ranges::find(pins, chosen.front()) != pins.end();
  for (const RunNumber run : chosen) {
    std::erase(pins, run);
    if (!pinned) pins.push_back(run);
  }
  setPins(pins);
}

void RunsPage::setPins(const std::vector<RunNumber>& pins) {
  RunListRequest request = m_model->listRequest();
  request.pins = pins;
  m_model->setRequest(request);
  keepRequest();
}

void RunsPage::setBaseline(RunNumber run) {
  m_store.change(
      this, [run](RunStore& store) { return store.setBaseline(run); },
      [this, run](const QString& error) {
        if (!error.isEmpty()) showProblem(error);
        RunListRequest request = m_model->listRequest();
        request.baseline = run;
        request.noBaseline = false;
        m_model->setRequest(request);
      });
}

void RunsPage::measureChosen() {
  const auto& chosen = m_view->chosen();
  const auto& baseline = m_model->listing().baseline;
  if (chosen.size() == 2) emit measureRequested(chosen[0], chosen[1]);
  if (chosen.size() == 1 && baseline) emit measureRequested(baseline->number, chosen[0]);
}

void RunsPage::deleteRuns(const std::vector<RunNumber>& runs) {
  if (runs.empty()) return;
  const auto change = [this](std::function<Status(RunStore&)> job) {
    m_store.change(this, std::move(job), [this](const QString& error) {
      if (!error.isEmpty()) showProblem(error);
      m_saidNote->hide();
      readAgain();
    });
  };
  m_store.change(
      this, [runs](RunStore& store) { return store.hide(runs); },
      [this, runs, change](const QString& error) {
        if (!error.isEmpty()) return showProblem(error);
        m_hidAny = true;
        m_undo.push(new DeleteRuns(runs, change));
        say(runCount(runs.size()) + " deleted.");
        readAgain();
      });
}

void RunsPage::exportTable(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (suffix != "csv" && suffix != "json") {
    showProblem(file + ": a table can be saved as .csv or .json.");
    return;
  }
  RunTableText table{m_model->listing().columns, m_model->listing().baseline, {}};
  for (const RunSummary& run : m_model->listing().top)
    if (const Verdict* verdict = m_model->verdictOf(run.number))
      table.verdicts[raw(run.number)] = *verdict;
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (const RunSummary* run = m_model->runAt(row))
      if (const Verdict* verdict = m_model->verdictOf(run->number))
        table.verdicts[raw(run->number)] = *verdict;
  m_store.ask<TableFile>(
      this, {},
      [table, suffix, top = m_model->listing().top,
       rest = m_model->listing().rest](RunStore& store) -> Result<TableFile> {
        RunQuery all = rest;
        all.limit = std::numeric_limits<std::int32_t>::max();
        all.offset = 0;
        MILLRACE_ASSIGN_OR_RETURN(auto found, store.list(all));
        std::vector<RunSummary> runs = top;
        runs.insert(runs.end(), found.begin(), found.end());
        return TableFile{suffix == "csv" ? table.csv(runs) : table.json(runs), runs.size()};
      },
      [this, file](StoreAnswer<TableFile> answer) {
        if (answer.noStore) return say("There are no runs yet, so no file was written.");
        if (!answer.value) return showProblem(answer.error);
        // Not on the store's thread, which would be blocked for that long.
        saveFile(*this, file, std::move(answer.value->text),
                 [this, file, runs = answer.value->runs](const Status& written) {
                   if (!written) return showProblem(sentence(written.error().message));
                   say(runCount(runs) + " written to " + file + ".");
                 });
      });
}

void RunsPage::chooseExport() {
  askWhereToSave(*this, "Export table", "runs.csv", "Table (*.csv);;JSON (*.json)",
                 [this](const QString& file) { exportTable(file); });
}

void RunsPage::importFrom(const QString& file) {
  if (m_import != nullptr) return;
  m_import = new StoreImport(m_store, pathOf(file), this);
  m_progressNote->say("Importing runs from " + QFileInfo(file).fileName());
  m_progress->setRange(0, 0);
  connect(m_import, &StoreImport::progressed, this, [this](int done, int of) {
    m_progress->setRange(0, of);
    m_progress->setValue(done);
  });
  connect(m_import, &StoreImport::ended, this, [this](const QString& sentence, bool wrong) {
    m_progressNote->hide();
    m_import->deleteLater();
    m_import = nullptr;
    wrong ? showProblem(sentence) : say(sentence);
    readAgain();
  });
  m_import->start();
}

void RunsPage::chooseImport() {
  withStartFolder(*this, {}, [this](const QString& start) {
    const QString file = askOpenFile(this, "Import runs from another store", start, kStoreFilter);
    if (!file.isEmpty()) importFrom(file);
  });
}

void RunsPage::chooseStore() {
  const QString folder = QFileInfo(fileText(m_store.file())).absolutePath();
  withStartFolder(*this, folder, [this](const QString& start) {
    const QString file = askOpenOrNewFile(this, "Choose a store, or type the name of a new one",
                                          start, kStoreFilter, "Use this store");
    if (!file.isEmpty()) takeStore(file);
  });
}

void RunsPage::takeStore(const QString& file) {
  lookAtStore(*this, file, [this, file](const StoreLook& look) {
    if (look.isNew) return offerNewStore(file);
    if (look.error.isEmpty()) return useStore(file);
    showProblem(look.error + QString(" %1 stays in use.").arg(fileText(m_store.file())));
  });
}

void RunsPage::offerNewStore(const QString& file) {
  const QFileInfo info(file);
  QMessageBox box(QMessageBox::Question, "Choose a store",
                  QString("There is no file %1 in %2.").arg(info.fileName(), info.path()),
                  QMessageBox::Cancel, this);
  box.setInformativeText(
      QString("Make a new, empty store there? This table then shows its runs, and the next runs "
              "are kept in it. The runs of %1 stay there.")
          .arg(fileText(m_store.file())));
  const QAbstractButton* make = box.addButton("Make a new store", QMessageBox::AcceptRole);
  box.exec();
  if (box.clickedButton() != make) return;
  makeStore(*this, file, [this, file](const QString& error) {
    error.isEmpty() ? useStore(file) : showProblem(error);
  });
}

void RunsPage::useStore(const QString& file) {
  m_store.setFile(pathOf(file));
  m_undo.clear();
  m_problemNote->say({});
  emit storeChosen();
  readAgain();
}

void RunsPage::copyCommand() {
  const auto& chosen = m_view->chosen();
  const auto copy = [this](const QString& command) {
    QApplication::clipboard()->setText(command);
    say("Copied to the clipboard: " + command);
  };
  if (chosen.size() != 1) return copy(command());
  const QString store = m_store.file() == defaultStorePath() ? QString() : fileText(m_store.file());
  m_store.ask<QString>(
      this, {},
      [run = chosen.front(), store, &catalog = m_catalog](RunStore& runs) -> Result<QString> {
        MILLRACE_ASSIGN_OR_RETURN(const auto kept, loadRun(runs, run));
        return repeatCommand(kept, catalog, store);
      },
      [this, copy](const StoreAnswer<QString>& answer) {
        answer.value ? copy(*answer.value) : showProblem(answer.error);
      });
}

QString RunsPage::command() const {
  QStringList words = {"millrace", "runs"};
  const auto& chosen = m_view->chosen();
  const RunListRequest& request = m_model->listRequest();
  if (!chosen.empty()) {
    words << (chosen.size() == 1 ? "show" : "compare");
    for (const RunNumber run : chosen) words << QString::number(raw(run));
  }
  if (chosen.empty()) {
    words << "list";
    if (!request.query.isEmpty()) words << request.query;
    QStringList columns;
    for (const RunColumn& column : m_model->listing().columns)
      if (column.kind != RunColumn::Kind::Change && column.kind != RunColumn::Kind::Verdict)
        columns << column.id;
    if (!columns.isEmpty()) words << "--columns" << columns.join(',');
    if (!m_model->listing().rest.sort.empty())
      words << "--sort"
            << (request.descending ? "-" : "") +
                   toQt(m_model->listing().rest.sort.front().field.name);
  }
  if (m_store.file() != defaultStorePath()) words << "--store" << fileText(m_store.file());
  return shellCommand(words);
}

}  // namespace millrace
