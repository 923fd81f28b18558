// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#first-start: from the start to a running chart in two clicks, and the user's
// own folder.
#include <algorithm>

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QThreadPool>

#include "app/workbench/controllers/run_controller.h"
#include "core/open/examples.h"
#include "core/sample_data/sample_data.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/support/unprivileged.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/stall_watch.h"
#include "tests/widgets/start_bench.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/start/folder_drop.h"
#include "widgets/start/offer_card.h"
#include "widgets/start/offer_panel.h"
#include "widgets/start/start_page.h"

namespace millrace {

namespace {

using tests::StartBench;
using tests::writePicture;

}  // namespace

class TestStart : public QObject {
  Q_OBJECT
 private slots:
  void everyShippedExampleIsOffered() {
    StartBench bench;
    QVERIFY(bench.window.start().isShown());
    QCOMPARE(bench.page().cards().size(), examples().size());
    for (const OfferCard* card : bench.page().cards()) {
      QVERIFY(!card->offer().description.isEmpty());
      QVERIFY2(card->offer().data.contains(" generated"), qPrintable(card->offer().data));
      if (card->offer().name == "classification")
        QCOMPARE(card->offer().data, QString("600 generated, 480 for training"));
      if (card->offer().name == "chess")
        QVERIFY2(QString(card->offer().data)
                     .replace(QChar(0xA0), ' ')
                     .startsWith("98 304 generated samples"),
                 qPrintable(card->offer().data));
      // Nothing is generated before the window is shown.
      QVERIFY(card->samples().empty());
    }
    for (const QDockWidget* dock : bench.window.findChildren<QDockWidget*>())
      QVERIFY(dock->isHidden());
  }

  /// The count is that of the status bar once the example is open.
  void theCountOnEachCardFitsOnTheNarrowestCard() {
    StartBench bench;
    constexpr int kAround = 44;  // The icon and the margins.
    for (const OfferCard* card : bench.page().cards()) {
      const QString count = card->offer().count;
      QVERIFY(QFontMetrics(uiFont(12)).horizontalAdvance(count) <=
              card->minimumSizeHint().width() - kAround);
      if (card->offer().name == "classification") QCOMPARE(count, QString("480 samples"));
    }
  }

  /// They show the data's first samples, which are generated for that and kept.
  void theCardsHavePicturesBeforeAnyDataIsGenerated() {
    const tests::TemporaryFolder cache;
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.path().string()));
    {
      StartBench bench;
      for (const OfferCard* card : bench.page().cards())
        QVERIFY2(bench.waits([&] { return !card->samples().empty(); }),
                 qPrintable(card->offer().name));
      for (const OfferCard* card : bench.page().cards())
        QVERIFY(!hasSampleData(fromQt(card->offer().samples.first())));
      QCOMPARE(bench.page().cards()[2]->samples().front().pictures().size(), 2U);
      // Labels are those of the complete data.
      for (const ShownSample& sample : bench.page().cards()[1]->samples())
        QVERIFY2(QStringList({"cats", "dogs"}).contains(sample.labelText()),
                 qPrintable(sample.labelText()));
    }
    // A deleted page leaves no drawing running.
    QThreadPool::globalInstance()->waitForDone();
    qputenv("XDG_CACHE_HOME", before);
  }

  void everyExampleIsInViewInTheFirstWindow() {
    StartBench bench;
    QCoreApplication::processEvents();
    const QWidget& view = *bench.page().viewport();
    for (const OfferCard* card : bench.page().cards()) {
      const QRect box(card->mapTo(&view, QPoint(0, 0)), card->size());
      QVERIFY2(view.rect().contains(box), qPrintable(card->text()));
    }
  }

  void runStaysWhereItIsWhicheverExampleIsChosen() {
    StartBench bench;
    std::optional<QPoint> place;
    for (OfferCard* card : bench.page().cards()) {
      QTest::mouseClick(card, Qt::LeftButton);
      // Until the layout has settled.
      QTest::qWait(0);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      const QPoint now = bench.button("start_run")->mapTo(&bench.window, QPoint());
      if (!place) place = now;
      QVERIFY2(now == *place, qPrintable(QString("%1: %2 instead of %3")
                                             .arg(card->offer().name)
                                             .arg(now.y())
                                             .arg(place->y())));
    }
  }

  /// A click on the card, a click on Run, nothing typed. The data is generated in between, and then
  /// the card has pictures made by the engine.
  void twoClicksLeadToARunEvenWithoutData() {
    StartBench bench;
    OfferCard* pairs = bench.page().cards()[2];  // The smallest data set.
    QTest::mouseClick(pairs, Qt::LeftButton);
    QCOMPARE(bench.page().chosen().name, QString("super-resolution"));
    QTest::mouseClick(bench.button("start_run"), Qt::LeftButton);
    QVERIFY(bench.button("start_stop")->isVisible());
    QVERIFY(bench.waits([&] { return bench.isRunning(); }));
    QVERIFY(!bench.window.start().isShown());
    QCOMPARE(bench.window.page()->session().document.title(), QString("super-resolution"));
    QVERIFY(
        bench.waits([&] { return bench.window.controller().session().run().samplesRead() > 0; }));
    bench.window.controller().stop();
    QVERIFY(bench.waits([&] { return !bench.isRunning(); }));

    bench.window.action("close")->trigger();
    QVERIFY(bench.window.start().isShown());
    QVERIFY(bench.waits([&] { return !pairs->samples().empty(); }));
    QCOMPARE(pairs->samples().front().pictures().size(), 2U);
  }

  void longNamesOfRecentFilesLeaveRunInView() {
    StartBench bench;
    bench.page().setRecent({"/a", "/b", "/c", "/d"});
    const auto least = [&] {
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QCoreApplication::processEvents();
      return bench.page().widget()->minimumSizeHint().width();
    };
    const int withShortNames = least();
    QStringList files;
    for (int i = 0; i < 4; ++i)
      files << QString("/data/%1-%2.millrace.json").arg(i).arg(QString(90, 'n'));
    bench.page().setRecent(files);
    QCOMPARE(least(), withShortNames);
    const QPushButton* run = bench.button("start_run");
    QVERIFY(run->mapTo(&bench.page(), QPoint(run->width(), 0)).x() <= bench.page().width());
    int shortened = 0;
    for (const QPushButton* link : bench.page().findChildren<QPushButton*>())
      shortened += link->text().contains(u'…') && files.contains(link->toolTip()) ? 1 : 0;
    QCOMPARE(shortened, 4);
  }

  void theButtonsBelowTheCardsAreInViewInEveryWindow() {
    StartBench bench;
    bench.page().setRecent({"/a", "/b"});
    for (const QSize size : {QSize(1400, 900), QSize(1100, 700), QSize(800, 600)}) {
      bench.window.resize(size);
      QCoreApplication::processEvents();
      for (const char* name : {"start_new", "start_import", "start_at_start"}) {
        const auto* part = bench.page().findChild<QWidget*>(name);
        const QRect box(part->mapTo(&bench.window, QPoint()), part->size());
        QVERIFY2(bench.window.centralWidget()->geometry().contains(box) &&
                     part->visibleRegion().boundingRect().size() == part->size(),
                 name);
      }
    }
  }

  void thePageIsATabWhileDocumentsAreOpen() {
    StartBench bench;
    const tests::TemporaryFolder folder;
    for (const char* name : {"one.millrace.json", "two.millrace.json"})
      folder.write(name, *exampleJson("deblurring"));
    const QString one = fileText(folder.path() / "one.millrace.json");
    const QString two = fileText(folder.path() / "two.millrace.json");
    QTabWidget& tabs = bench.window.tabs();
    QVERIFY(tests::openIn(bench.window, two) && tests::openIn(bench.window, one));
    QCOMPARE(tabs.count(), 2);
    for (int i = 0; i < 2; ++i) bench.window.action("start_page")->trigger();
    QCOMPARE(tabs.count(), 3);
    QCOMPARE(tabs.currentWidget(), &bench.page());
    QVERIFY(bench.page().isVisible() && bench.page().isAncestorOf(bench.window.focusWidget()));
    QVERIFY(!bench.window.action("bypass")->isEnabled());
    QVERIFY(bench.window.findChild<QDockWidget*>("inspector")->isHidden());
    // A recent file that is open comes to the front, and the page has done its work.
    QPushButton* link = nullptr;
    for (QPushButton* each : bench.page().findChildren<QPushButton*>())
      if (each->toolTip() == two) link = each;
    QVERIFY(link != nullptr);
    link->click();
    QCOMPARE(tabs.count(), 2);
    QCOMPARE(bench.window.page()->session().document.filePath(), two);
    QVERIFY(!bench.window.findChild<QDockWidget*>("inspector")->isHidden());
    // It is closed like other tabs, and alone once no document is left.
    bench.window.action("start_page")->trigger();
    bench.window.action("close")->trigger();
    QCOMPARE(tabs.count(), 2);
    bench.window.action("start_page")->trigger();
    for (int i = 0; i < 2; ++i) emit tabs.tabCloseRequested(0);
    QVERIFY(bench.window.start().isShown() && bench.page().isVisible());
    QCOMPARE(tabs.count(), 1);
    bench.button("start_new")->click();
    QVERIFY(!bench.window.start().isShown());
    QCOMPARE(tabs.count(), 1);
  }

  void enterOpensARecentFile() {
    StartBench bench;
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("classification"));
    const std::filesystem::path file = folder.path() / "mine.millrace.json";
    bench.page().setRecent({fileText(file)});
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    QPushButton* link = nullptr;
    for (QPushButton* each : bench.page().findChildren<QPushButton*>())
      if (each->toolTip() == fileText(file)) link = each;
    QVERIFY(link != nullptr);
    link->setFocus(Qt::TabFocusReason);
    QTest::keyClick(link, Qt::Key_Return);
    QVERIFY(bench.waits([&] { return !bench.window.start().isShown(); }));
    QVERIFY(bench.waits(
        [&] { return bench.window.page()->session().document.filePath() == fileText(file); }));
  }

  void theKeysOfRunRunTheChosenExample() {
    StartBench bench;
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    QTest::keyClick(&bench.window, Qt::Key_F5);
    QVERIFY(bench.waits([&] { return bench.isRunning(); }));
    QVERIFY(!bench.window.start().isShown());
  }

  void aNarrowPageHasRunAtItsTop() {
    StartBench bench;
    QVERIFY(!bench.button("start_head_run")->isVisible());
    bench.window.resize(800, 600);
    QVERIFY(bench.waits([&] { return bench.button("start_head_run")->isVisible(); }));
    QPushButton& run = *bench.button("start_head_run");
    QVERIFY(bench.page().viewport()->rect().contains(
        QRect(run.mapTo(bench.page().viewport(), QPoint()), run.size())));
    QTest::mouseClick(&run, Qt::LeftButton);
    QVERIFY(bench.waits([&] { return bench.isRunning(); }));
  }

  void generatingTheDataCanBeStopped() {
    StartBench bench;
    QTest::mouseClick(bench.page().cards()[1], Qt::LeftButton);
    QCoreApplication::processEvents();
    const QPoint before = bench.button("start_run")->mapTo(&bench.window, QPoint());
    QTest::mouseClick(bench.button("start_run"), Qt::LeftButton);
    QVERIFY(bench.page().isAtWork());
    // The progress is readable, and nothing moves because of it.
    QVERIFY(bench.waits([&] {
      const auto labels = bench.page().findChildren<QLabel*>();
      return std::ranges::any_of(labels, [](const QLabel* label) {
        return label->wordWrap() && label->text().contains(" of 600");
      });
    }));
    QCOMPARE(bench.button("start_stop")->mapTo(&bench.window, QPoint()), before);
    QTest::mouseClick(bench.button("start_stop"), Qt::LeftButton);
    QVERIFY(bench.waits([&] { return bench.button("start_run")->isVisible(); }));
    QVERIFY(!bench.isRunning());
    QVERIFY(bench.window.start().isShown());
  }

  /// The cost does not grow with the folder: a scan is bounded, and nothing waits for it.
  void aFolderOfManyFilesDoesNotStallTheWindow() {
    StartBench bench;
    const auto many = bench.folder.path() / "many";
    writePicture(bench.folder, "many/first.png");
    constexpr int kFiles = 20000;
    for (int i = 0; i < kFiles; ++i)
      std::filesystem::create_hard_link(many / "first.png", many / (std::to_string(i) + ".png"));
    QTest::qWait(0);  // The window's first picture is not of the folder.
    const tests::StallWatch stalls;
    bench.drop(many);
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QVERIFY2(bench.page().chosen().data.contains("at least", Qt::CaseInsensitive),
             qPrintable(bench.page().chosen().data));
    QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
  }

  void anUnreadableFolderIsReported() {
    StartBench bench;
    bench.folder.makeFolder("locked");
    std::filesystem::permissions(bench.folder.path() / "locked", std::filesystem::perms::none);
    std::filesystem::permissions(bench.folder.path(), std::filesystem::perms(0755));
    {
      const tests::Unprivileged user;
      bench.drop(bench.folder.path() / "locked");
      const auto isSaid = [&] {
        return bench.page().drop().said().contains("permission", Qt::CaseInsensitive);
      };
      QVERIFY2(bench.waits(isSaid), qPrintable(bench.page().drop().said()));
    }
    QVERIFY(!bench.page().chosen().isOwn);
    std::filesystem::permissions(bench.folder.path() / "locked", std::filesystem::perms(0755));
  }

  void aFolderDroppedOnOpenDocumentsBecomesAnother() {
    StartBench bench;
    bench.window.open("classification");
    QVERIFY(!bench.window.start().isShown());
    writePicture(bench.folder, "lr/1.png");
    writePicture(bench.folder, "hr/1.png");
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return bench.window.tabs().count() == 2; }));
    const Document& document = bench.window.page()->session().document;
    QVERIFY(!document.graph().nodes.empty());
    QVERIFY2(document.isModified(), "it is saved nowhere");
  }

  void openWithoutRunningAndANewPipelineCloseThePage() {
    {
      StartBench bench;
      QVERIFY2(!bench.window.action("save")->isEnabled(), "there is nothing to save");
      QTest::mouseClick(bench.button("start_open"), Qt::LeftButton);
      QVERIFY(!bench.window.start().isShown() && !bench.isRunning());
      QVERIFY(bench.window.action("save")->isEnabled());
      QVERIFY(!bench.window.page()->session().document.isModified());
      QCOMPARE(bench.window.page()->session().document.title(), QString("classification"));
      QVERIFY(!bench.window.findChild<QDockWidget*>("inspector")->isHidden());
    }
    StartBench bench;
    QTest::mouseClick(bench.button("start_new"), Qt::LeftButton);
    QVERIFY(!bench.window.start().isShown());
    QVERIFY(bench.window.page()->session().document.graph().nodes.empty());
  }

  void aNewPipelineFromThePageOpensOneTab() {
    StartBench bench;
    bench.window.action("new")->trigger();
    QVERIFY(!bench.window.start().isShown());
    QCOMPARE(bench.window.tabs().count(), 1);
    bench.window.action("new")->trigger();
    QCOMPARE(bench.window.tabs().count(), 2);
  }

  void thePageFitsASmallWindow() {
    StartBench bench;
    bench.window.resize(800, 600);
    // Laid out in the next turn of the event loop.
    QVERIFY(bench.waits([&] {
      return bench.page().width() <= 800 &&
             bench.page().widget()->width() <= bench.page().viewport()->width();
    }));
    for (const OfferCard* card : bench.page().cards()) QVERIFY(card->width() >= 180);
  }
};

MILLRACE_TEST_CASE(TestStart)

}  // namespace millrace

#include "tst_start.moc"
