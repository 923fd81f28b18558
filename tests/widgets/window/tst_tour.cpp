// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#first-start: the tour, in a window of three buttons.
#include "widgets/start/tour.h"

#include <array>

#include <QPushButton>
#include <QVBoxLayout>

#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"

namespace millrace {

namespace {

/// A window with a button for each step.
struct TourBench {
  TourBench() {
    auto* column = new QVBoxLayout(&window);
    std::vector<Tour::Step> steps;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
      QPushButton* button = buttons[i] = new QPushButton;
      column->addWidget(button);
      steps.push_back(
          {QString("Step %1").arg(i + 1), "What it does.", [button] { return button; }});
    }
    tour = new Tour(window, steps);
    window.resize(800, 600);
    window.show();
  }
  void press(Qt::Key key) { QTest::keyClick(tour->findChild<QPushButton*>("tour_next"), key); }

  QWidget window;
  std::array<QPushButton*, 3> buttons = {};
  Tour* tour = nullptr;
};

}  // namespace

class TestTour : public QObject {
  Q_OBJECT
 private slots:
  void enterGoesOnBackspaceGoesBackAndEscEnds() {
    TourBench bench;
    bench.buttons[1]->hide();
    bench.tour->start();
    QCOMPARE(bench.tour->title(), QString("Step 1"));
    bench.press(Qt::Key_Return);
    QCOMPARE(bench.tour->title(), QString("Step 3"));
    bench.press(Qt::Key_Backspace);
    QCOMPARE(bench.tour->title(), QString("Step 1"));
    bench.press(Qt::Key_Return);
    bench.press(Qt::Key_Return);
    QVERIFY(!bench.tour->isGoing() && bench.tour->title().isEmpty());
    bench.tour->start();
    QCOMPARE(bench.tour->title(), QString("Step 1"));
    bench.press(Qt::Key_Escape);
    QVERIFY(!bench.tour->isGoing() && bench.tour->title().isEmpty());
  }

  void theFocusReturnsToWhereItWas() {
    TourBench bench;
    bench.buttons[1]->setFocus();
    bench.tour->start();
    QVERIFY(bench.tour->isAncestorOf(bench.window.focusWidget()));
    bench.press(Qt::Key_Escape);
    QVERIFY(bench.window.focusWidget() == bench.buttons[1]);
  }

  void theTourGoesOnOnceALaterWidgetIsShown() {
    TourBench bench;
    bench.buttons[1]->hide();
    bench.buttons[2]->hide();
    bench.tour->start();
    bench.press(Qt::Key_Return);
    QVERIFY(bench.tour->isGoing() && bench.tour->title().isEmpty());
    bench.buttons[2]->show();
    QVERIFY(QTest::qWaitFor([&] { return bench.tour->title() == "Step 3"; }, tests::kGenerousMs));
  }

  void theRingFollowsItsWidgetAndGoesWithIt() {
    TourBench bench;
    bench.tour->start();
    QWidget* ring = nullptr;
    for (auto* child : bench.window.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (child->testAttribute(Qt::WA_TransparentForMouseEvents)) ring = child;
    QVERIFY(ring != nullptr && ring->isVisible());
    const auto isAround = [&](std::size_t button) {
      const QRect place = bench.buttons[button]->geometry().adjusted(-3, -3, 3, 3);
      return ring->isVisible() && ring->geometry() == (place & bench.window.rect());
    };
    QVERIFY(isAround(0));
    bench.buttons[0]->move(400, 300);
    QVERIFY(QTest::qWaitFor([&] { return isAround(0); }, tests::kGenerousMs));
    // Another widget covers the one of the step, such as a dock's neighbour.
    QWidget cover(&bench.window);
    cover.setGeometry(bench.buttons[0]->geometry().adjusted(-9, -9, 9, 9));
    cover.setAttribute(Qt::WA_OpaquePaintEvent);
    cover.show();
    bench.buttons[0]->lower();
    QVERIFY(QTest::qWaitFor([&] { return bench.tour->title() == "Step 2" && isAround(1); },
                            tests::kGenerousMs));
    for (QPushButton* button : bench.buttons) button->hide();
    QVERIFY(QTest::qWaitFor([&] { return !ring->isVisible(); }, tests::kGenerousMs));
    bench.tour->end();
    bench.buttons[1]->show();
    QTest::qWait(300);
    QVERIFY(!ring->isVisible() && !bench.tour->isVisible());
  }

  void theBubbleLeavesTheContentOfALargeWidgetInView() {
    QWidget window;
    QWidget canvas(&window);
    window.resize(900, 700);
    canvas.setGeometry(0, 0, 900, 700);
    QRect content;
    Tour tour(window,
              {{"Canvas", "What it does.", [&] { return &canvas; }, [&] { return content; }}});
    window.show();
    for (const QRect place : {QRect(20, 20, 860, 300), QRect(20, 300, 860, 390),
                              QRect(20, 20, 400, 660), QRect(480, 20, 400, 660)}) {
      content = place;
      tour.start();
      QVERIFY2(!tour.geometry().intersects(place) && window.rect().contains(tour.geometry()),
               qPrintable(QString("%1 %2").arg(tour.x()).arg(tour.y())));
    }
  }

  void theBubbleIsInTheWindowAndNextToItsWidget() {
    TourBench bench;
    bench.tour->start();
    for (const QPushButton* button : bench.buttons) {
      QVERIFY(bench.window.rect().contains(bench.tour->geometry()));
      QVERIFY(!bench.tour->geometry().intersects(button->geometry()));
      bench.press(Qt::Key_Return);
    }
  }
};

}  // namespace millrace

using millrace::TestTour;
MILLRACE_TEST_CASE(TestTour)
#include "tst_tour.moc"
