// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A run's trace shows what the streams of a device did.
#include <algorithm>
#include <chrono>

#include "core/run/executor.h"
#include "tests/core/run/run_support.h"
#include "tests/core/transfer/device_backend.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestDeviceTrace : public QObject {
  Q_OBJECT

  static std::uint64_t nowNs() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }

  /// The spans of the consumer's work on the device, for `count` batches.
  static std::vector<TraceSpan> stepSpans(const std::string& chain, const char* thread, int count) {
    const Result<Plan> plan = planOf(chain);
    if (!plan) {
      QTest::qFail(plan.error().message.c_str(), __FILE__, __LINE__);
      return {};
    }
    const auto caches = CacheSet::make(*plan);
    ExecutorOptions options = withTransfer(batches(static_cast<std::uint64_t>(count)));
    options.traceSpans = 1000;
    auto executor = Executor::make(*plan, *caches, options);
    if (!executor) return {};
    if ((*executor)->run([](const Batch&, const auto&) { return true; }) != RunEnd::Finished)
      return {};
    const RunTrace trace = (*executor)->takeTrace();
    const auto found = std::ranges::find(trace.threads, thread, &RunTrace::Thread::name);
    return found == trace.threads.end() ? std::vector<TraceSpan>() : found->spans;
  }

 private slots:
  void initTestCase() {
    qputenv("MILLRACE_BACKEND", backend());
    const DeviceSupport support = deviceSupport();
    if (!support.usable) QSKIP(support.reason.c_str());
  }
  void init() { qputenv("MILLRACE_BACKEND", backend()); }
  void cleanup() { qunsetenv("MILLRACE_BACKEND"); }

  void aTraceShowsWhatTheStreamsDid() {
    const Result<Plan> plan =
        planOf("synthetic {\"count\": 64}\nbatch {\"size\": 4}\ntransfer\ntint\ndrain");
    QVERIFY(plan.ok());
    const auto caches = CacheSet::make(*plan);
    ExecutorOptions options = withTransfer(batches(12));
    options.traceSpans = 1000;
    auto executor = Executor::make(*plan, *caches, options);
    QVERIFY(executor.ok());
    const std::uint64_t begin = nowNs();
    QCOMPARE((*executor)->run([](const Batch&, const auto&) { return true; }), RunEnd::Finished);
    const RunTrace trace = (*executor)->takeTrace();
    for (const auto& [name, node] :
         {std::pair{"transfer:copy", 2U}, std::pair{"transfer:work", 3U}}) {
      const auto thread = std::ranges::find(trace.threads, name, &RunTrace::Thread::name);
      QVERIFY2(thread != trace.threads.end(), name);
      QVERIFY(thread->spans.size() >= 8);
      for (const TraceSpan& span : thread->spans) {
        QCOMPARE(span.node, node);
        // The clocks agree to within some tens of microseconds.
        QVERIFY(span.beginNs + 1'000'000 >= begin && span.endNs <= nowNs() + 1'000'000);
        QVERIFY(span.endNs >= span.beginNs);
      }
    }
  }

  void aTraceShowsTheEmulatedStep() {
    const std::vector<TraceSpan> steps = stepSpans(
        "synthetic {\"count\": 64}\nbatch {\"size\": 4}\ntransfer\n"
        "emulated_step {\"seconds\": 0.002}",
        "emulated_step:work", 6);
    QCOMPARE(steps.size(), std::size_t{6});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      QCOMPARE(steps[i].kind, TraceSpan::Kind::Step);
      QCOMPARE(steps[i].item, std::uint64_t{i});
      QCOMPARE(steps[i].part, StepWork::Emulated);
      QVERIFY(steps[i].endNs >= steps[i].beginNs + 1'900'000);
    }
  }

  void aTraceShowsThePartsOfATrainingStep() {
    const std::vector<TraceSpan> parts = stepSpans(
        "synthetic {\"content\": \"image\", \"height\": 8, \"width\": 8, \"count\": 8, "
        "\"classes\": 4}\n"
        "batch {\"size\": 4}\ntransfer\n"
        "training_step {\"network\": \"custom\", \"width\": 8, \"classes\": 4}",
        "training_step:work", 2);
    QCOMPARE(parts.size(), std::size_t{6});
    const StepWork order[] = {StepWork::Forward, StepWork::Backward, StepWork::Update};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      QCOMPARE(parts[i].kind, TraceSpan::Kind::Step);
      QCOMPARE(parts[i].item, std::uint64_t{i / 3});
      QCOMPARE(parts[i].part, order[i % 3]);
      QVERIFY(parts[i].endNs >= parts[i].beginNs);
      if (i % 3 != 0) QCOMPARE(parts[i].beginNs, parts[i - 1].endNs);
    }
  }
};

}  // namespace millrace

using millrace::TestDeviceTrace;
MILLRACE_TEST_CASE(TestDeviceTrace)
#include "tst_device_trace.moc"
