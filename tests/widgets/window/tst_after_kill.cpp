// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#save-and-recover: the workbench is killed with unsaved changes, and started
// again.
#include <unistd.h>

#include <csignal>

#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTimer>

#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/models/recovery.h"

namespace millrace {

namespace {

constexpr const char* kKilledOver = "MILLRACE_TEST_KILLED_OVER";  ///< the file that is edited

std::uint64_t seedOf(MainWindow& window) { return window.page()->session().document.graph().seed; }

void setSeed(MainWindow& window, std::uint64_t seed) {
  Graph graph = window.page()->session().document.graph();
  graph.seed = seed;
  window.page()->session().document.edit("Seed", std::move(graph));
}

/// The questions asked while the window searches for recovered documents; each gets this answer.
QStringList askedOf(MainWindow& window, const QString& answer) {
  QStringList asked;
  QTimer poll;
  QObject::connect(&poll, &QTimer::timeout, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    asked << box->text();
    for (QAbstractButton* button : box->buttons())
      if (button->text() == answer) return button->click();
    box->reject();
  });
  poll.start(5);
  window.offerRecovery();
  return asked;
}

}  // namespace

class TestAfterKill : public QObject {
  Q_OBJECT
 private slots:
  void theCopyIsOfferedAfterAKillAndNotAfterACleanEnd() {
    if (const QString file = qEnvironmentVariable(kKilledOver); !file.isEmpty())
      return editUntilKilled(file);
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("deblurring"));
    const QString file = fileText(folder.path() / "mine.millrace.json");
    QProcess workbench;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(kKilledOver, file);
    folder.makeFolder("homes");
    environment.insert("TMPDIR", fileText(folder.path() / "homes"));
    workbench.setProcessEnvironment(environment);
    workbench.setProcessChannelMode(QProcess::MergedChannels);
    workbench.start(QCoreApplication::applicationFilePath(),
                    {"tst_after_kill", QTest::currentTestFunction()});
    QVERIFY(workbench.waitForFinished(tests::kGenerousMs));
    const QByteArray said = workbench.readAll();
    QVERIFY2(workbench.exitStatus() == QProcess::CrashExit, said.constData());
    QCOMPARE(tests::contentOf(folder.path() / "mine.millrace.json"), *exampleJson("deblurring"));
    // Every test has a temporary home; that of the user would be shared.
    QDirIterator homes(fileText(folder.path() / "homes"), {"*.json"}, QDir::Files,
                       QDirIterator::Subdirectories);
    QVERIFY2(homes.hasNext(), said.constData());
    QVERIFY(QDir().mkpath(Recovery::defaultFolder()));
    const QString left = Recovery::defaultFolder() + "/left.json";
    QVERIFY(QFile::rename(homes.next(), left));
    {
      MainWindow window(builtinCatalog());
      window.show();
      // As the window does with the files of the last session.
      QVERIFY(tests::openIn(window, file));
      QCOMPARE(askedOf(window, "Open copy"),
               QStringList{"The workbench ended before mine.millrace.json was saved."});
      const Document& document = window.page()->session().document;
      QCOMPARE(document.filePath(), file);
      QCOMPARE(window.tabs().count(), 1);
      QCOMPARE(seedOf(window), std::uint64_t{4711});
      QVERIFY(document.isModified() && !QFile::exists(left));
      window.action("save")->trigger();
      QVERIFY(QTest::qWaitFor([&] { return !document.isModified(); }, tests::kGenerousMs));
      QVERIFY(window.close());
    }
    MainWindow again(builtinCatalog());
    again.show();
    QCOMPARE(askedOf(again, "Open copy"), QStringList());
    QVERIFY(tests::openIn(again, file));
    QCOMPARE(seedOf(again), std::uint64_t{4711});
  }

 private:
  /// The workbench that is killed once its copy is on the disk.
  static void editUntilKilled(const QString& file) {
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, file));
    setSeed(window, 4711);
    const QString kept = window.page()->session().document.findChild<Recovery*>()->recoveryFile();
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(kept); }, tests::kGenerousMs));
    ::kill(::getpid(), SIGKILL);
  }
};

}  // namespace millrace

using millrace::TestAfterKill;
MILLRACE_TEST_CASE(TestAfterKill)
#include "tst_after_kill.moc"
