// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#trace: the timeline of a traced run.
#include <fstream>
#include <map>

#include <QComboBox>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/trace/trace_page.h"
#include "widgets/trace/trace_view.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using Span = TraceFile::Span;

constexpr std::uint64_t kMs = 1'000'000;

/// Two workers that decode samples of two batches, and a step; 100 ms.
std::shared_ptr<TraceFile> smallTrace() {
  auto file = std::make_shared<TraceFile>();
  file->texts = {"decode", "row", "step", "waits for a batch", "cats/1.jpg"};
  file->categories = {"decode", "batch", "step", "wait"};
  file->repeats = {"repeat 1", "repeat 2"};
  const auto sample = [](std::uint64_t from, std::uint64_t to, std::uint64_t number,
                         std::uint64_t batch) {
    return Span{from * kMs, to * kMs, 0, 0, 4, number, batch};
  };
  const auto batch = [](std::uint64_t from, std::uint64_t to, std::uint32_t name,
                        std::uint32_t category, std::uint64_t number) {
    return Span{from * kMs,         to * kMs,           name,  category,
                TraceFile::kNoText, TraceFile::kNoItem, number};
  };
  file->tracks = {
      {0, "workers:0", {sample(0, 20, 1, 0), sample(25, 45, 3, 1)}},
      {0, "workers:1", {sample(0, 22, 2, 0), sample(22, 44, 4, 1)}},
      {0, "step", {batch(0, 24, 3, 3, 0), batch(24, 60, 2, 2, 0), batch(60, 100, 2, 2, 1)}},
      {1, "workers:0", {sample(0, 10, 1, 0)}}};
  file->queues = {{0, "queue prefetch", {{22 * kMs, 1}, {24 * kMs, 0}}}};
  file->spanCount = 8;
  file->lengthNs = 100 * kMs;
  return file;
}

/// A thread with many short spans, one after the other with gaps.
std::vector<Span> manySpans(std::size_t count) {
  std::vector<Span> spans;
  for (std::uint64_t i = 0; i < count; ++i) spans.push_back({i * 1000, i * 1000 + 500, 0, 0});
  return spans;
}

class TraceBench {
 public:
  TraceBench() {
    view.resize(1000, 400);
    view.show();
    view.showTrace(smallTrace(), 0);
  }
  QPoint at(const TraceRows::Place& place) { return view.pointOf(place).toPoint(); }
  TraceView view;
};

}  // namespace

class TestTraceView : public QObject {
  Q_OBJECT
 private slots:
  void nodesHaveTheTitlesOfThePipeline() {
    auto file = smallTrace();
    file->texts[0] = "decode + flip";
    const TraceRows rows(*file, 0, [](const QString& id) {
      const std::map<QString, QString> titles = {{"decode", "Decode image"},
                                                 {"workers", "Workers"},
                                                 {"batch", "Batch"},
                                                 {"prefetch", "Prefetch"}};
      const auto title = titles.find(id);
      return title == titles.end() ? QString() : title->second;
    });
    QCOMPARE(rows.threads()[0].name, QString("Workers:0"));
    QCOMPARE(rows.threads()[2].name, QString("step"));
    QCOMPARE(rows.queueName(0), QString("queue Prefetch"));
    QCOMPARE(rows.nameOf(rows.span({0, 0, 0})), QString("Decode image + flip"));
    QCOMPARE(rows.nameOf(rows.span({2, 0, 0})), QString("waits for a batch"));
    const QString words = rows.wordsOf({0, 0, 0});
    QVERIFY2(words.startsWith("Decode image + flip") && words.endsWith("Workers:0"),
             qPrintable(words));
    QCOMPARE(TraceRows(*file, 0).threads()[0].name, QString("workers:0"));
  }

  void aMillionSpansAreAsManyPiecesAsPixels() {
    const std::vector<TraceLane> lanes = lanesOf(manySpans(1'000'000));
    QCOMPARE(lanes.size(), std::size_t{1});
    const auto pieces = lanes[0].pieces(0, lanes[0].endNs(), 1'000'000.0);
    QVERIFY2(pieces.size() <= 1001, qPrintable(QString::number(pieces.size())));
    QVERIFY(pieces[0].several);
    QVERIFY(std::abs(pieces[0].covered - 0.5) < 0.01);
  }

  void eachSpanIsAPieceOnceItIsAPixelWide() {
    const std::vector<TraceLane> lanes = lanesOf(manySpans(1000));
    const auto pieces = lanes[0].pieces(10'000, 20'000, 100);
    QCOMPARE(pieces.size(), std::size_t{10});
    QVERIFY(!pieces[0].several);
    QCOMPARE(pieces[3].span, std::size_t{13});
  }

  void busyTimeIsThatOfEveryPartOfASpan() {
    const std::vector<TraceLane> lanes = lanesOf(manySpans(1000));
    QCOMPARE(lanes[0].busyNs(0, 1000), std::uint64_t{500});
    QCOMPARE(lanes[0].busyNs(250, 1250), std::uint64_t{500});
    QCOMPARE(lanes[0].busyNs(600, 900), std::uint64_t{0});
    QCOMPARE(lanes[0].busyNs(0, 1'000'000), std::uint64_t{500'000});
  }

  void aSpanWithinAnotherIsInTheNextLane() {
    const std::vector<TraceLane> lanes =
        lanesOf({{0, 100, 0, 0}, {10, 20, 1, 0}, {100, 120, 0, 0}});
    QCOMPARE(lanes.size(), std::size_t{2});
    QCOMPARE(lanes[0].spans().size(), std::size_t{2});
    QCOMPARE(lanes[1].spans()[0].name, 1U);
  }

  void aFollowedBatchStandsOutInEveryThread() {
    TraceBench bench;
    // Spans of batch 0 and of batch 1 on the same thread.
    const QPoint own = bench.at({0, 0, 0});
    const QPoint other = bench.at({0, 0, 1});
    const auto colours = [&] {
      const QImage shown = bench.view.viewport()->grab().toImage();
      return std::pair(shown.pixelColor(own), shown.pixelColor(other));
    };
    const auto [ownBefore, otherBefore] = colours();
    bench.view.follow(0);
    const auto [ownNow, otherNow] = colours();
    QCOMPARE(ownNow, ownBefore);
    QVERIFY2(otherNow.lightness() > otherBefore.lightness() + 40, "the others are dimmed");
    bench.view.follow(std::nullopt);
    QCOMPARE(colours().second, otherBefore);
  }

  void theWheelZoomsAtThePointerAndDraggingPans() {
    TraceBench bench;
    const QPoint at(600, 100);
    const double span = bench.view.to() - bench.view.from();
    const double share = (600.0 - 132) / (bench.view.viewport()->width() - 132);
    const double before = bench.view.from() + share * span;
    QWheelEvent wheel(at, bench.view.viewport()->mapToGlobal(at), {}, {0, 480}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(bench.view.viewport(), &wheel);
    const double shown = bench.view.to() - bench.view.from();
    QVERIFY(shown < span / 1.5);
    QVERIFY(std::abs(bench.view.from() + share * shown - before) < span / 1000);
    const double from = bench.view.from();
    QTest::mousePress(bench.view.viewport(), Qt::LeftButton, {}, at);
    QTest::mouseMove(bench.view.viewport(), at + QPoint(60, 0));
    QTest::mouseMove(bench.view.viewport(), at + QPoint(100, 0));
    QTest::mouseRelease(bench.view.viewport(), Qt::LeftButton, {}, at + QPoint(100, 0));
    QVERIFY(bench.view.from() < from);
    QVERIFY(!bench.view.followed());
  }

  void keysZoomPanAndShowAll() {
    TraceBench bench;
    QTest::keyClick(&bench.view, Qt::Key_Plus);
    QTest::keyClick(&bench.view, Qt::Key_Plus);
    const double from = bench.view.from();
    QVERIFY(from > 0);
    QTest::keyClick(&bench.view, Qt::Key_Right);
    QVERIFY(bench.view.from() > from);
    QTest::keyClick(&bench.view, Qt::Key_F);
    QCOMPARE(bench.view.from(), 0.0);
    QCOMPARE(bench.view.to(), 100.0 * kMs);
    for (int i = 0; i < 100; ++i) QTest::keyClick(&bench.view, Qt::Key_Plus);
    QVERIFY(bench.view.to() - bench.view.from() >= 99);
    QTest::keyClick(&bench.view, Qt::Key_Minus);
  }

  void theSpanBelowThePointerIsNamedWithItsSampleAndTime() {
    TraceBench bench;
    QSignalSpy spy(&bench.view, &TraceView::hovered);
    QTest::mouseMove(bench.view.viewport(), bench.at({0, 0, 1}));
    QVERIFY(!spy.isEmpty());
    const QString words = spy.last().first().toString();
    for (const char* part : {"decode", "20.0", "sample 3 cats/1.jpg", "batch 1", "workers:0"})
      QVERIFY2(words.contains(part), qPrintable(words));
  }

  void aClickFollowsABatchFromReadingToTheStep() {
    TraceBench bench;
    QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at({1, 0, 1}));
    QCOMPARE(bench.view.followed(), std::optional<std::uint64_t>(1));
    const auto spans = bench.view.rows().spansOf(1);
    QCOMPARE(spans.size(), std::size_t{3});
    QCOMPARE(spans.back().thread, std::size_t{2});
    QVERIFY(bench.view.rows().storyOf(1).startsWith("Batch 1: 2 samples"));
    bench.view.showFollowed();
    QVERIFY(bench.view.from() > 10.0 * kMs);
    QTest::keyClick(&bench.view, Qt::Key_P);
    QCOMPARE(bench.view.followed(), std::optional<std::uint64_t>(0));
    QTest::keyClick(&bench.view, Qt::Key_Escape);
    QVERIFY(!bench.view.followed());
  }

  void theStripAboveMovesTheShownPart() {
    TraceBench bench;
    bench.view.zoomBy(10, 500);
    QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {},
                      QPoint(bench.view.viewport()->width() - 5, 10));
    QVERIFY(bench.view.to() > 99.0 * kMs);
  }

  void eachRepeatCanBeShown() {
    TracePage page;
    page.resize(900, 400);
    page.show();
    page.showTrace(smallTrace());
    QCOMPARE(page.repeats().count(), 2);
    QCOMPARE(page.view().rows().threads().size(), std::size_t{3});
    page.repeats().setCurrentIndex(1);
    QCOMPARE(page.view().rows().threads().size(), std::size_t{1});
    QVERIFY(page.problem().isEmpty());
  }

  void whatIsMissingFromATraceIsReported() {
    auto file = smallTrace();
    file->leftOut = 1234;
    file->damage = "The trace is incomplete: it is damaged or ends early at byte 7.";
    TracePage page;
    page.show();
    page.showTrace(file);
    QVERIFY(page.problem().contains("ends early at byte 7"));
    QVERIFY(page.problem().contains("later spans are left out"));
  }

  void aFileThatIsNoTraceIsReportedAndAGoodOneShown() {
    const tests::TemporaryFolder folder;
    std::ofstream(folder.path() / "bad.json") << "{}";
    std::ofstream(folder.path() / "good.json")
        << R"([{"ph":"X","name":"decode","cat":"decode","pid":1,"tid":1,"ts":0,"dur":5}])";
    TracePage page;
    page.resize(900, 400);
    page.show();
    QSignalSpy failed(&page, &TracePage::failed);
    page.open(fileText(folder.path() / "bad.json"));
    QVERIFY(failed.wait(kGenerousMs));
    QVERIFY2(page.problem().contains("not a trace"), qPrintable(page.problem()));
    QSignalSpy opened(&page, &TracePage::opened);
    page.open(fileText(folder.path() / "good.json"));
    QVERIFY(opened.wait(kGenerousMs));
    QVERIFY(page.problem().isEmpty());
    QCOMPARE(page.view().rows().threads().size(), std::size_t{1});
  }
};

}  // namespace millrace

using millrace::TestTraceView;
MILLRACE_TEST_CASE(TestTraceView)
#include "tst_trace_view.moc"
