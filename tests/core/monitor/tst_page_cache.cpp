// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/page_cache.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr std::size_t kSize = 1U << 20U;

/// Asks the kernel to drop a file's pages; mincore shows whether it did, because the file is ours.
bool evict(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDWR);
  fdatasync(descriptor);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  void* mapped = mmap(nullptr, kSize, PROT_READ, MAP_SHARED, descriptor, 0);
  std::vector<unsigned char> pages(kSize / 4096);
  const bool told = mincore(mapped, kSize, pages.data()) == 0;
  munmap(mapped, kSize);
  close(descriptor);
  return told && std::ranges::all_of(pages, [](unsigned char page) { return (page & 1U) == 0; });
}

}  // namespace

class TestPageCache : public QObject {
  Q_OBJECT
 private slots:
  void sharesHaveNames() {
    QCOMPARE(pageCacheState(0, 0), PageCacheState::Unknown);
    QCOMPARE(pageCacheState(0, 100), PageCacheState::Cold);
    QCOMPARE(pageCacheState(5, 100), PageCacheState::Cold);
    QCOMPARE(pageCacheState(6, 100), PageCacheState::Mixed);
    QCOMPARE(pageCacheState(94, 100), PageCacheState::Mixed);
    QCOMPARE(pageCacheState(95, 100), PageCacheState::Warm);
    QCOMPARE(nameOf(PageCacheState::Mixed), std::string_view("mixed"));
  }

  void filesJustWrittenAreWarmAndForgottenOnesCold() {
    const QTemporaryDir folder;
    const auto fileAt = [&](std::size_t i) {
      return std::filesystem::path(folder.filePath(QString::number(i)).toStdString());
    };
    constexpr std::size_t kFiles = 8;
    for (std::size_t i = 0; i < kFiles; ++i) std::ofstream(fileAt(i)) << std::string(kSize, 'x');
    const auto warm = probePageCache(kFiles, fileAt);
    if (warm.state == PageCacheState::Unknown) QSKIP("this file system cannot say");
    QCOMPARE(warm.state, PageCacheState::Warm);
    QCOMPARE(warm.files, kFiles);
    for (std::size_t i = 0; i < kFiles; i += 2)
      if (!evict(fileAt(i))) QSKIP("this file system forgets no pages on request");
    const auto mixed = probePageCache(kFiles, fileAt);
    QCOMPARE(mixed.state, PageCacheState::Mixed);
    QCOMPARE(*mixed.residentShare, 0.5);
    for (std::size_t i = 0; i < kFiles; ++i)
      if (!evict(fileAt(i))) QSKIP("this file system forgets no pages on request");
    QCOMPARE(probePageCache(kFiles, fileAt).state, PageCacheState::Cold);
  }

  void nothingToAskAboutIsUnknown() {
    const QTemporaryDir folder;
    std::ofstream((folder.path() + "/empty").toStdString()).close();
    const std::vector<std::string> files = {(folder.path() + "/absent").toStdString(),
                                            (folder.path() + "/empty").toStdString(),
                                            folder.path().toStdString()};
    const auto report = probePageCache(files.size(), [&](std::size_t i) { return files[i]; });
    QCOMPARE(report.state, PageCacheState::Unknown);
    QVERIFY(!report.residentShare);
    QCOMPARE(report.files, std::size_t{0});
    QCOMPARE(probePageCache(0, nullptr).state, PageCacheState::Unknown);
  }

  void asksAboutFilesSpreadOverAll() {
    std::vector<std::size_t> asked;
    probePageCache(100000, [&](std::size_t i) {
      asked.push_back(i);
      return std::filesystem::path("/nonexistent");
    });
    QCOMPARE(asked.size(), std::size_t{256});
    QCOMPARE(asked.front(), std::size_t{0});
    QVERIFY(asked.back() > 99000 && asked.back() < 100000);
  }
};

}  // namespace millrace

using millrace::TestPageCache;
MILLRACE_TEST_CASE(TestPageCache)
#include "tst_page_cache.moc"
