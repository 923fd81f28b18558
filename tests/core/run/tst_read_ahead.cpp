// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Reading ahead, step by step: the test takes the samples instead of workers. Whole runs are tested
// in tst_read_ahead_run.cpp.
#include "core/run/read_ahead.h"

#include <fmt/format.h>

#include <thread>

#include "tests/core/run/ahead_bench.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

namespace {

/// A chain with one worker, so there is one slot more than samples read ahead.
std::string wordsAhead(const std::string& params, const std::string& behind = "") {
  return fmt::format("words {{{}}}\n{}\n{}\nbatch {{\"size\": 4}}\nprefetch\ndrain", params,
                     workers(1), behind);
}

/// Whether the sample is what `words` gives for an index.
bool isWord(const Sample& sample, std::uint32_t index, std::size_t unit) {
  const TensorView& text = sample[0];
  return sample.key().index == index && text.bytes == index % 7 * unit &&
         (text.bytes == 0 || text.data[text.bytes - 1] == std::byte(index));
}

}  // namespace

class TestReadAhead : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { gate().open(); }

  void whatIsReadWaitsUntilItsWorkerIsDoneWithIt() {
    AheadBench bench(wordsAhead(R"("count": 30, "unit": 10, "read_ahead": 4)"));
    VERIFY_OK(bench.ahead.start());
    QCOMPARE(bench.waitForReads(5), 5);
    std::vector<ReadAhead::Loan> loans;
    for (std::uint32_t ticket = 0; ticket < 5; ++ticket) {
      loans.push_back(bench.ahead.take(ticket));
      QVERIFY(loans.back() != nullptr);
      VERIFY_OK(loans.back()->status);
    }
    for (std::uint32_t ticket = 0; ticket < 5; ++ticket)
      QVERIFY(isWord(loans[ticket]->sample, ticket, 10));
    // No slot is free, so no thread has begun the sample: the caller reads it, and no thread will.
    QVERIFY(bench.ahead.take(5) == nullptr);
    loans.clear();
    // At least as many as are read without waking a thread.
    QVERIFY(bench.waitForReads(8) >= 8);
    const ReadAhead::Loan sixth = bench.ahead.take(6);
    QVERIFY(sixth != nullptr && isWord(sixth->sample, 6, 10));
  }

  void aWorkerThatIsFirstReadsItself() {
    AheadBench bench(wordsAhead(R"("count": 30, "read_ahead": 4)"));
    QVERIFY(bench.ahead.take(0) == nullptr);
    QVERIFY(bench.ahead.take(2) == nullptr);
    VERIFY_OK(bench.ahead.start());
    for (const std::uint32_t ticket : {1U, 3U, 4U, 5U, 6U}) {
      QVERIFY(bench.waitForReads(5) >= 5);
      const ReadAhead::Loan loan = bench.ahead.take(ticket);
      QVERIFY(loan != nullptr && isWord(loan->sample, ticket, 37));
    }
  }

  void aWorkerWaitsForAReadThatIsUnderWay() {
    AheadBench bench(wordsAhead(R"("count": 30, "gated": 1, "read_ahead": 4)"));
    gate().close();
    VERIFY_OK(bench.ahead.start());
    QVERIFY(gate().waitForVisitor());
    std::thread opener([] { gate().open(); });
    const ReadAhead::Loan loan = bench.ahead.take(1);
    opener.join();
    QVERIFY(loan != nullptr && isWord(loan->sample, 1, 37));
  }

  void cancellingLetsNobodyWait() {
    AheadBench bench(wordsAhead(R"("count": 30, "gated": 0, "read_ahead": 4)"));
    gate().close();
    VERIFY_OK(bench.ahead.start());
    QVERIFY(gate().waitForVisitor());
    bool nothing = false;
    std::thread worker([&] { nothing = bench.ahead.take(0) == nullptr; });
    bench.ahead.cancel();
    worker.join();
    QVERIFY(nothing);
    gate().open();
    bench.ahead.stop();
  }

  void anErrorIsTheSamplesAndAThrowIsLeftToItsWorker() {
    AheadBench bench(wordsAhead(R"("count": 30, "failing": [1], "throwing": 2, "read_ahead": 4)"));
    VERIFY_OK(bench.ahead.start());
    QVERIFY(bench.waitForReads(3) >= 3);
    const ReadAhead::Loan failed = bench.ahead.take(1);
    QVERIFY(failed != nullptr && !failed->status.ok());
    QCOMPARE(failed->status.error().message, std::string("made to fail"));
    QVERIFY(bench.ahead.take(2) == nullptr);
    const ReadAhead::Loan good = bench.ahead.take(3);
    QVERIFY(good != nullptr && good->status.ok());
  }

  void samplesThatNobodyWantsLeaveTheirSlots() {
    AheadBench bench(wordsAhead(R"("count": 30, "read_ahead": 4)"));
    for (std::uint64_t ticket = 0; ticket < 3; ++ticket) bench.ahead.pass(ticket);
    VERIFY_OK(bench.ahead.start());
    QCOMPARE(bench.waitForReads(5), 5);
    for (std::uint64_t ticket = 3; ticket < 8; ++ticket) bench.ahead.pass(ticket);
    QVERIFY(bench.waitForReads(8) >= 8);
  }

  void whatACacheHoldsIsNotRead() {
    AheadBench bench(wordsAhead(R"("count": 30, "read_ahead": 4)", "keep"));
    Sample sample;
    for (std::uint32_t index = 0; index < 4; ++index) {
      sample.reset({0, index, 0}, 1);
      sample.replaceBytes(0, 1);
      bench.caches.find("keep")->store(sample);
    }
    VERIFY_OK(bench.ahead.start());
    QCOMPARE(bench.waitForReads(1), 1);
    QVERIFY(bench.ahead.take(0) == nullptr);
    for (std::uint64_t ticket = 1; ticket < 4; ++ticket) bench.ahead.pass(ticket);
    QVERIFY(bench.waitForReads(3) >= 3);
  }

  /// Words of 0, 1000 to 6000 bytes. One thread, so that sizes become known one after another.
  void memoryIsBoundedWhateverTheSamplesSizes() {
    AheadBench bench(wordsAhead(R"("count": 300, "unit": 1000, "read_ahead": 64)"), 1, 20000);
    VERIFY_OK(bench.ahead.start());
    // Seven words have 21 000 bytes together.
    QCOMPARE(bench.waitForReads(7), 7);
    ReadAhead::Loan largest = bench.ahead.take(6);
    QVERIFY(largest != nullptr && isWord(largest->sample, 6, 1000));
    QVERIFY(bench.ahead.take(7) == nullptr);
    // Its memory is released for two smaller ones: ticket 8 has 1000 bytes, ticket 9 has 2000.
    largest.reset();
    QCOMPARE(bench.waitForReads(9), 9);
    QVERIFY(bench.ahead.take(10) == nullptr);
    QCOMPARE(bench.reads(), 9);
  }

  void theFirstSampleTellsHowManyFit() {
    AheadBench bench(wordsAhead(R"("count": 300, "gated": 0, "read_ahead": 64)"), 8, 20000);
    gate().close();
    VERIFY_OK(bench.ahead.start());
    QVERIFY(gate().waitForVisitor());
    QVERIFY(bench.ahead.take(1) == nullptr);
    gate().open();
    QVERIFY(bench.waitForReads(8) >= 8);
    QVERIFY(bench.ahead.take(2) != nullptr);
  }

  void readingEndsWithTheOrder() {
    AheadBench bench(wordsAhead(R"("count": 5, "read_ahead": 64)"), 8, ReadAhead::kMostBytes,
                     {0, 0, std::nullopt, 2});
    VERIFY_OK(bench.ahead.start());
    QCOMPARE(bench.waitForReads(10), 10);
    for (std::uint32_t ticket = 0; ticket < 10; ++ticket) {
      const ReadAhead::Loan loan = bench.ahead.take(ticket);
      QVERIFY(loan != nullptr && isWord(loan->sample, ticket % 5, 37));
      QCOMPARE(loan->sample.key().epoch, ticket / 5);
    }
    bench.ahead.stop();
    QCOMPARE(bench.reads(), 10);
  }
};

}  // namespace millrace

using millrace::TestReadAhead;
MILLRACE_TEST_CASE(TestReadAhead)
#include "tst_read_ahead.moc"
