// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#documents: data that is missing or disappears can be located.
#include <QAction>
#include <QLabel>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/document_bench.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/tune/tune_dialog.h"

namespace millrace {

namespace {

using tests::DocumentBench;
using tests::kGenerousMs;
using tests::pipelineText;

}  // namespace

class TestMissingData : public QObject {
  Q_OBJECT
 private slots:
  void missingDataCanBeLocated() {
    DocumentBench controller(pipelineText(R"({"id": "source", "kind": "paired_folders",
      "params": {"input": "old/lr", "target": "old/hr"}})"));
    QVERIFY(controller.soon([&] { return controller.noticed().size() == 2; }));
    QVERIFY2(controller.noticed()[0].contains("old/lr does not exist"),
             qPrintable(controller.noticed()[0]));
    auto* ready = controller.window.findChild<QLabel*>("ready");
    QVERIFY2(ready->text().startsWith("Not ready: 2 paths do not exist, the first is old/lr."),
             qPrintable(ready->text()));
    controller.folder.makeFolder("new/lr");
    controller.folder.makeFolder("new/hr");
    auto* notices = controller.window.page()->findChild<PageNotices*>();
    notices->setChoose(
        [&](const MissingPath&, const QString&) { return controller.path("new/lr"); });
    emit ready->linkActivated("locate");
    QVERIFY(controller.soon([&] { return controller.noticed().isEmpty(); }));
    QVERIFY(controller.soon([&] { return ready->text().startsWith("Ready to run"); }));
    const std::string text = controller.document().text();
    QVERIFY2(text.find("\"input\": \"new/lr\"") != std::string::npos &&
                 text.find("\"target\": \"new/hr\"") != std::string::npos,
             text.c_str());
    QCOMPARE(controller.document().undoStack().count(), 1);
  }

  void missingDataPreventsMeasuringAndIsReported() {
    DocumentBench controller(pipelineText(R"({"id": "source", "kind": "paired_folders",
      "params": {"input": "old/lr", "target": "old/hr"}})"));
    QAction* run = controller.window.action("run");
    QVERIFY(controller.soon([&] { return !controller.noticed().isEmpty() && !run->isEnabled(); }));
    const QString why = "2 paths do not exist, the first is old/lr.";
    QVERIFY2(run->toolTip().startsWith(why) && run->toolTip().contains("Locate data"),
             qPrintable(run->toolTip()));
    QAction* diagnose = controller.window.action("diagnose");
    QVERIFY(!diagnose->isEnabled());
    QVERIFY2(diagnose->toolTip().startsWith(why), qPrintable(diagnose->toolTip()));
    controller.window.action("sweep")->trigger();
    SweepDialog& sweep = *controller.window.sweeps().dialog();
    QVERIFY2(sweep.words().startsWith(why), qPrintable(sweep.words()));
    QVERIFY(!sweep.startButton().isEnabled());
    controller.window.action("tune")->trigger();
    TuneDialog& tune = *controller.window.tunes().dialog();
    QVERIFY2(tune.words().startsWith(why), qPrintable(tune.words()));
    QVERIFY(!tune.startButton().isEnabled());
    // Neither begins in another way, such as from the notice about an unfinished one.
    controller.window.sweeps().start(*controller.window.page(), {});
    QVERIFY(!controller.window.sweeps().isRunning());

    // It comes back, and this is noticed without any action.
    controller.folder.makeFolder("old/lr");
    controller.folder.makeFolder("old/hr");
    QVERIFY(controller.soon([&] { return controller.noticed().isEmpty(); }));
    QVERIFY(controller.soon([&] { return run->isEnabled() && diagnose->isEnabled(); }));
    QVERIFY2(!tune.words().startsWith(why), qPrintable(tune.words()));
  }

  void dataThatDisappearsCanBeLocated() {
    DocumentBench controller(pipelineText(R"({"id": "source", "kind": "paired_folders",
      "params": {"input": "lr", "target": "hr"}})"));
    controller.folder.makeFolder("lr");
    controller.folder.makeFolder("hr");
    QEvent back(QEvent::ActivationChange);
    QCoreApplication::sendEvent(&controller.window, &back);
    auto* ready = controller.window.findChild<QLabel*>("ready");
    const auto isReady = [&] { return ready->text().startsWith("Ready to run"); };
    QVERIFY(controller.soon([&] { return controller.noticed().isEmpty() && isReady(); }));
    std::filesystem::rename(controller.folder.path() / "hr", controller.folder.path() / "moved");
    // At the latest when the user returns to the window.
    controller.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&controller.window));
    QCoreApplication::sendEvent(&controller.window, &back);
    QVERIFY(controller.soon(
        [&] { return controller.noticed().join(' ').contains("hr does not exist"); }));
    QVERIFY2(ready->text().contains("Locate data"), qPrintable(ready->text()));
    const ProblemsModel& problems = controller.window.page()->session().problems;
    const auto isReported = [&] {
      for (int row = 0; row < problems.rowCount(); ++row) {
        const QString words = problems.index(row).data().toString();
        if (words.contains("hr does not exist") && words.contains("Locate data…")) return true;
      }
      return false;
    };
    QVERIFY(controller.soon(isReported));
    QVERIFY(controller.soon([&] { return !controller.window.action("run")->isEnabled(); }));
    std::filesystem::rename(controller.folder.path() / "moved", controller.folder.path() / "hr");
    QVERIFY(controller.soon([&] { return controller.noticed().isEmpty() && isReady(); }));
  }

  void aRunWithMissingDataLeadsToLocateData() {
    DocumentBench controller(pipelineText(R"({"id": "source", "kind": "image_folder",
      "params": {"paths": ["photos"]}})"));
    RunController& runs = controller.window.controller();
    runs.session().process().setProgram(tests::kMillrace);
    controller.folder.makeFolder("photos");
    controller.window.page()->findChild<PageNotices*>()->checkAgain();
    QVERIFY(controller.soon([&] { return controller.window.action("run")->isEnabled(); }));
    // The checks after an edit are over.
    QVERIFY(controller.soon([&] { return !controller.window.data().probe()->isAtWork(); }));
    std::filesystem::remove(controller.folder.path() / "photos");
    runs.run();
    QVERIFY(runs.session().isRunning());
    // Long before the next periodic check, and without leaving the window.
    QVERIFY(QTest::qWaitFor([&] { return !controller.noticed().isEmpty(); }, 5000));
    QVERIFY(controller.soon([&] { return !runs.session().isRunning(); }));
    QVERIFY2(controller.window.findChild<QLabel*>("ready")->text().contains("Locate data"),
             qPrintable(controller.window.findChild<QLabel*>("ready")->text()));
  }

  void existingShardsAreNotMissing() {
    const tests::TemporaryFolder folder;
    folder.write("a-00.tar", "");
    const std::vector<MissingPath> paths = {{"a", "paths", "a-{00..03}.tar"},
                                            {"a", "paths", "b-{00..03}.tar"}};
    QCOMPARE(missingOf(paths, folder.path()), std::vector<MissingPath>{paths[1]});
  }
};

}  // namespace millrace

using millrace::TestMissingData;
MILLRACE_TEST_CASE(TestMissingData)
#include "tst_missing_data.moc"
