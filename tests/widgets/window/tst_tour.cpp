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
