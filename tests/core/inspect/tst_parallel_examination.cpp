// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/parallel_examination.h"

#include <map>

#include "core/base/mutex.h"
#include "tests/core/inspect/listed_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using std::chrono::milliseconds;
using tests::ListedSource;

/// Samples that wait here stay until it is opened, at the latest by its end. Thread-safe.
class Gate {
 public:
  void wait() {
    const MutexLock lock(m_mutex);
    while (!m_open) m_changed.wait(m_mutex);
  }
  void open() {
    const MutexLock lock(m_mutex);
    m_open = true;
    m_changed.notifyAll();
  }

 private:
  Mutex m_mutex;
  Condition m_changed;
  bool m_open MILLRACE_GUARDED_BY(m_mutex) = false;
};

std::shared_ptr<ListedSource> numbers(std::size_t count) {
  auto source = std::make_shared<ListedSource>();
  source->specs = {{"x", DType::U8, {1}, Layout::Plain, Role::Features}};
  for (std::size_t i = 0; i < count; ++i)
    source->entries.push_back({{std::string(1, static_cast<char>(i))}});
  return source;
}

std::map<std::uint32_t, SampleRecord> all(ParallelExamination& examination) {
  std::map<std::uint32_t, SampleRecord> records;
  while (!examination.isDone())
    for (const ExaminedBlock& block : examination.next())
      for (std::size_t i = 0; i < block.records.size(); ++i)
        if (!records.emplace(block.first + i, block.records[i]).second) records[UINT32_MAX];
  return records;
}

}  // namespace

class TestParallelExamination : public QObject {
  Q_OBJECT
 private slots:
  void everySampleIsExaminedOnce() {
    for (const unsigned workers : {1U, 4U}) {
      ParallelExamination examination(numbers(1000), {{0, 1000}}, {workers, milliseconds(60000)});
      const auto records = all(examination);
      QCOMPARE(records.size(), std::size_t{1000});
      for (const auto& [index, record] : records) QVERIFY(index < 1000 && record.examined == 1);
    }
  }

  void onlyTheSamplesAskedForAreExamined() {
    ParallelExamination examination(numbers(100), {{3, 5}, {40, 77}}, {2, milliseconds(60000)});
    const auto records = all(examination);
    QCOMPARE(records.size(), std::size_t{39});
    QVERIFY(records.contains(3) && records.contains(76) && !records.contains(5));
  }

  void aSampleThatHangsIsAFindingAndNotTheEnd() {
    const auto gate = std::make_shared<Gate>();
    const auto source = numbers(50);
    source->beforeRead = [gate](std::uint32_t index) {
      if (index == 7 || index == 8) gate->wait();
    };
    {
      ParallelExamination examination(source, {{0, 50}}, {1, milliseconds(50)});
      const auto records = all(examination);
      QCOMPARE(records.size(), std::size_t{50});
      QVERIFY(records.at(7).has(Finding::Hanging) && records.at(8).has(Finding::Hanging));
      QVERIFY(!records.at(6).has(Finding::Hanging) && !records.at(9).has(Finding::Hanging));
      QVERIFY(!examination.gaveUp());
    }
    gate->open();
  }

  void storageThatNeverAnswersIsGivenUp() {
    const auto gate = std::make_shared<Gate>();
    const auto source = numbers(2000);
    source->beforeRead = [gate](std::uint32_t) { gate->wait(); };
    {
      ParallelExamination examination(source, {{0, 2000}}, {16, milliseconds(20)});
      const auto records = all(examination);
      QVERIFY(examination.gaveUp());
      QVERIFY(records.size() < 200);
    }
    gate->open();
  }

  void stoppingLeavesTheRest() {
    const auto source = numbers(100'000);
    ParallelExamination examination(source, {{0, 100'000}}, {1, milliseconds(60000)});
    examination.stop();
    QVERIFY(all(examination).size() < 100'000);
  }
};

}  // namespace millrace

using millrace::TestParallelExamination;
MILLRACE_TEST_CASE(TestParallelExamination)
#include "tst_parallel_examination.moc"
