// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <linux/magic.h>
#include <sys/statfs.h>

#include "core/monitor/page_cache.h"
#include "core/tune/page_cache_control.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestPageCacheControl : public QObject {
  Q_OBJECT
 private slots:
  void whatWasJustWrittenIsDroppedAndReadAgain() {
    const TemporaryFolder folder;
    folder.write("a", std::string(std::size_t{1} << 20U, 'a'));
    folder.write("b", std::string(std::size_t{1} << 20U, 'b'));
    const auto file = [&](std::size_t i) { return folder.path() / (i < 2 ? "a" : "b"); };
    const std::atomic<bool> go{false};
    struct statfs system = {};
    QCOMPARE(statfs(folder.path().c_str(), &system), 0);
    if (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC)
      QSKIP("temporary files lie in memory here");
    dropFromPageCache(3, file, go);
    QCOMPARE(nameOf(probePageCache(3, file).state), nameOf(PageCacheState::Cold));
    QCOMPARE(readIntoPageCache(3, file, 60, go), std::size_t{3});
    QCOMPARE(nameOf(probePageCache(3, file).state), nameOf(PageCacheState::Warm));
  }

  void aStopLeavesTheRestAndWhatIsNotThereIsPassedOver() {
    int asked = 0;
    const auto file = [&](std::size_t i) {
      ++asked;
      return std::filesystem::path("/nowhere/at/all/" + std::to_string(i));
    };
    dropFromPageCache(4, file, std::atomic<bool>{false});
    QCOMPARE(asked, 4);
    dropFromPageCache(4, file, std::atomic<bool>{true});
    QCOMPARE(asked, 4);
    QCOMPARE(readIntoPageCache(4, file, 60, std::atomic<bool>{true}), std::size_t{0});
  }
};

MILLRACE_TEST_CASE(TestPageCacheControl)

}  // namespace millrace::tests

#include "tst_page_cache_control.moc"
