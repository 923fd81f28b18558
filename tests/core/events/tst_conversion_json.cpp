// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/conversion_json.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

Converted photos() {
  Converted done;
  done.source = "photos";
  done.target = "/data/shards";
  done.kind = "tfrecord";
  done.seconds = 2.5;
  done.verified = true;
  done.next = "millrace run shards";
  ConvertOutcome& out = done.outcome;
  out.sourceSamples = 20;
  out.samples = 18;
  out.resumedAt = 5;
  out.resumedSamples = 3;
  out.bytesRead = 1000;
  out.bytesWritten = 900;
  out.files = 2;
  out.failed = 2;
  out.failures = {{"a.jpg", "is cut off"}, {"b.jpg", "is empty"}};
  out.notes = {"`mask` is left out"};
  PipelineProposal proposal;
  GraphNode node;
  node.id = "source";
  node.kind = "tfrecord";
  proposal.graph.nodes.push_back(node);
  out.proposal = proposal;
  return done;
}

}  // namespace

class TestConversionJson : public QObject {
  Q_OBJECT

  static void compare(const std::optional<Converted>& back) {
    const Converted done = photos();
    QVERIFY(back.has_value());
    QCOMPARE(back->source, done.source);
    QCOMPARE(back->target, done.target);
    QCOMPARE(back->kind, done.kind);
    QCOMPARE(back->seconds, done.seconds);
    QCOMPARE(back->verified, done.verified);
    QCOMPARE(back->next, done.next);
    const ConvertOutcome& a = done.outcome;
    const ConvertOutcome& b = back->outcome;
    QCOMPARE(b.sourceSamples, a.sourceSamples);
    QCOMPARE(b.samples, a.samples);
    QCOMPARE(b.resumedAt, a.resumedAt);
    QCOMPARE(b.bytesRead, a.bytesRead);
    QCOMPARE(b.bytesWritten, a.bytesWritten);
    QCOMPARE(b.files, a.files);
    QCOMPARE(b.failed, a.failed);
    QVERIFY(b.failures == a.failures);
    QVERIFY(b.notes == a.notes);
    QCOMPARE(b.proposal.value().graph.nodes.front().kind, std::string("tfrecord"));
  }

 private slots:
  void aResultComesBackAsItWasWritten() { compare(parseConverted(convertedJson(photos()))); }
  void soDoesTheLastLineOfAStream() { compare(parseConverted(convertedEvent(3, photos()))); }

  void theRateLeavesOutWhatAnEarlierConversionWrote() {
    QCOMPARE(photos().samplesPerSecond(), 6.0);
    QCOMPARE(Converted().samplesPerSecond(), 0.0);
  }

  void otherTextIsRefused() {
    QVERIFY(!parseConverted("").has_value());
    QVERIFY(!parseConverted("3").has_value());
    const auto empty = parseConverted(R"({"samples": -1, "failures": [1], "proposal": {}})");
    QVERIFY(empty.has_value());
    QCOMPARE(empty->outcome.samples, std::uint64_t{0});
    QVERIFY(!empty->outcome.failures.empty());
  }
};

}  // namespace millrace

using millrace::TestConversionJson;
MILLRACE_TEST_CASE(TestConversionJson)
#include "tst_conversion_json.moc"
