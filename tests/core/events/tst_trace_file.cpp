// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/trace/trace_file.h"

#include <fstream>

#include "core/events/trace/trace_writer.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Kind = TraceSpan::Kind;

Plan planOfTwo() {
  Plan plan;
  for (const char* id : {"batch", "drain"}) {
    CheckedNode node;
    node.id = id;
    node.spec = builtinCatalog().find(id);
    plan.pipeline.nodes.push_back(node);
  }
  plan.source = 99;  // no span belongs to it, because its samples would have names
  plan.consumer = 1;
  plan.stages.resize(2);
  plan.stages[0].id = "workers";
  plan.stages[1].id = "drain";
  plan.queues.resize(1);
  plan.queues[0].id = "prefetch";
  return plan;
}

RunTrace traceOfTwoThreads() {
  RunTrace trace;
  trace.beginNs = 1'000'000;
  trace.measuredNs = 1'010'000;
  trace.endNs = 1'100'000;
  trace.threads = {{"workers:0",
                    {{Kind::Node, 0, 7, 1'000'500, 1'001'000},
                     {Kind::Row, 3, 7, 1'001'000, 1'002'500},
                     {Kind::Node, 0, 8, 1'002'500, 1'003'000},
                     {Kind::Row, 4, 8, 1'003'000, 1'003'500},
                     {Kind::Batch, 0, 3, 1'004'000, 1'004'001}},
                    0},
                   {"drain", {{Kind::Node, 1, 3, 1'008'000, 1'009'000}}, 5}};
  return trace;
}

std::filesystem::path writtenTrace(const tests::TemporaryFolder& folder) {
  const std::filesystem::path file = folder.path() / "t.json";
  auto writer = TraceWriter::open(file);
  const Plan plan = planOfTwo();
  writer->add(plan, 0, traceOfTwoThreads());
  writer->add(plan, 1, traceOfTwoThreads());
  if (!writer->finish()) qFatal("the trace cannot be written");
  return file;
}

std::string textOfFile(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string textOf(const TraceFile& file, const TraceFile::Span& span) {
  return file.texts[span.name];
}

}  // namespace

class TestTraceFile : public QObject {
  Q_OBJECT
 private slots:
  void aWrittenTraceIsReadBackToTheNanosecond() {
    const tests::TemporaryFolder folder;
    const auto read = readTraceFile(writtenTrace(folder));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QCOMPARE(read->repeats, (std::vector<std::string>{"repeat 1", "repeat 2"}));
    QCOMPARE(read->tracks.size(), std::size_t{6});  // phase, worker and drain, twice
    const TraceFile::Track& worker = read->tracks[1];
    QCOMPARE(worker.name, std::string("workers:0"));
    QCOMPARE(worker.spans.size(), std::size_t{5});
    QCOMPARE(worker.spans[1].beginNs, std::uint64_t{1000});
    QCOMPARE(worker.spans[1].endNs, std::uint64_t{2500});
    QCOMPARE(textOf(*read, worker.spans[1]), std::string("row"));
    QCOMPARE(read->tracks[4].repeat, std::size_t{1});
    QCOMPARE(read->leftOut, std::uint64_t{10});
    QCOMPARE(read->skipped, std::uint64_t{0});
    QCOMPARE(read->lengthNs, std::uint64_t{100'000});
    QVERIFY(read->damage.empty());
  }

  void theSpansOfASampleBelongToItsBatch() {
    const tests::TemporaryFolder folder;
    const auto read = readTraceFile(writtenTrace(folder));
    QVERIFY(read.ok());
    const auto& spans = read->tracks[1].spans;
    QCOMPARE(spans[0].sample, std::uint64_t{7});
    for (const std::size_t i : {0U, 1U, 4U}) QCOMPARE(spans[i].batch, std::uint64_t{3});
    for (const std::size_t i : {2U, 3U}) QCOMPARE(spans[i].batch, std::uint64_t{4});
  }

  void aQueuesFillIsReadInOrderOfTime() {
    const auto read = parseTrace(
        R"([{"ph":"X","name":"a","cat":"read","pid":1,"tid":1,"ts":0,"dur":1},
            {"ph":"C","name":"queue p","pid":1,"ts":5.5,"args":{"batches":2}},
            {"ph":"C","name":"queue p","pid":1,"ts":1,"args":{"batches":1}}])",
        "t");
    QVERIFY(read.ok());
    QCOMPARE(read->queues.size(), std::size_t{1});
    QCOMPARE(read->queues[0].changes[0].ns, std::uint64_t{1000});
    QCOMPARE(read->queues[0].changes[1].batches, 2.0);
  }

  void aTraceThatEndsEarlyIsReadUpToThere() {
    const tests::TemporaryFolder folder;
    const std::string whole = textOfFile(writtenTrace(folder));
    const auto read = parseTrace(whole.substr(0, whole.size() * 2 / 3), "t");
    QVERIFY(read.ok());
    QVERIFY(read->spanCount > 0);
    QVERIFY(QString::fromStdString(read->damage).contains("ends early at byte"));
    for (std::size_t length = 0; length < whole.size(); length += 7)
      (void)parseTrace(whole.substr(0, length), "t");
  }

  void whatIsNotATraceIsRefusedByNameWithTheRemedy_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "not JSON at byte";
    QTest::newRow("text") << QByteArray("hello") << "not JSON at byte";
    QTest::newRow("another document") << QByteArray(R"({"nodes": []})") << "not a trace";
    QTest::newRow("no events") << QByteArray(R"({"traceEvents": []})") << "not a trace";
    QTest::newRow("events that are not objects") << QByteArray("[1, null, [2]]") << "not a trace";
    QTest::newRow("no times") << QByteArray(R"([{"ph":"X","name":"a"}])") << "not a trace";
    QTest::newRow("before the run")
        << QByteArray(R"([{"ph":"X","ts":-1,"dur":1}])") << "not a trace";
    QTest::newRow("after a month")
        << QByteArray(R"([{"ph":"X","ts":1e300,"dur":1}])") << "not a trace";
  }
  void whatIsNotATraceIsRefusedByNameWithTheRemedy() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto read =
        parseTrace({text.constData(), static_cast<std::size_t>(text.size())}, "my.json");
    QVERIFY(!read.ok());
    const QString message = QString::fromStdString(read.error().message);
    QVERIFY2(message.startsWith("my.json ") && message.contains(says), qPrintable(message));
    QVERIFY2(message.contains("--trace FILE"), qPrintable(message));
  }

  void aMissingFileAndAFolderAreNamed() {
    const tests::TemporaryFolder folder;
    const auto missing = readTraceFile(folder.path() / "none.json");
    QVERIFY(!missing.ok());
    QVERIFY(QString::fromStdString(missing.error().message).contains("No such file"));
    QVERIFY(!readTraceFile(folder.path()).ok());
  }

  void readingCanBeCancelled() {
    const tests::TemporaryFolder folder;
    std::string text = "[";
    for (int i = 0; i < 70'000; ++i)
      text += std::string(i == 0 ? "" : ",") + R"({"ph":"X","ts":1,"dur":1})";
    const std::filesystem::path file = folder.path() / "long.json";
    std::ofstream(file) << text << "]";
    const auto read = readTraceFile(file, [] { return true; });
    QVERIFY(!read.ok());
    QVERIFY(QString::fromStdString(read.error().message).contains("cancelled"));
  }
};

}  // namespace millrace

using millrace::TestTraceFile;
MILLRACE_TEST_CASE(TestTraceFile)
#include "tst_trace_file.moc"
