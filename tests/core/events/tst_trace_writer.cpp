// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/trace/trace_writer.h"

#include <fstream>
#include <set>

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Json = nlohmann::json;
using Kind = TraceSpan::Kind;

/// A plan of three nodes without a source: source, a batch node, consumer.
Plan planOfThree() {
  Plan plan;
  const char* ids[] = {"drain", "batch", "drain"};
  for (const char* id : ids) {
    CheckedNode node;
    node.id = std::string(id) + (plan.pipeline.nodes.empty() ? "" : "_2");
    node.spec = builtinCatalog().find(id);
    plan.pipeline.nodes.push_back(node);
  }
  plan.source = 99;  // no span belongs to it, because its samples would have names
  plan.consumer = 2;
  plan.stages.resize(2);
  plan.stages[0].id = "workers";
  plan.stages[1].id = "drain";
  plan.queues.resize(1);
  plan.queues[0].id = "a \"queue\"";
  return plan;
}

TraceSpan span(Kind kind, std::uint64_t batch, std::uint64_t begin, std::uint64_t end,
               std::uint32_t node = 0) {
  return {kind, node, batch, begin, end};
}

RunTrace traceOfTwo() {
  RunTrace trace;
  trace.beginNs = 1'000'000;
  trace.measuredNs = 1'010'000;
  trace.endNs = 1'100'000;
  trace.threads = {
      {"workers:0",
       {span(Kind::Row, 7, 1'001'000, 1'002'500), span(Kind::Batch, 0, 1'003'000, 1'004'000)},
       0},
      {"copies", {span(Kind::Copy, 0, 1'005'000, 1'006'000)}, 0},
      {"drain",
       {span(Kind::WaitForBatch, 0, 1'000'000, 1'007'000),
        span(Kind::Node, 0, 1'008'000, 1'009'000, 2)},
       3}};
  return trace;
}

Json written(const std::vector<RunTrace>& repeats) {
  const QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("t.json").toStdString();
  auto writer = TraceWriter::open(file);
  const Plan plan = planOfThree();
  for (std::size_t i = 0; i < repeats.size(); ++i) writer->add(plan, i, repeats[i]);
  if (!writer->finish()) return {};
  std::ifstream stream(file);
  return Json::parse(stream, nullptr, false);
}

std::vector<Json> only(const Json& trace, const std::string& phase) {
  std::vector<Json> found;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

}  // namespace

class TestTraceWriter : public QObject {
  Q_OBJECT
 private slots:
  void timesAreMicrosecondsSinceTheRepeatBegan() {
    const Json trace = written({traceOfTwo()});
    QVERIFY(trace.is_object());
    bool found = false;
    for (const Json& event : only(trace, "X")) {
      if (event["name"] != "row") continue;
      found = true;
      QCOMPARE(event["ts"].get<double>(), 1.0);
      QCOMPARE(event["dur"].get<double>(), 1.5);
      QCOMPARE(event["args"]["sample"].get<int>(), 7);
      QCOMPARE(event["cat"].get<std::string>(), std::string("batch"));
    }
    QVERIFY(found);
  }

  void aFlowLeadsTheBatchThroughTheCopyToTheStep() {
    const Json trace = written({traceOfTwo(), traceOfTwo()});
    const auto starts = only(trace, "s");
    const auto steps = only(trace, "t");
    const auto ends = only(trace, "f");
    QCOMPARE(starts.size(), std::size_t{2});
    QCOMPARE(steps.size(), std::size_t{2});
    QCOMPARE(ends.size(), std::size_t{2});
    QCOMPARE(starts[0]["id"], ends[0]["id"]);
    // Another repeat has another flow.
    QVERIFY(starts[0]["id"] != starts[1]["id"]);
    QCOMPARE(starts[0]["tid"].get<int>(), 1);
    QCOMPARE(steps[0]["tid"].get<int>(), 2);
    QCOMPARE(ends[0]["tid"].get<int>(), 3);
    QCOMPARE(ends[0]["bp"].get<std::string>(), std::string("e"));
    QCOMPARE(ends[0]["ts"].get<double>(), 8.0);
  }

  void queuesAreCounters() {
    const auto counters = only(written({traceOfTwo()}), "C");
    QCOMPARE(counters.size(), std::size_t{2});
    QCOMPARE(counters[0]["name"].get<std::string>(), std::string("queue a \"queue\""));
    QCOMPARE(counters[0]["args"]["batches"].get<int>(), 1);
    QCOMPARE(counters[1]["ts"].get<double>(), 7.0);
    QCOMPARE(counters[1]["args"]["batches"].get<int>(), 0);
  }

  void aTraceBehindALinkIsReplacedAndTheLinkStays() {
    namespace fs = std::filesystem;
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const fs::path link = root / "latest.json";
    fs::create_directory(root / "disk");
    fs::create_symlink(root / "disk" / "t.json", link);
    for (int i = 0; i < 2; ++i) {
      auto writer = TraceWriter::open(link);
      QVERIFY2(writer.ok(), writer.ok() ? "" : writer.error().message.c_str());
      writer->add(planOfThree(), 0, traceOfTwo());
      VERIFY_OK(writer->finish());
      QVERIFY(fs::is_symlink(link));
      QVERIFY(fs::is_regular_file(fs::symlink_status(root / "disk" / "t.json")));
    }
    QVERIFY(!TraceWriter::open(root / "disk").ok());
  }

  void whatWasLeftOutIsSaid() {
    bool said = false;
    for (const Json& event : only(written({traceOfTwo()}), "M"))
      said = said || event["args"]["name"] == "drain (3 later spans left out)";
    QVERIFY(said);
  }

  void everyKindOfSpanHasANameAndACategory() {
    RunTrace trace = traceOfTwo();
    for (const Kind kind : {Kind::WaitForSlot, Kind::Device})
      trace.threads[1].spans.push_back(span(kind, 0, 1'010'000, 1'011'000, 1));
    std::set<std::string> categories;
    for (const Json& event : only(written({trace}), "X")) {
      QVERIFY(!event["name"].get<std::string>().empty() && event["dur"].get<double>() >= 0);
      categories.insert(event["cat"].get<std::string>());
    }
    QCOMPARE(categories,
             (std::set<std::string>{"batch", "device", "phase", "step", "transfer", "wait"}));
  }
};

}  // namespace millrace

using millrace::TestTraceWriter;
MILLRACE_TEST_CASE(TestTraceWriter)
#include "tst_trace_writer.moc"
