// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// "Import a Python loader" of the workbench, with the built program and a real Python.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTreeWidget>

#include "app/workbench/dialogs/loader_dialog.h"
#include "tests/support/test_case.h"
#include "tests/widgets/window_bench.h"
#include "widgets/common/note_strip.h"
#include "widgets/models/code_trust.h"

namespace millrace::tests {

class TestImportInWindow : public QObject {
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

  void aLoaderBecomesAPipelineThatMayRun() {
    Opened opened(*this, "numbers = [3, 1, 2]\n");
    QVERIFY(opened.dialog != nullptr);
    auto* name = opened.dialog->findChild<QComboBox*>("import_name");
    QVERIFY(WindowBench::waits([&] { return name->currentText() == "numbers"; }));
    QVERIFY(opened.import());
    auto* parts = opened.dialog->findChild<QTreeWidget*>("import_parts");
    QCOMPARE(parts->topLevelItemCount(), 1);
    QCOMPARE(parts->topLevelItem(0)->text(0), "yours");
    QCOMPARE(parts->topLevelItem(0)->text(2), "python_dataset");
    auto* open = opened.dialog->findChild<QPushButton*>("import_open");
    QVERIFY(open->isVisible());
    open->click();
    MainWindow& window = *opened.bench.window;
    QVERIFY(WindowBench::waits([&] {
      return window.page()->session().document.filePath().endsWith("own.millrace.json");
    }));
    const Document& document = window.page()->session().document;
    QVERIFY(whyNotAllowed(document.graph(), builtinCatalog(), opened.folder.path()).isEmpty());
  }

  void whatCannotBeImportedIsASentence() {
    Opened opened(*this, "import no_such_package\nloader = []\n");
    auto* name = opened.dialog->findChild<QComboBox*>("import_name");
    QVERIFY(WindowBench::waits([&] { return name->currentText() == "loader"; }));
    QVERIFY(opened.import());
    const QString words = opened.dialog->findChild<NoteStrip*>()->words();
    QVERIFY2(words.contains("no_such_package"), qPrintable(words));
    QVERIFY(!opened.dialog->findChild<QPushButton*>("import_open")->isVisible());
  }

 private:
  /// The dialog for a file, opened as a dropped file opens it.
  struct Opened {
    Opened(TestImportInWindow&, const char* content)
        : pipeline(
              write("mine.millrace.json", R"({"format_version": 1, "nodes": [], "wires": []})")),
          file(write("own.py", content)),
          bench(folder) {
      bench.window->open(file);
      WindowBench::waits([this] { return find(); });
      if (dialog != nullptr)
        dialog->findChild<QLineEdit*>("import_python")->setText("/usr/bin/python3");
    }
    QString write(const char* name, const char* content) {
      QFile made(fileText(folder.path() / name));
      if (made.open(QIODevice::WriteOnly)) made.write(content);
      return made.fileName();
    }
    bool find() {
      dialog = bench.window->findChild<LoaderDialog*>();
      return dialog != nullptr;
    }
    /// Whether it ended.
    bool import() {
      dialog->findChild<QPushButton*>("import_start")->click();
      return WindowBench::waits([this] { return !dialog->isAtWork(); });
    }

    TemporaryFolder folder;
    QString pipeline;
    QString file;
    WindowBench bench;
    LoaderDialog* dialog = nullptr;
  };
};

MILLRACE_TEST_CASE(TestImportInWindow)

}  // namespace millrace::tests

#include "tst_import_in_window.moc"
