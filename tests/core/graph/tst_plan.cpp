// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan.h"

#include "core/base/text/text.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestPlan : public QObject {
  Q_OBJECT

  /// Lowers a chain of built-in kinds, written as `kind key=value, key=value; kind`.
  static Result<Plan> lower(const std::string& chain, bool fuse = true) {
    Graph graph;
    for (const std::string& part : split(chain, ';')) {
      const std::string text(trimmed(part));
      GraphNode node;
      node.kind = text.substr(0, text.find(' '));
      node.id = freeId(graph, node.kind);
      if (text.size() > node.kind.size())
        for (const std::string& setting : split(text.substr(node.kind.size() + 1), ',')) {
          const std::vector<std::string> words = split(trimmed(setting), '=');
          const ParamSpec* spec = builtinCatalog().find(node.kind)->param(words[0]);
          node.params[words[0]] = parseValue(spec->type, words[1]).take();
        }
      if (!graph.nodes.empty()) graph.wires.push_back({graph.nodes.back().id, node.id, {}});
      graph.nodes.push_back(std::move(node));
    }
    CheckOptions options;
    options.cores = 64;
    CheckResult checked = checkGraph(graph, builtinCatalog(), options);
    if (!checked.pipeline) {
      std::string problems;
      for (const Problem& problem : checked.problems.all()) problems += problem.text() + "\n";
      return Error{problems};
    }
    return makePlan(std::move(*checked.pipeline), {fuse});
  }

  static std::string ids(const Plan& plan, const std::vector<std::size_t>& nodes) {
    std::vector<std::string> all;
    for (const std::size_t i : nodes) all.push_back(plan.node(i).id);
    return join(all, " ");
  }

  /// "(resize+flip normalise | mixup)" for each segment: groups of sample operations, then batch
  /// operations.
  static std::string segments(const Plan& plan, std::size_t stage) {
    std::string text;
    for (const StageSegment& segment : plan.stages[stage].segments) {
      std::vector<std::string> groups;
      for (const PlanGroup& group : segment.sampleGroups) {
        std::vector<std::string> names;
        for (const std::size_t i : group.nodes) names.push_back(plan.node(i).id);
        groups.push_back(join(names, "+"));
      }
      text += "(" + join(groups, " ") + "|" + ids(plan, segment.batchOps) + ")";
    }
    return text;
  }

 private slots:
  void withoutWorkersAndQueueEverythingRunsOnTheConsumersThread() {
    const auto plan = lower("synthetic content=image; shuffle; resize; batch size=4; drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->stages.size(), std::size_t{1});
    QVERIFY(plan->queues.empty());
    QVERIFY(plan->stages[0].onConsumer);
    QCOMPARE(plan->stages[0].id, std::string("drain"));
    QCOMPARE(segments(*plan, 0), std::string("(resize|)"));
    QCOMPARE(ids(*plan, plan->orderNodes), std::string("shuffle"));
  }

  void aPrefetchAloneMakesAThreadNamedAfterIt() {
    const auto plan = lower("synthetic; batch size=4; prefetch batches=3; drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->stages.size(), std::size_t{2});
    QCOMPARE(plan->stages[0].id, std::string("prefetch"));
    QCOMPARE(plan->stages[0].threads, std::size_t{1});
    QCOMPARE(plan->queues[0].capacity, std::size_t{3});
    QCOMPARE(plan->queues[0].slotCount, std::size_t{5});
    QCOMPARE(plan->queues[0].from, std::string("prefetch"));
    QCOMPARE(plan->queues[0].to, std::string("drain"));
  }

  void workersWithoutPrefetchHandOverThroughAQueueOfTheirOwn() {
    const auto plan =
        lower("synthetic content=image; workers count=3; resize; batch size=4; drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->stages[0].id, std::string("workers"));
    QCOMPARE(plan->stages[0].threads, std::size_t{3});
    QCOMPARE(plan->queues[0].id, std::string("batch"));
    QCOMPARE(plan->queues[0].capacity, std::size_t{1});
    QCOMPARE(segments(*plan, 0), std::string("(resize|)"));
  }

  void workersBehindTheBatchTakeWholeBatches() {
    const auto plan = lower(
        "synthetic content=image; batch size=4; workers count=3; resize; prefetch batches=2; "
        "drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->stages.size(), std::size_t{2});
    QVERIFY(plan->stages[0].unit == WorkUnit::Batch);
    QCOMPARE(segments(*plan, 0), std::string("(|)(resize|)"));
    QCOMPARE(plan->queues[0].slotCount, std::size_t{2 + 1 + 3});
  }

  void rowsBehindTheBatchWorkOnWhatTheBatchMade() {
    const auto plan = lower(
        "synthetic content=image; workers count=2; resize; batch size=4; normalise; prefetch; "
        "drain");
    VERIFY_OK(plan);
    QCOMPARE(segments(*plan, 0), std::string("(resize|)(normalise|)"));
  }

  void behindTheBatchAndWithoutQueueNodesRunOnTheConsumersThread() {
    for (const char* unit : {"sample", "batch"}) {
      const auto plan = lower(std::string("synthetic content=image; workers count=2, unit=") +
                              unit + "; one_hot; batch size=4; mixup; normalise; drain");
      VERIFY_OK(plan);
      QCOMPARE(segments(*plan, 0), std::string("(one_hot|)"));
      QCOMPARE(segments(*plan, 1), std::string("(|mixup)(normalise|)"));
      QCOMPARE(ids(*plan, plan->stages[1].nodes), std::string("mixup normalise drain"));
    }
  }

  void aBatchOperationInFrontOfPrefetchRunsOnTheWorkers() {
    const auto plan = lower(
        "synthetic content=image; workers; one_hot; batch size=4; mixup; prefetch; cutmix; drain");
    VERIFY_OK(plan);
    QCOMPARE(segments(*plan, 0), std::string("(one_hot|mixup)"));
    QCOMPARE(segments(*plan, 1), std::string("(|cutmix)"));
  }

  void twoRegionsAreJoinedByAQueue() {
    const auto plan = lower(
        "synthetic content=image; workers count=2; resize; batch size=4; workers count=3; "
        "normalise; prefetch; drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->stages.size(), std::size_t{3});
    QCOMPARE(plan->stages[1].id, std::string("workers_2"));
    QCOMPARE(plan->stages[1].threads, std::size_t{3});
    QCOMPARE(segments(*plan, 1), std::string("(normalise|)"));
    QCOMPARE(plan->queues[0].id, std::string("batch"));
    QCOMPARE(plan->queues[0].to, std::string("workers_2"));
  }

  void twoRegionsInFrontOfTheBatchHandItsRowsOver() {
    const auto plan = lower(
        "synthetic content=image; workers count=2; resize; workers count=3; flip; batch size=4; "
        "normalise; drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->stages.size(), std::size_t{3});
    QCOMPARE(segments(*plan, 0), std::string("(resize|)"));
    QCOMPARE(segments(*plan, 1), std::string("(flip|)"));
    QCOMPARE(segments(*plan, 2), std::string("(normalise|)"));
    QCOMPARE(plan->queues[0].id, std::string("workers_2"));
    QCOMPARE(plan->queues[1].id, std::string("batch"));
    QVERIFY(!plan->stages[0].segments[0].formsBatch);
    QVERIFY(plan->stages[1].segments[0].formsBatch);
    QCOMPARE(plan->stages[0].segments[0].out.batchSize, std::int64_t{4});
  }

  void aStageThatHandsOnHasTheFieldsOfItsBatches() {
    for (const char* chain : {"synthetic; batch size=4; prefetch; prefetch; drain",
                              "synthetic; batch size=4; prefetch; workers; prefetch; drain"}) {
      const auto plan = lower(chain);
      VERIFY_OK(plan);
      QCOMPARE(plan->stages.size(), std::size_t{3});
      QCOMPARE(plan->stages[1].segments.size(), std::size_t{1});
      QCOMPARE(plan->stages[1].segments[0].out.fields.size(), std::size_t{2});
    }
  }

  void neighboursThatOnePassCanDoAreFused() {
    const std::string chain =
        "synthetic content=image; workers; random_resized_crop; flip; normalise; precision; "
        "batch size=4; prefetch; drain";
    const auto fused = lower(chain);
    VERIFY_OK(fused);
    QCOMPARE(segments(*fused, 0), std::string("(random_resized_crop+flip+normalise+precision|)"));
    QCOMPARE(fused->counterOf(4), std::size_t{2});
    QCOMPARE(fused->counterOf(6), std::size_t{6});
    const auto apart = lower(chain, false);
    QCOMPARE(segments(*apart, 0), std::string("(random_resized_crop flip normalise precision|)"));
    QCOMPARE(apart->counterOf(4), std::size_t{4});
  }

  void whatStandsBetweenKeepsNodesApart() {
    const auto cache = lower(
        "synthetic content=image; resize; memory_cache; flip; normalise; batch size=4; drain");
    VERIFY_OK(cache);
    QCOMPARE(segments(*cache, 0), std::string("(resize memory_cache flip+normalise|)"));
    const auto batch = lower("synthetic content=image; resize; batch size=4; flip; drain");
    VERIFY_OK(batch);
    QCOMPARE(segments(*batch, 0), std::string("(resize|)(flip|)"));
  }

  void aSlotsMemoryIsThatOfAllItsPhases() {
    const auto plan = lower(
        "synthetic content=image, height=8, width=8, classes=0; batch size=4; normalise; prefetch; "
        "drain");
    VERIFY_OK(plan);
    QCOMPARE(plan->queues[0].batchBytes, std::size_t{4 * 8 * 8 * 3 * (1 + 4)});
  }

  void theTextSaysWhoRunsWhat() {
    const auto plan = lower(
        "synthetic content=image, height=8, width=8, classes=10; shuffle; workers count=2; resize "
        "height=4, width=4; flip; one_hot; batch size=4; mixup; prefetch batches=2; drain");
    VERIFY_OK(plan);
    const std::vector<std::string> lines = plan->text();
    QCOMPARE(lines.size(), std::size_t{4});
    QCOMPARE(lines[0], std::string("order: shuffle"));
    QCOMPARE(lines[1],
             std::string("stage workers: 2 threads: read, [resize + flip], one_hot, batch, "
                         "mixup (whole batch)"));
    QVERIFY2(lines[2].find("queue prefetch: up to 2 finished batches, 4 slots, ") == 0,
             lines[2].c_str());
    QCOMPARE(lines[3], std::string("stage drain: the consumer's thread: drain"));
  }

  void aSourceThatIsReadAheadSaysSo() {
    const std::string behind = "; workers count=2; batch size=4; drain";
    const auto far = lower("image_folder paths=x, read_ahead=100" + behind);
    VERIFY_OK(far);
    QCOMPARE(far->readAhead.samples, std::size_t{100});
    QCOMPARE(far->readAhead.threads, std::size_t{64});
    QCOMPARE(far->text()[1],
             std::string("read ahead of image_folder: up to 100 samples, 64 at once"));
    QCOMPARE(lower("image_folder paths=x, read_ahead=3" + behind)->readAhead.threads,
             std::size_t{3});
    const auto none = lower("image_folder paths=x" + behind);
    VERIFY_OK(none);
    QCOMPARE(none->readAhead.threads, std::size_t{0});
    QCOMPARE(none->text().size(), far->text().size() - 1);
  }
};

}  // namespace millrace

using millrace::TestPlan;
MILLRACE_TEST_CASE(TestPlan)
#include "tst_plan.moc"
