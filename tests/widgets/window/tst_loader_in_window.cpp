// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A user's own loader in the workbench, with the built program and a real Python.
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTreeWidget>

#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/dialogs/loader_dialog.h"
#include "tests/support/test_case.h"
#include "tests/widgets/window_bench.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/note_strip.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/loader/loader_page.h"
#include "widgets/loader/translation_view.h"
#include "widgets/models/code_trust.h"

namespace millrace::tests {

class TestLoaderInWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QProcess::execute("/usr/bin/python3", {"-c", "import numpy"}) != 0)
      QSKIP("there is no /usr/bin/python3 with NumPy");
  }

  void likelyNamesComeFirst() {
    const QString text =
        "import torch\nSIZE = 224\nmean: list = [1]\nif SIZE == 3:\n    inner = 1\n"
        "train = ImageDataset('a')\ndef make():\n    return 1\ndef other(x):\n    pass\n"
        "loader = DataLoader(train)\nSIZE = 3\n";
    QCOMPARE(loaderNames(text), QStringList({"train", "loader", "SIZE", "mean", "make"}));
  }

  void aLoaderIsMeasuredAndTranslatedInOneUndoStep() {
    Opened opened(*this, "numbers = [3, 1, 2]\n");
    QVERIFY(opened.dialog != nullptr);
    QVERIFY(opened.offers("numbers"));
    QVERIFY(opened.measure());
    LoaderController& loaders = opened.loaders();
    const LiveRun& run = loaders.loader().run();
    QVERIFY2(run.end()->kind == ChildEnd::Kind::Finished, qPrintable(run.end()->sentence));
    QVERIFY(run.rate().value_or(0) > 0 && !run.runId().isEmpty());
    QVERIFY(loaders.page().canvas().session().document.graph().node("fetch") != nullptr);
    QCOMPARE(loaders.page().canvas().run().nodes.count("fetch"), std::size_t{1});
    MainWindow& window = *opened.bench.window;
    const int tabs = window.tabs().count();
    loaders.page().findChild<QPushButton*>("loader_translate")->click();
    QVERIFY(WindowBench::waits([&] { return window.tabs().count() > tabs; }));
    const QTreeWidget& parts = loaders.page().translation().parts();
    QCOMPARE(parts.topLevelItemCount(), 1);
    QCOMPARE(parts.topLevelItem(0)->text(0), "yours");
    QCOMPARE(parts.topLevelItem(0)->text(2), "python_dataset");
    QVERIFY(loaders.page().translation().verdict().contains("equal"));
    QCOMPARE(window.tabs().currentWidget(), &loaders.page());

    auto* page = qobject_cast<PipelinePage*>(window.tabs().widget(tabs));
    Document& document = page->session().document;
    QVERIFY(document.filePath().endsWith("own.millrace.json") && !document.isModified());
    QVERIFY(whyNotAllowed(document.graph(), builtinCatalog(), opened.folder.path()).isEmpty());
    // While the loader is shown, Ctrl+Z undoes the translation.
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.undoStack().undoText(), "Translate own.py:numbers");
    window.action("undo")->trigger();
    QVERIFY(document.graph().nodes.empty());
    window.action("redo")->trigger();
    QVERIFY(!document.graph().nodes.empty() && !document.isModified());
    loaders.page().findChild<QPushButton*>("loader_show")->click();
    QCOMPARE(window.page(), page);
  }

  void whatCannotBeImportedIsASentence() {
    Opened opened(*this, "import no_such_package\nloader = []\n");
    QVERIFY(opened.offers("loader"));
    QVERIFY(opened.measure());
    const auto strips = opened.loaders().page().findChildren<NoteStrip*>();
    const QString words = strips.front()->words();
    QVERIFY2(words.contains("no_such_package") && !words.contains('`'), qPrintable(words));
  }

  void aWordOfTheCommandLineNeedsNoDialog() {
    Opened opened(*this, "numbers = [3, 1, 2]\n");
    opened.dialog->reject();
    opened.bench.window->open(opened.file + ":numbers");
    QVERIFY(WindowBench::waits([&] { return opened.loaders().isBusy(); }));
    QVERIFY(!opened.bench.window->action("run")->isEnabled() ||
            !opened.loaders().isRunning());  // one measurement at a time
    opened.loaders().stop();
    QVERIFY(WindowBench::waits([&] { return !opened.loaders().isBusy(); }));
  }

 private:
  /// The dialog for a file, opened as a dropped file opens it.
  struct Opened {
    Opened(TestLoaderInWindow&, const char* content)
        : pipeline(
              write("mine.millrace.json", R"({"format_version": 1, "nodes": [], "wires": []})")),
          file(write("own.py", content)),
          bench(folder) {
      MeasureChoice brief;
      brief.warmupSeconds = 0.1;
      brief.seconds = 0.5;
      brief.repeats = 1;
      bench.window->controller().setMeasure(brief);
      bench.window->open(file);
      WindowBench::waits([this] { return find(); });
      if (dialog != nullptr)
        dialog->findChild<QLineEdit*>("loader_python")->setText("/usr/bin/python3");
    }
    QString write(const char* name, const char* content) {
      QFile made(fileText(folder.path() / name));
      if (made.open(QIODevice::WriteOnly)) made.write(content);
      return made.fileName();
    }
    bool find() {
      dialog = loaders().dialog();
      return dialog != nullptr;
    }
    bool offers(const QString& name) {
      auto* names = dialog->findChild<QComboBox*>("loader_name");
      return WindowBench::waits([&] { return names->currentText() == name; });
    }
    /// Whether it ended.
    bool measure() {
      dialog->findChild<QPushButton*>("loader_start")->click();
      return WindowBench::waits([this] { return !loaders().isBusy(); });
    }
    LoaderController& loaders() { return bench.window->loaders(); }

    TemporaryFolder folder;
    QString pipeline;
    QString file;
    WindowBench bench;
    LoaderDialog* dialog = nullptr;
  };
};

MILLRACE_TEST_CASE(TestLoaderInWindow)

}  // namespace millrace::tests

#include "tst_loader_in_window.moc"
