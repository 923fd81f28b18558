// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#export: a pipeline exported in the workbench.
#include "widgets/export/export_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTextLayout>

#include "app/workbench/window/main_window.h"
#include "core/compare/kept_run.h"
#include "core/export/export_check.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/store/run_origin.h"
#include "core/store/run_store.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/export/code_view.h"
#include "widgets/export/run_here_line.h"
#include "widgets/export/target_list.h"
#include "widgets/export/target_table.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

const char* const kExported = R"({"format_version": 1, "seed": 3, "nodes": [
  {"id": "source", "kind": "synthetic", "params": {"count": 1000}},
  {"id": "workers", "kind": "workers", "params": {"count": 2}},
  {"id": "batch", "kind": "batch", "params": {"size": 10}},
  {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
  {"id": "drain", "kind": "drain"}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "batch"},
            {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})";

/// A pipeline file, and the export of its content.
struct Subject {
  Subject() {
    folder.write("mine.millrace.json", kExported);
    file = fileText(folder.path() / "mine.millrace.json");
    source.graph = *parseGraph(kExported, builtinCatalog()).graph;
    source.catalog = &builtinCatalog();
    source.base = folder.path();
    source.title = "mine.millrace.json";
    source.name = fromQt(file);
    source.version = "0.1.0";
    source.subject = QStringList{file};
  }
  /// The text that core writes for the command line.
  std::string written(const Exporter& exporter, bool noRandom = false) const {
    const ExportCheck check = checkForExport(source.graph, builtinCatalog(), source.base, noRandom);
    ExportSubject subject;
    subject.graph = &source.graph;
    subject.catalog = &builtinCatalog();
    subject.pipeline = check.pipeline ? &*check.pipeline : nullptr;
    subject.dataKnown = check.dataKnown;
    subject.name = source.name;
    subject.version = source.version;
    const auto code = exporter.write(subject);
    return code ? code->text : std::string();  // What is refused has no text.
  }

  tests::TemporaryFolder folder;
  QString file;
  ExportSource source;
  QSettings settings{fileText(folder.path() / "settings.ini"), QSettings::IniFormat};
};

bool isReady(ExportDialog& dialog) {
  return QTest::qWaitFor([&] { return dialog.isReady(); }, kGenerousMs);
}

/// Whether it was saved, once that is known.
bool saves(ExportDialog& dialog, const QString& file) {
  QSignalSpy ended(&dialog, &ExportDialog::saveEnded);
  dialog.saveTo(file);
  const bool isOver = ended.count() > 0 || ended.wait(kGenerousMs);
  return isOver && ended.front().front().toBool();
}

/// What the list says of a target.
QString stateOf(ExportDialog& dialog, const QString& target) {
  const TargetList& list = dialog.targets();
  for (int row = 0; row < list.count(); ++row)
    if (list.item(row)->data(Qt::UserRole).toString() == target)
      return list.item(row)->data(Qt::AccessibleTextRole).toString();
  return {};
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

QByteArray contentOf(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The colour of the character at a position of a line.
QColor colourAt(const CodeView& view, int line, int column) {
  const QTextBlock block = view.document()->findBlockByNumber(line);
  for (const QTextLayout::FormatRange& range : block.layout()->formats())
    if (column >= range.start && column < range.start + range.length)
      return range.format.foreground().color();
  return {};
}

}  // namespace

class TestExportDialog : public QObject {
  Q_OBJECT
 private slots:
  void everyTargetGivesTheCommandLinesBytes() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    QCOMPARE(dialog.targets().count(), static_cast<int>(exporters().size()));
    for (const Exporter& exporter : exporters()) {
      dialog.targets().choose(toQt(exporter.name));
      QCOMPARE(dialog.text(), subject.written(exporter));
    }
    dialog.noRandom().setChecked(true);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QCOMPARE(dialog.text(), subject.written(*findExporter("pytorch"), true));
    QVERIFY(dialog.text() != subject.written(*findExporter("pytorch"), false));
  }

  void aTrainingLoopIsOfferedByTargetsThatHaveOne() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.training().setChecked(true);
    QVERIFY(isReady(dialog));
    for (const Exporter& exporter : exporters()) {
      if (subject.written(exporter).empty()) continue;
      dialog.targets().choose(toQt(exporter.name));
      QCOMPARE(dialog.training().isHidden(), !exporter.trains);
      QCOMPARE(dialog.command().contains("--with-training"), exporter.trains);
      QCOMPARE(dialog.text() == subject.written(exporter), !exporter.trains);
    }
  }

  void theShownCommandWritesTheSameBytes() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QStringList words = QProcess::splitCommand(dialog.command());
    QCOMPARE(words.takeFirst(), QString("millrace"));
    QProcess program;
    program.start(tests::kMillrace, words);
    QVERIFY(program.waitForFinished(kGenerousMs));
    QCOMPARE(program.readAllStandardOutput().toStdString(), dialog.text());
  }

  /// Of the window, with the real program: a difference of names, folders or options would show.
  void savedFilesAreThoseOfTheCommandLine() {
    Subject subject;
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, subject.file));
    window.action("export")->trigger();
    auto* dialog = window.findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr && isReady(*dialog));
    int compared = 0;
    for (const bool training : {false, true}) {
      dialog->training().setChecked(training);
      QVERIFY(isReady(*dialog));
      for (const Exporter& exporter : exporters()) {
        if (training && !exporter.trains) continue;
        dialog->targets().choose(toQt(exporter.name));
        if (dialog->text().empty()) continue;  // It is refused.
        const QString stem = fileText(subject.folder.path()) + QString("/%1-").arg(compared++);
        QVERIFY(saves(*dialog, stem + "window"));
        const QStringList words = QProcess::splitCommand(dialog->command()).sliced(1);
        QCOMPARE(words.contains("--with-training"), training);
        QCOMPARE(QProcess::execute(tests::kMillrace, words + QStringList{"-o", stem + "command"}),
                 0);
        QVERIFY(!contentOf(stem + "command").isEmpty());
        QCOMPARE(contentOf(stem + "window"), contentOf(stem + "command"));
      }
    }
    QVERIFY2(compared > 8, qPrintable(QString::number(compared)));
  }

  void aKeptRunsCodeHasTheSameFiguresAsOnTheCommandLine() {
    Subject subject;
    const std::filesystem::path store = subject.folder.path() / "runs.db";
    NewRun kept;
    kept.pipelineName = "mine.millrace.json";
    kept.pipelineJson = graphText(subject.source.graph, builtinCatalog());
    RunStore runs = RunStore::open(store).take();
    const RunNumber number = runs.beginRun(kept).take();
    const std::vector<FigureRecord> figures = {{"samples_per_second", 804.0}};
    QVERIFY(runs.finishRun(number, RunState::Finished, "", figures).ok());
    subject.source.engine = tests::kMillrace;
    subject.source.subject = QStringList{"--run", "1", "--store", fileText(store)};
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QVERIFY2(dialog.text().find("804 samples/s") != std::string::npos, dialog.text().c_str());
    QStringList words = QProcess::splitCommand(dialog.command());
    words.removeFirst();
    QProcess program;
    program.start(tests::kMillrace, words);
    QVERIFY(program.waitForFinished(kGenerousMs));
    QCOMPARE(program.readAllStandardOutput().toStdString(), dialog.text());
  }

  void limitsOfATargetAreListedFirst() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QVERIFY2(dialog.cautions().contains("PyTorch"), qPrintable(dialog.cautions()));
    dialog.targets().choose("json");
    QVERIFY2(dialog.cautions().contains("The code does everything"), qPrintable(dialog.cautions()));
  }

  void allTargetsAreComparedSideBySide() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    dialog.show();
    QVERIFY(isReady(dialog));
    const TargetTable& table = dialog.table();
    QVERIFY(!table.isVisible());
    dialog.compareButton().click();
    QVERIFY(table.isVisible());
    QCOMPARE(table.rowCount(), static_cast<int>(exporters().size()));
    for (int row = 0; row < table.rowCount(); ++row) {
      const QString name = table.item(row, 0)->data(Qt::UserRole).toString();
      const QString lost = table.item(row, 3)->text();
      if (name == "json") QCOMPARE(lost, "nothing");
      if (name == "webdataset") QVERIFY2(lost.contains("webdataset"), qPrintable(lost));
      if (name != "grain") continue;
      QCOMPARE(table.item(row, 1)->text(), "not measured here");
      // Titles, without their explanations.
      QVERIFY2(lost.contains("The first sample that fails ends the epoch"), qPrintable(lost));
      QVERIFY2(!lost.contains("Millrace leaves it out"), qPrintable(lost));
      QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                        table.visualItemRect(table.item(row, 3)).center());
    }
    QVERIFY(!table.isVisible());
    QCOMPARE(dialog.targets().chosen(), "grain");
  }

  void aPipelineWithErrorsShowsWhyItCannotBeExported() {
    Subject subject;
    subject.source.graph = *removeNode(subject.source.graph, builtinCatalog(), "batch");
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QVERIFY(dialog.text().empty());
    QVERIFY2(dialog.cautions().contains("not possible now"), qPrintable(dialog.cautions()));
    QVERIFY(!saves(dialog, fileText(subject.folder.path() / "no.py")));
    dialog.targets().choose("json");
    QVERIFY(!dialog.text().empty());
  }

  void savingAsksBeforeReplacingAFile() {
    Subject subject;
    subject.folder.write("loader.py", "mine\n");
    const QString file = fileText(subject.folder.path() / "loader.py");
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QStringList asked;
    bool answer = false;
    dialog.setQuestion([&](const QString& question) {
      asked << question;
      return answer;
    });
    QVERIFY(!saves(dialog, file));
    QCOMPARE(contentOf(file), QByteArray("mine\n"));
    answer = true;
    QVERIFY(saves(dialog, file));
    QCOMPARE(contentOf(file).toStdString(), dialog.text());
    QCOMPARE(asked.size(), 2);
    QVERIFY(saves(dialog, fileText(subject.folder.path() / "new.py")));
    QCOMPARE(asked.size(), 2);
    QVERIFY(!saves(dialog, "/nowhere/at/all/loader.py"));
    QVERIFY2(dialog.message().contains("there is no folder"), qPrintable(dialog.message()));
  }

  void copyingGivesTheSameBytes() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    for (auto* button : dialog.findChildren<QPushButton*>())
      if (button->text().endsWith("&Copy")) button->click();
    QCOMPARE(QGuiApplication::clipboard()->text().toStdString(), dialog.text());
  }

  void runHereMeasuresTheCodeAndItsRateIsShown() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    Subject subject;
    // In place of the package, so that the code runs without it.
    subject.folder.write("millrace.py",
                         "import time\n"
                         "class Loader:\n"
                         "    def __init__(self, pipeline, shard=None): pass\n"
                         "    def __iter__(self):\n"
                         "        for i in range(20):\n"
                         "            time.sleep(0.002)\n"
                         "            yield {'x': [0] * 5}\n");
    const QByteArray path = qgetenv("PYTHONPATH");
    qputenv("PYTHONPATH", QByteArray(subject.folder.path().c_str()));
    const auto store = subject.folder.path() / "runs.db";
    subject.source.subject << "--store" << fileText(store);
    ExportDialog dialog(subject.source, subject.settings);
    RunHereLine& line = dialog.runLine();
    line.run().setProgram(tests::writeEngine(
        fileText(subject.folder.path()), QByteArray("exec ") + tests::kMillrace +
                                             " \"$@\" --seconds 0.3 --warmup 0.1 --repeats 1\n"));
    QVERIFY(isReady(dialog));
    dialog.targets().choose("json");
    QVERIFY(!line.button().isEnabled());
    dialog.targets().choose("python");
    QVERIFY(stateOf(dialog, "python").contains("not measured here"));
    QSignalSpy ended(&dialog, &ExportDialog::runEnded);
    line.button().click();
    QCOMPARE(line.button().text(), "&Stop");
    QVERIFY(ended.wait(kGenerousMs));
    QVERIFY2(ended.front().front().toBool(), qPrintable(dialog.message()));
    QVERIFY(isReady(dialog));
    QVERIFY(stateOf(dialog, "python").contains("samples/s here"));
    QVERIFY(stateOf(dialog, "pytorch").contains("not measured here"));
    QVERIFY(contains(dialog.text(), "# Measured with this code: "));
    RunStore runs = RunStore::open(store).take();
    const auto details = runs.show(runs.find("1").take()).take();
    QCOMPARE(factOf(details, kOriginFact), std::optional<std::string>(kExportOrigin));
    QCOMPARE(details.summary.name, std::string("mine.millrace.json to Millrace in Python"));
    qputenv("PYTHONPATH", path);
  }

  void whatCannotRunHereSaysWhy() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    Subject subject;
    subject.source.subject << "--store" << fileText(subject.folder.path() / "runs.db");
    ExportDialog dialog(subject.source, subject.settings);
    RunHereLine& line = dialog.runLine();
    line.run().setProgram(tests::kMillrace);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("dali");
    QSignalSpy ended(&dialog, &ExportDialog::runEnded);
    line.interpreter().setText("/no/such/python");
    line.button().click();
    QVERIFY(ended.wait(kGenerousMs));
    QVERIFY(!ended.front().front().toBool());
    QVERIFY2(dialog.message().contains("/no/such/python"), qPrintable(dialog.message()));
    // In the terms of the dialog, not of a terminal.
    line.interpreter().setText("no-such-python");
    line.button().click();
    QVERIFY(ended.wait(kGenerousMs));
    QVERIFY2(dialog.message().contains("the field Interpreter"), qPrintable(dialog.message()));
    QVERIFY2(!dialog.message().contains("--python"), qPrintable(dialog.message()));
    QVERIFY2(!dialog.message().startsWith("error"), qPrintable(dialog.message()));
    line.interpreter().clear();
    QVERIFY(!line.button().isEnabled());
  }

  void eachTargetKeepsItsInterpreter() {
    Subject subject;
    {
      ExportDialog dialog(subject.source, subject.settings);
      RunHereLine& line = dialog.runLine();
      QCOMPARE(line.interpreter().text(), "python3");
      line.run().setProgram("/no/such/program");
      QVERIFY(isReady(dialog));
      QSignalSpy ended(&dialog, &ExportDialog::runEnded);
      for (const char* target : {"dali", "pytorch"}) {
        dialog.targets().choose(target);
        line.interpreter().setText(QString("/env/%1/bin/python").arg(target));
        line.button().click();
        QVERIFY(ended.wait(kGenerousMs));
      }
    }
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    for (const char* target : {"dali", "pytorch"}) {
      dialog.targets().choose(target);
      QCOMPARE(dialog.runLine().interpreter().text(), QString("/env/%1/bin/python").arg(target));
    }
    dialog.targets().choose("tfdata");  // It was never run.
    QCOMPARE(dialog.runLine().interpreter().text(), "/env/pytorch/bin/python");
  }

  void theEnginesRateIsInTheList() {
    Subject subject;
    const auto store = subject.folder.path() / "runs.db";
    subject.source.subject << "--store" << fileText(store);
    QProcess program;
    program.start(tests::kMillrace, {"run", subject.file, "--seconds", "0.1", "--warmup", "0",
                                     "--repeats", "1", "--store", fileText(store)});
    QVERIFY(program.waitForFinished(kGenerousMs));
    QCOMPARE(program.exitCode(), 0);
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    QVERIFY2(stateOf(dialog, "json").contains("samples/s here by the engine"),
             qPrintable(stateOf(dialog, "json")));
    dialog.noRandom().setChecked(true);  // The pipeline stays the same.
    QVERIFY(isReady(dialog));
    QVERIFY(stateOf(dialog, "json").contains("by the engine"));
    subject.source.graph = *applySetting(subject.source.graph, builtinCatalog(), "batch.size=11");
    ExportDialog other(subject.source, subject.settings);
    QVERIFY(isReady(other));
    QVERIFY(!stateOf(other, "json").contains("by the engine"));
  }

  void aSavedFileIsOpenedInTheEditor() {
    Subject subject;
    ExportDialog dialog(subject.source, subject.settings);
    QVERIFY(isReady(dialog));
    dialog.targets().choose("pytorch");
    QString opened;
    dialog.setOpener([&opened](const QString& file) { opened = file; });
    QVERIFY(!dialog.openButton().isEnabled());
    const QString file = fileText(subject.folder.path() / "loader.py");
    QVERIFY(saves(dialog, file));
    dialog.openButton().click();
    QCOMPARE(opened, file);
  }

  void codeIsColouredByItsLanguage() {
    CodeView view;
    view.setCode("import os  # why\nx = \"a\" + f(1.5)\n\"\"\"doc\nstill\"\"\" + 2\n",
                 CodeLanguage::Python);
    QCOMPARE(colourAt(view, 0, 0), theme()[Tone::SynKeyword]);
    QCOMPARE(colourAt(view, 0, 12), theme()[Tone::SynComment]);
    QCOMPARE(colourAt(view, 1, 5), theme()[Tone::SynString]);
    QCOMPARE(colourAt(view, 1, 10), theme()[Tone::SynType]);
    QCOMPARE(colourAt(view, 1, 12), theme()[Tone::SynNumber]);
    QCOMPARE(colourAt(view, 3, 2), theme()[Tone::SynString]);
    QCOMPARE(colourAt(view, 3, 11), theme()[Tone::SynNumber]);
    view.setCode("{\"key\": \"text\", \"n\": -1.5e3, \"b\": true}", CodeLanguage::Json);
    QCOMPARE(colourAt(view, 0, 2), theme()[Tone::SynType]);
    QCOMPARE(colourAt(view, 0, 9), theme()[Tone::SynString]);
    QCOMPARE(colourAt(view, 0, 21), theme()[Tone::SynNumber]);
    QCOMPARE(colourAt(view, 0, 34), theme()[Tone::SynKeyword]);
  }

  void theWindowExportsThePipelineOnTheCanvas() {
    Subject subject;
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, subject.file));
    Document& document = window.page()->session().document;
    document.edit("test", *applySetting(document.graph(), builtinCatalog(), "batch.size=77"));
    window.action("export")->trigger();
    auto* dialog = window.findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr && isReady(*dialog));
    dialog->targets().choose("json");
    QVERIFY(dialog->text().find("\"size\": 77") != std::string::npos);
    QVERIFY(dialog->command().contains(subject.file));
  }
};

}  // namespace millrace

using millrace::TestExportDialog;
MILLRACE_TEST_CASE(TestExportDialog)
#include "tst_export_dialog.moc"
