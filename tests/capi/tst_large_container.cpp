// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A file with more records than are listed when it is opened: training begins before they are
// counted, and everything else works as with a small file.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/capi/opened.h"
#include "tests/support/record_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::Opened;

constexpr std::size_t kRecords = 1'100'000;
constexpr std::size_t kRows = 30'000;
constexpr std::uint64_t kBatchesOfAll = (kRecords + kRows - 1) / kRows;

struct Seen {
  std::uint32_t epoch;
  std::uint64_t index;
  std::size_t rows;
  std::uint32_t first;  ///< its index in the data set
  bool operator==(const Seen&) const = default;
};

}  // namespace

class TestLargeContainer : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    std::string file;
    const std::string record = tests::tfRecord("ab");
    file.reserve(kRecords * record.size());
    for (std::size_t i = 0; i < kRecords; ++i) file += record;
    m_folder.write("records.tfrecord", file);
  }

  void itsBatchesAreCountedWhenSomebodyAsks() {
    const Opened opened(chain("window"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    QVERIFY(opened.taken(millrace_describe(opened.loader)).find("\"batches\":null") !=
            std::string::npos);
    std::uint64_t batches = 0;
    std::uint64_t samples = 0;
    QCOMPARE(millrace_count(opened.loader, &batches, &samples), MILLRACE_OK);
    QCOMPARE(batches, kBatchesOfAll);
    QCOMPARE(samples, std::uint64_t{kRecords});
    QVERIFY(opened.taken(millrace_describe(opened.loader)).find("\"samples\":1100000") !=
            std::string::npos);
    QCOMPARE(millrace_count(opened.loader, nullptr, nullptr), MILLRACE_OK);
    QCOMPARE(millrace_count(nullptr, &batches, &samples), MILLRACE_ERROR_USE);
  }

  void itsEpochsAreThoseOfAListedOne() {
    const Opened growing(chain("window"));
    const Opened listed(chain("window"));
    QCOMPARE(millrace_count(listed.loader, nullptr, nullptr), MILLRACE_OK);
    QCOMPARE(millrace_set_epoch(listed.loader, 1), MILLRACE_OK);  // computed with all known
    QCOMPARE(millrace_set_epoch(listed.loader, 0), MILLRACE_OK);
    const std::vector<Seen> expected = epochOf(listed.loader);
    QCOMPARE(expected.size(), std::size_t{kBatchesOfAll});
    QVERIFY(epochOf(growing.loader) == expected);
    QVERIFY(epochOf(growing.loader, 3) == epochOf(listed.loader, 3));
  }

  void aStateTakenAtTheEndOfItsFirstEpochGoesOnWithTheSecond() {
    const Opened opened(chain("window"));
    QCOMPARE(epochOf(opened.loader, kBatchesOfAll).size(), std::size_t{kBatchesOfAll});
    const std::string state = opened.state();
    const Opened after(chain("window"));
    QCOMPARE(millrace_restore(after.loader, state.c_str()), MILLRACE_OK);
    const std::vector<Seen> next = epochOf(after.loader, 1);
    QVERIFY(next.front().epoch == 1 && next.front().index == 0);
  }

  void aShuffleOfAllCountsThemFirst() {
    const Opened opened(chain("full"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    QVERIFY(opened.taken(millrace_describe(opened.loader)).find("\"samples\":1100000") !=
            std::string::npos);
  }

 private:
  std::string chain(const std::string& mode) const {
    return "tfrecord {\"paths\": [\"" + (m_folder.path() / "records.tfrecord").string() +
           "\"], \"content\": \"bytes\"}\nshuffle {\"mode\": \"" + mode +
           "\", \"window\": 500}\nworkers {\"count\": 2}\nbatch {\"size\": " +
           std::to_string(kRows) + "}\nprefetch {\"batches\": 1}\ndrain {}\n";
  }

  static std::vector<Seen> epochOf(millrace_loader* loader, std::size_t most = SIZE_MAX) {
    std::vector<Seen> all;
    while (all.size() < most) {
      millrace_batch* batch = nullptr;
      if (millrace_next(loader, -1, &batch) != MILLRACE_OK) break;
      all.push_back({batch->epoch, batch->index, batch->rows, batch->samples[0]});
      millrace_release(batch);
    }
    return all;
  }

  tests::TemporaryFolder m_folder;
};

}  // namespace millrace

using millrace::TestLargeContainer;
MILLRACE_TEST_CASE(TestLargeContainer)
#include "tst_large_container.moc"
