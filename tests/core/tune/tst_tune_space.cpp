// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_space.h"

#include <algorithm>
#include <cmath>

#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/tune/tuner/tune_goal.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

const char* const kPipeline = R"({"format_version": 1, "nodes": [
  {"id": "synthetic", "kind": "synthetic", "params": {"count": 1000}},
  {"id": "workers", "kind": "workers", "params": {"count": 3}},
  {"id": "batch", "kind": "batch", "params": {"size": 8}},
  {"id": "prefetch", "kind": "prefetch"},
  {"id": "drain", "kind": "drain"}],
 "wires": [{"from": "synthetic", "to": "workers"}, {"from": "workers", "to": "batch"},
  {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})";

Graph graph() { return *parseGraph(kPipeline, builtinCatalog()).graph; }

Plan plan() {
  CheckOptions options;
  options.openData = true;
  CheckResult checked = checkGraph(graph(), builtinCatalog(), options);
  return makePlan(std::move(*checked.pipeline)).take();
}

std::string namesOf(const std::vector<TuneAxis>& axes) {
  std::string names;
  for (const TuneAxis& axis : axes) names += axis.name + " ";
  return names;
}

AllowedChanges allowed(const char* text) { return *parseAllowed(text); }

}  // namespace

class TestTuneSpace : public QObject {
  Q_OBJECT
 private slots:
  void onlyWhatTrainingDoesNotSeeIsTunedUnlessAllowed() {
    TunePreferences requests;
    requests.cores = 2;
    QCOMPARE(namesOf(*tuneSpace(plan(), requests)),
             std::string("workers.count workers.unit prefetch.batches "));
    requests.allowed = allowed("order, batching");
    requests.cache = CachePoint{"workers", 1000, false};
    const std::vector<TuneAxis> axes = *tuneSpace(plan(), requests);
    QCOMPARE(namesOf(axes),
             std::string("workers.count workers.unit workers.order batch.size prefetch.batches "
                         "cache "));
    QCOMPARE(nameOf(axes[2].changes), std::string_view("order"));
    QCOMPARE(nameOf(axes[3].changes), std::string_view("batching"));
    QVERIFY(parseAllowed("order").ok() && !parseAllowed("everything").ok());
  }

  void theCurrentValueIsALevelWithoutAnEdit() {
    const std::vector<TuneAxis> axes = *tuneSpace(plan(), {});
    const TuneAxis& count = axes.front();
    QCOMPARE(count.levels[count.start].text, std::string("3"));
    for (std::size_t level = 0; level < count.levels.size(); ++level)
      QCOMPARE(count.levels[level].edit.has_value(), level != count.start);
    QVERIFY(std::stoi(count.levels.back().text) >= 8);
  }

  void aQueueIsTriedUpToItsLengthOrItsMemory() {
    const auto longest = [](const Plan& plan) {
      const std::vector<TuneAxis> axes = *tuneSpace(plan, {});
      const auto queue = std::ranges::find(axes, std::string("prefetch.batches"), &TuneAxis::name);
      return queue->levels.back().text;
    };
    Plan large = plan();
    QCOMPARE(longest(large), std::string("64"));
    large.queues.back().batchBytes = 100'000'000;
    QCOMPARE(longest(large), std::string("8"));
  }

  void aSourceIsReadFurtherAheadByDoubles() {
    const auto steps = [](const std::string& params, bool waits = true) {
      Graph graph = *parseGraph(R"({"format_version": 1, "nodes": [
        {"id": "source", "kind": "image_folder", "params": )" +
                                    params + R"(},
        {"id": "batch", "kind": "batch", "params": {"size": 8}},
        {"id": "drain", "kind": "drain"}],
        "wires": [{"from": "source", "to": "batch"}, {"from": "batch", "to": "drain"}]})",
                                builtinCatalog())
                         .graph;
      CheckResult checked = checkGraph(graph, builtinCatalog(), {});
      const Plan made = makePlan(std::move(*checked.pipeline)).take();
      TunePreferences requests;
      requests.waits = waits;
      const std::vector<TuneAxis> axes = *tuneSpace(made, requests);
      std::string text;
      for (const TuneAxis& axis : axes)
        if (axis.name == "source.read_ahead")
          for (const TuneLevel& level : axis.levels) text += level.text + " ";
      return text;
    };
    QCOMPARE(steps(R"({"paths": ["x"]})"), std::string("0 8 16 32 64 128 "));
    QCOMPARE(steps(R"({"paths": ["x"], "read_ahead": 300})"),
             std::string("0 8 16 32 64 128 256 300 "));
    QCOMPARE(steps(R"({"paths": ["x"]})", false), std::string());
    QCOMPARE(steps(R"({"paths": ["x"], "read_ahead": 16})", false),
             std::string("0 8 16 32 64 128 "));
  }

  void aPointIsADocumentAndItsEdits() {
    TunePreferences requests;
    requests.cache = CachePoint{"synthetic", 1000, false};
    const std::vector<TuneAxis> axes = *tuneSpace(plan(), requests);
    TunePoint point;
    for (const TuneAxis& axis : axes) point.push_back(axis.start);
    QVERIFY(*graphAt(graph(), builtinCatalog(), axes, point) == graph());
    QVERIFY(!onlyMoved(axes, point));
    point[0] = 0;
    QCOMPARE(*onlyMoved(axes, point), std::size_t{0});
    point.back() = 1;
    QVERIFY(!onlyMoved(axes, point));
    QCOMPARE(editsAt(axes, point).size(), std::size_t{2});
    QCOMPARE(settingsText(axes, point), std::string("workers.count=1 cache=after:synthetic"));
    QCOMPARE(allSettingsText(axes, point),
             std::string("workers.count=1 workers.unit=sample prefetch.batches=2 "
                         "cache=after:synthetic"));
    const Graph edited = *graphAt(graph(), builtinCatalog(), axes, point);
    QCOMPARE(edited.nodes.size(), graph().nodes.size() + 1);
    QVERIFY(checkGraph(edited, builtinCatalog(), {}).pipeline.has_value());
  }

  void whatAPersonVariesMustBeAllowed() {
    TunePreferences requests;
    requests.varied.push_back(*parseVary(graph(), builtinCatalog(), "batch.size=16,32"));
    const auto refused = tuneSpace(plan(), requests);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("allow changes of batching first") != std::string::npos);
    requests.allowed = allowed("batching");
    requests.varied.push_back(*parseVary(graph(), builtinCatalog(), "workers.count=4,2"));
    const std::vector<TuneAxis> axes = *tuneSpace(plan(), requests);
    QCOMPARE(axes.front().levels.size(), std::size_t{3});
    QCOMPARE(axes.front().levels[1].text, std::string("3"));
    QCOMPARE(axes.front().start, std::size_t{1});
  }

  void goalsAreScoredHigherIsBetter() {
    SpanFigures slow;
    slow.samplesPerSecond.mean = 100;
    slow.cpuSecondsPer1000Samples = 10;
    slow.waitP95Ms = 5;
    SpanFigures fast = slow;
    fast.samplesPerSecond.mean = 200;
    fast.cpuSecondsPer1000Samples = 8;
    fast.waitP95Ms = 0;
    for (const char* goal : {"throughput", "cost", "latency"})
      QVERIFY(*scoreOf(*parseGoal(goal), fast, 2) > *scoreOf(*parseGoal(goal), slow, 2));
    QVERIFY(*scoreOf(TuneGoal::EpochTime, fast, 1) > *scoreOf(TuneGoal::EpochTime, fast, 2));
    QVERIFY(!scoreOf(TuneGoal::Cost, {}, 1));
    QVERIFY(std::abs(*coresOf(slow) - 1) < 1e-9);
    QVERIFY(!parseGoal("speed").ok());
  }

  void theFrontHoldsWhatNothingElseBeats() {
    // Fastest; equally fast with less memory; slower and more expensive; slow and cheap; failed.
    const std::vector<TuneBalance> settings = {
        {200, 100, 2}, {199, 60, 1}, {150, 80, 1.5}, {90, 40, 0.5}, {0, 1, 0.1}};
    const std::vector<std::size_t> front = paretoFront(settings);
    QCOMPARE(front, (std::vector<std::size_t>{0, 1, 3}));
    QVERIFY(paretoFront({}).empty());
  }

  void whoIsSlowerAndLargerIsOnNoFrontForTheCoresItLeaves() {
    // The second keeps fewer cores busy only because it is slower; the third needs less core time.
    const std::vector<TuneBalance> settings = {{200, 100, 2}, {180, 120, 1.8}, {170, 120, 1.2}};
    QCOMPARE(paretoFront(settings), (std::vector<std::size_t>{0, 2}));
    // Slower and not larger: it leaves cores to others.
    QCOMPARE(paretoFront({{200, 100, 2}, {100, 100, 1}}), (std::vector<std::size_t>{0, 1}));
  }

  void whatIsNotShownToBeFasterThanTheBestCountsAsItsEqual() {
    const std::vector<TuneBalance> settings = {{217, 130, 2.4}, {200, 100, 2}, {90, 40, 0.5}};
    QCOMPARE(paretoFront(settings), (std::vector<std::size_t>{0, 1, 2}));
    QCOMPARE(paretoFront(settings, 1), (std::vector<std::size_t>{1, 2}));
    // One that needs less memory and fewer cores beats the chosen setting.
    const std::vector<TuneBalance> beaten = {{217, 90, 1.8}, {200, 100, 2}};
    QCOMPARE(paretoFront(beaten, 1), (std::vector<std::size_t>{0}));
    QCOMPARE(beaterOf(beaten, 1), std::optional<std::size_t>(0));
    QVERIFY(!beaterOf(beaten, 0));
    QVERIFY2(!beaterOf(settings, 1), "the faster one needs more memory");
  }
};

MILLRACE_TEST_CASE(TestTuneSpace)

}  // namespace millrace

#include "tst_tune_space.moc"
