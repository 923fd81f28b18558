// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/ordered_making.h"

#include <atomic>
#include <new>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Samples that hold their number; every seventh is broken. Reading waits while the gate is shut.
class Numbers final : public Source {
 public:
  explicit Numbers(std::uint32_t count) : m_count(count) {}
  std::uint32_t size() const override { return m_count; }
  std::vector<FieldSpec> fields() const override {
    return {{"value", DType::I64, {}, Layout::Plain, Role::Label}};
  }
  std::string name(std::uint32_t index) const override { return std::to_string(index); }
  std::unique_ptr<SourceReader> reader() const override;

  std::atomic<bool> gate{true};
  std::uint32_t memoryEndsAt = UINT32_MAX;  ///< reading this sample throws
  mutable std::atomic<std::uint32_t> begun{0};

 private:
  const std::uint32_t m_count;
};

class NumberReader final : public SourceReader {
 public:
  explicit NumberReader(const Numbers& source) : m_source(source) {}
  Status read(std::uint32_t index, Sample& sample, ReadCounters&) override {
    ++m_source.begun;
    m_source.gate.wait(false);
    if (index == m_source.memoryEndsAt) throw std::bad_alloc();
    if (index % 7 == 6) return Error{"seventh"};
    *sample.replace(0, DType::I64, {}, Layout::Plain).as<std::int64_t>() = index;
    return {};
  }

 private:
  const Numbers& m_source;
};

std::unique_ptr<SourceReader> Numbers::reader() const {
  return std::make_unique<NumberReader>(*this);
}

MakePlan planOf(const std::shared_ptr<Numbers>& source) {
  return planMaking(source, *formatNamed("tfrecord"), {}).take();
}

/// Waits for the next sample, far longer than one takes.
std::optional<OrderedMaking::Made> nextOf(OrderedMaking& making) {
  for (int tries = 0; tries < 300; ++tries)
    if (auto made = making.next()) return made;
  return std::nullopt;
}

}  // namespace

class TestOrderedMaking : public QObject {
  Q_OBJECT
 private slots:
  void samplesComeInOrderWhateverTheThreads_data() {
    QTest::addColumn<unsigned>("workers");
    for (const unsigned workers : {1U, 2U, 5U}) QTest::addRow("%u threads", workers) << workers;
  }
  void samplesComeInOrderWhateverTheThreads() {
    QFETCH(unsigned, workers);
    const auto source = std::make_shared<Numbers>(100);
    const MakePlan plan = planOf(source);
    OrderedMaking making(plan, 10, 100, workers);
    for (std::int64_t i = 10; i < 100; ++i) {
      const auto made = nextOf(making);
      QVERIFY(made.has_value());
      if (i % 7 == 6) {
        QVERIFY(!made->ok());
        QVERIFY(made->error().message.find("seventh") != std::string::npos);
        continue;
      }
      VERIFY_OK(*made);
      QCOMPARE((*made)->samples.size(), std::size_t{1});
      const MadeSample& sample = (*made)->samples[0];
      QCOMPARE(sample.key, std::to_string(i));
      QCOMPARE(*sample.values[0].view().as<std::int64_t>(), i);
    }
    QVERIFY2(!making.next(), "all were taken");
  }

  /// Memory is bounded: eight samples for each thread are begun, and no more until one is taken.
  void threadsStopUntilSamplesAreTaken() {
    const auto source = std::make_shared<Numbers>(100);
    const MakePlan plan = planOf(source);
    OrderedMaking making(plan, 0, 100, 2);
    QTRY_COMPARE_WITH_TIMEOUT(source->begun.load(), 16U, 60'000);
    QVERIFY(nextOf(making).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(source->begun.load(), 17U, 60'000);
  }

  void memoryThatEndsInAThreadIsThrownToTheCaller() {
    const auto source = std::make_shared<Numbers>(100);
    source->memoryEndsAt = 3;
    const MakePlan plan = planOf(source);
    OrderedMaking making(plan, 0, 100, 2);
    for (int i = 0; i < 3; ++i) QVERIFY(nextOf(making).has_value());
    QVERIFY_EXCEPTION_THROWN((void)nextOf(making), std::bad_alloc);
  }

  void aSlowSampleIsNoSampleYet() {
    const auto source = std::make_shared<Numbers>(3);
    const MakePlan plan = planOf(source);
    source->gate = false;
    OrderedMaking making(plan, 0, 3, 1);
    QVERIFY(!making.next());
    source->gate = true;
    source->gate.notify_all();
    QVERIFY(nextOf(making).has_value());
  }
};

}  // namespace millrace

using millrace::TestOrderedMaking;
MILLRACE_TEST_CASE(TestOrderedMaking)
#include "tst_ordered_making.moc"
