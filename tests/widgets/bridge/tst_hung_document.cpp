// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#save-and-recover with a file system that does not respond: the window stays
// usable while a document is saved, and no edit is lost.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSettings>
#include <QTimer>

#include "tests/support/test_case.h"
#include "tests/widgets/hung_bench.h"
#include "widgets/models/recovery.h"

namespace millrace {

namespace {

using tests::HungBench;
using tests::HungFolder;
using tests::kGenerousMs;

/// The text of the next message box; the button with this text is pressed.
QString boxOf(const QString& button) {
  QString said;
  QTimer poll;
  QObject::connect(&poll, &QTimer::timeout, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || !said.isEmpty()) return;
    said = box->text() + ": " + box->informativeText();
    for (QAbstractButton* each : box->buttons())
      if (each->text().remove('&') == button) return each->click();
    box->reject();
  });
  poll.start(5);
  const bool isSaid = QTest::qWaitFor([&] { return !said.isEmpty(); }, kGenerousMs);
  return isSaid ? said : "no box appeared";
}

}  // namespace

class TestHungDocument : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (const QString why = HungFolder::obstacle(); !why.isEmpty()) QSKIP(qPrintable(why));
  }
  void init() { QSettings("millrace", "workbench").clear(); }
  void cleanup() { QSettings("millrace", "workbench").clear(); }

  void savingDoesNotBlockTheWindowAndKeepsLaterEdits() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    bench.edit(7);
    const std::string first = bench.document().text();
    bench.hang();
    bench.window.action("save")->trigger();
    QVERIFY(bench.notices("Still waiting for " + bench.file() + ", which is not saved yet"));
    bench.edit(8);
    QVERIFY(bench.document().isModified());
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return !bench.window.isWaitingForFiles(); }));
    QCOMPARE(bench.onDisk(), first);
    QVERIFY(bench.document().isModified());
    // The state before it, which the file no longer holds, does not count as saved either.
    bench.document().undoStack().undo();
    bench.document().undoStack().undo();
    QVERIFY(bench.document().isModified());
    bench.window.action("save")->trigger();
    QVERIFY(bench.soon([&] { return !bench.document().isModified(); }));
    QCOMPARE(bench.onDisk(), bench.document().text());
  }

  void ofTwoPendingSavesTheNewestBytesAreWritten() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    bench.hang();
    for (const std::uint64_t seed : {7, 8, 9}) {
      bench.edit(seed);
      bench.window.action("save")->trigger();
    }
    QVERIFY(bench.notices("not saved yet"));
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return !bench.document().isModified(); }));
    QCOMPARE(bench.onDisk(), bench.document().text());
    QCOMPARE(bench.document().graph().seed, std::uint64_t{9});
  }

  void givingUpASaveLosesNothing() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    const std::string before = bench.onDisk();
    bench.edit(7);
    bench.hang();
    bench.window.action("save")->trigger();
    QVERIFY(bench.notices("not saved yet"));
    bench.answer("Give up");
    QVERIFY(bench.notices("Your changes are still here; save them under another name."));
    QVERIFY(bench.document().isModified());
    // A second attempt would write the same file at the same time.
    QTimer::singleShot(0, &bench.window, [&] { bench.window.action("save")->trigger(); });
    const QString said = boxOf("Close");
    QVERIFY2(said.contains("Not saved") && said.contains("save under another name"),
             qPrintable(said));
    QVERIFY(bench.document().isModified());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return !bench.document().isModified(); }));
    QCOMPARE(bench.onDisk(), bench.document().text());
    QVERIFY(bench.onDisk() != before);
  }

  void theWindowClosesOnlyOnceTheFileIsSaved() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    bench.edit(7);
    bench.hang();
    QTimer::singleShot(0, &bench.window, [&] { bench.window.close(); });
    QVERIFY(boxOf("Save").contains("unsaved changes"));
    QVERIFY(bench.notices("not saved yet"));
    QVERIFY(bench.window.isVisible());
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return !bench.window.isVisible(); }));
    QCOMPARE(bench.onDisk(), bench.document().text());
  }

  void theCopyOfAnUnresponsiveFileIsRecovered() {
    HungBench bench;
    {
      Document document(builtinCatalog());
      VERIFY_OK(tests::openFile(document, bench.file()));
      Graph graph = document.graph();
      graph.seed = 7;
      document.edit("Seed", std::move(graph));
      Recovery recovery(document, Recovery::defaultFolder());
      recovery.writeNow();
      // As left by a process that has ended.
      QString kept = toQt(tests::contentOf(pathOf(recovery.recoveryFile())));
      kept.replace(QRegularExpression("\"process\": \\d+"), "\"process\": 2147483646");
      QFile left(Recovery::defaultFolder() + "/2147483646-1.json");
      QVERIFY(left.open(QIODevice::WriteOnly));
      left.write(kept.toUtf8());
    }
    bench.hang();
    QTimer::singleShot(0, &bench.window, [&] { bench.window.offerRecovery(); });
    QVERIFY(boxOf("Open copy").contains("ended before mine.millrace.json was saved"));
    QVERIFY(bench.soon([&] { return bench.isInFront("mine.millrace.json"); }));
    QVERIFY(bench.document().isModified());
    QVERIFY(bench.soon([] { return HungFolder::waiting() > 0; }));
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
  }
};

}  // namespace millrace

using millrace::TestHungDocument;
MILLRACE_TEST_CASE(TestHungDocument)
#include "tst_hung_document.moc"
