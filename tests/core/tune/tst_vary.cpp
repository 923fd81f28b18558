// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/vary.h"

#include "core/base/text/text.h"
#include "core/nodes/builtin.h"
#include "core/tune/sweep/sweep_plan.h"
#include "tests/core/graph/example_graph.h"
#include "tests/core/tune/axis.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::axis;
using tests::exampleGraph;

namespace {

Result<SweepAxis> vary(std::string_view text) {
  return parseVary(exampleGraph("classification"), builtinCatalog(), text);
}

QString valuesOf(const SweepAxis& axis) {
  std::vector<std::string> texts;
  for (const Value& value : axis.values) texts.push_back(textOf(value));
  return QString::fromStdString(join(texts, " "));
}

}  // namespace

class TestVary : public QObject {
  Q_OBJECT
 private slots:
  void anAxisIsWrittenAsItIsRead() {
    for (const char* text : {"workers.count=4,1,2", "decode.scaling=full,auto",
                             "flip.horizontal=0.125,0.5", "normalise.mean=0.5,0.5,0.5;0,0,0"}) {
      const Result<SweepAxis> axis = vary(text);
      VERIFY_OK(axis);
      QCOMPARE(varyText(*axis), std::string(text));
    }
  }

  void readsListsRangesStepsAndFactors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("values");
    QTest::newRow("list") << "workers.count=4,1,2" << "4 1 2";
    QTest::newRow("range") << "workers.count=1..4" << "1 2 3 4";
    QTest::newRow("step") << "workers.count=1..16:5" << "1 6 11 16";
    QTest::newRow("end not hit") << "workers.count=1..15:5" << "1 6 11";
    QTest::newRow("doubling") << "batch.size=16..256:x2" << "16 32 64 128 256";
    QTest::newRow("factor") << "batch.size=16..60:x1.5" << "16 24 36 54";
    QTest::newRow("mixed, each once") << "workers.count=2,1..3,8" << "2 1 3 8";
    QTest::newRow("tenths") << "flip.horizontal=0..0.3:0.1" << "0 0.1 0.2 0.3";
    QTest::newRow("choices") << "decode.scaling=*" << "auto full";
    QTest::newRow("choice") << "decode.scaling=full,auto" << "full auto";
    QTest::newRow("boolean") << "batch.drop_last=true,false" << "true false";
    QTest::newRow("lists") << "normalise.mean=0.5,0.5,0.5;0,0,0" << "0.5,0.5,0.5 0,0,0";
  }
  void readsListsRangesStepsAndFactors() {
    QFETCH(QString, text);
    QFETCH(QString, values);
    const auto read = vary(text.toStdString());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QCOMPARE(valuesOf(*read), values);
  }

  void theCurrentValueIsTheDocumentsOrTheDefault() {
    QCOMPARE(textOf(vary("workers.count=1,2")->current),
             textOf(std::get<Value>(
                 exampleGraph("classification").node("workers")->params.at("count"))));
    Graph graph = exampleGraph("classification");
    graph.node("workers")->params.clear();
    QCOMPARE(parseVary(graph, builtinCatalog(), "workers.count=1,2")->current,
             builtinCatalog().find("workers")->param("count")->defaultValue);
  }

  void refusesWithWhatIsValid_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("form") << "workers=1,2" << "is not of the form NODE.PARAM=VALUES";
    QTest::newRow("node") << "wrokers.count=1,2" << "did you mean `workers`?";
    QTest::newRow("other node") << "zzz.count=1,2" << "image_folder";
    QTest::newRow("parameter") << "workers.cuont=1,2" << "did you mean `count`?";
    QTest::newRow("other parameter") << "workers.zzz=1,2" << "there are count, unit and order";
    QTest::newRow("outside") << "workers.count=0..4" << "0 is out of range: 1 to";
    QTest::newRow("no number") << "workers.count=1,many" << "expected a whole number, found `many`";
    QTest::newRow("choice") << "decode.scaling=auto,half" << "`half` is not one of auto, full";
    QTest::newRow("backwards") << "workers.count=8..1" << "the smaller number must come first";
    QTest::newRow("step 0") << "workers.count=1..4:0" << "the step must be above 0";
    QTest::newRow("factor 1") << "batch.size=1..4:x1" << "the factor must be above 1";
    QTest::newRow("no step") << "flip.horizontal=0..1" << "needs a step";
    QTest::newRow("one value") << "workers.count=2,2" << "2 alone varies nothing";
    QTest::newRow("gap") << "workers.count=1,,2" << "a value is missing";
    QTest::newRow("nothing") << "workers.count=" << "a value is missing";
    QTest::newRow("far too many") << "batch.size=1..60000" << "more than 10 000 values";
  }
  void refusesWithWhatIsValid() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = vary(text.toStdString());
    QVERIFY(!read.ok());
    const QString message = QString::fromStdString(read.error().message);
    QVERIFY2(message.contains(says), qPrintable(message));
    // The caller begins with the whole text.
    QVERIFY2(!message.startsWith(text.section('=', 0, 0) + ":"), qPrintable(message));
  }

  void whatChangesNothingIsNotVaried() {
    const Graph graph = exampleGraph("classification");
    const auto axis = [&](const char* text) { return *parseVary(graph, builtinCatalog(), text); };
    const Status alone = checkUsed(graph, builtinCatalog(), {axis("shuffle.window=10,20")});
    QVERIFY(!alone);
    QCOMPARE(alone.error().message,
             std::string("`shuffle.window` has no effect: it is used only where "
                         "shuffle.mode is window or interleave, but the pipeline has full"));
    VERIFY_OK(
        checkUsed(graph, builtinCatalog(), {axis("shuffle.window=10,20"), axis("shuffle.mode=*")}));
    VERIFY_OK(checkUsed(graph, builtinCatalog(), {axis("workers.count=1,2")}));
  }

  void aBypassedNodeIsNotVaried() {
    Graph graph = exampleGraph("classification");
    graph.node("flip")->state = NodeState::Bypass;
    const auto read = parseVary(graph, builtinCatalog(), "flip.horizontal=0,1");
    QVERIFY(!read.ok());
    QVERIFY(read.error().message.find("is bypassed") != std::string::npos);
  }

  void theGridIsWholeAndSortedAndHasTheCurrentSetting() {
    const auto plan = planSweep({axis("a", 2), axis("b", 3)}, {}, 0);
    QCOMPARE(plan->points.size(), 6U);
    QVERIFY(plan->fullGrid());
    QCOMPARE(QString::fromStdString(plan->settings(5)), QString("a.n=2 b.n=3"));
    QCOMPARE(plan->current(), 0U);
    SweepAxis without = axis("c", 3);
    without.current = std::int64_t{9};
    const auto more = planSweep({without}, {}, 0);
    QCOMPARE(more->points.size(), 4U);
    QCOMPARE(more->current(), 3U);
    QVERIFY(!more->points[3].designed);
    QVERIFY(more->fullGrid());
  }

  void randomPointsAreDifferentOnesAndDrawnBySeed() {
    using Kind = SweepDesign::Kind;
    const auto points = [](std::size_t count, std::uint64_t seed) {
      const auto plan = planSweep({axis("a", 10), axis("b", 10)}, {Kind::Random, count}, seed);
      std::string text;
      std::size_t designed = 0;
      for (std::size_t i = 0; i < plan->points.size(); ++i) {
        if (!plan->points[i].designed) continue;
        text += plan->settings(i) + "\n";
        ++designed;
      }
      return std::pair(designed, text);
    };
    for (const std::size_t count : {1U, 30U, 80U, 100U}) QCOMPARE(points(count, 1).first, count);
    QVERIFY(points(30, 1) == points(30, 1));
    QVERIFY(points(30, 1) != points(30, 2));
    QCOMPARE(points(500, 1).first, 100U);
  }

  void aLatinHypercubeMeetsEveryStratumOnce() {
    const auto plan = planSweep({axis("a", 8), axis("b", 16)}, {SweepDesign::Kind::Latin, 8}, 7);
    std::vector<int> ofA(8, 0);
    std::vector<int> ofB(8, 0);
    for (const SweepPoint& point : plan->points) {
      if (!point.designed) continue;
      ++ofA[static_cast<std::size_t>(std::get<std::int64_t>(point.values[0]) - 1)];
      ++ofB[static_cast<std::size_t>((std::get<std::int64_t>(point.values[1]) - 1) / 2)];
    }
    QCOMPARE(ofA, std::vector<int>(8, 1));
    QCOMPARE(ofB, std::vector<int>(8, 1));
    QVERIFY(!plan->fullGrid());
  }

  void refusesPlansThatMeanNothing() {
    const auto twice = planSweep({axis("a", 2), axis("a", 3)}, {}, 0);
    QVERIFY(!twice.ok());
    QVERIFY(twice.error().message.find("a.n is varied twice") == 0);
    QVERIFY(!planSweep({}, {}, 0).ok());
    QVERIFY(!planSweep({axis("a", 200), axis("b", 200)}, {}, 0).ok());
    QVERIFY(planSweep({axis("a", 200), axis("b", 200)}, {SweepDesign::Kind::Latin, 5}, 0).ok());
    for (const char* text : {"", "random", "random:0", "latin:x", "random:-3", "grid"})
      QVERIFY2(!parseDesign(text).ok(), text);
    QCOMPARE(QString::fromStdString(textOf(*parseDesign("latin:20"))), QString("latin:20"));
  }
};

MILLRACE_TEST_CASE(TestVary)

}  // namespace millrace

#include "tst_vary.moc"
