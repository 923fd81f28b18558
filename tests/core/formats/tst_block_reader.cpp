// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Reading past the page cache: BlockReader itself, and through FileReader and RangeReader.
#include "core/formats/io/block_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/formats/io/file_reader.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/monitor/page_cache.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Bytes that encode their own offset.
std::string counted(std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(i * 31 + i / 251);
  return text;
}

QByteArray rawBytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

QByteArray partOf(const std::string& text, std::size_t offset, std::size_t bytes) {
  return QByteArray::fromStdString(offset < text.size() ? text.substr(offset, bytes) : "");
}

int openFile(const std::filesystem::path& path, int more = 0) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | more);
}

/// Whether any page of the file is in the page cache.
bool isCached(const std::filesystem::path& path) {
  return probePageCache(1, [&](std::size_t) { return path; }).residentShare.value_or(0) > 0;
}

void dropFromCache(const std::filesystem::path& path) {
  const UniqueFd fd(openFile(path));
  ::fsync(fd.get());
  ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace

class TestBlockReader : public QObject {
  Q_OBJECT

 private slots:
  void rangesMayLieAnywhere() {
    const tests::TemporaryFolder folder;
    const std::string content = counted(3 * 4096 + 77);
    folder.write("file", content);
    // If the file system refuses O_DIRECT, the result is the same through the cache.
    UniqueFd direct(openFile(folder.path() / "file", O_DIRECT));
    if (!direct.valid()) direct = UniqueFd(openFile(folder.path() / "file"));
    const UniqueFd plain(openFile(folder.path() / "file"));
    BlockReader reader;
    ReadCounters counters;
    for (const int fd : {direct.get(), plain.get()})
      for (const std::size_t offset : {0, 1, 4095, 4096, 5000, 12287, 12288, 12364, 12365, 20000})
        for (const std::size_t bytes : {1, 77, 4095, 4096, 4097, 9000}) {
          const auto read = reader.read(fd, offset, bytes, counters);
          VERIFY_OK(read);
          QCOMPARE(rawBytes(*read), partOf(content, offset, bytes));
        }
    QVERIFY(counters.reads.load() > 0 && counters.bytes.load() > content.size());
  }

  void wholeFilesAreTheSameAsThroughTheCache() {
    const tests::TemporaryFolder folder;
    FileReader direct(ReadBy::Direct);
    ReadCounters counters;
    for (const std::size_t size : {1, 4095, 4096, 4097, 300000, 20}) {
      const std::string content = counted(size);
      folder.write("file", content);
      const auto read = direct.read(AT_FDCWD, (folder.path() / "file").c_str(), counters);
      VERIFY_OK(read);
      QCOMPARE(rawBytes(*read), partOf(content, 0, size));
    }
    QCOMPARE(counters.opens.load(), 6U);
    QVERIFY(counters.timedReads.load() > 0);
  }

  void errorsAreTheSameAsThroughTheCache() {
    const tests::TemporaryFolder folder;
    folder.write("empty", "");
    FileReader cached;
    FileReader direct(ReadBy::Direct);
    ReadCounters counters;
    for (const char* name : {"empty", "missing", "."}) {
      const std::filesystem::path path = folder.path() / name;
      const auto one = cached.read(AT_FDCWD, path.c_str(), counters);
      const auto other = direct.read(AT_FDCWD, path.c_str(), counters);
      QVERIFY(!one && !other);
      QCOMPARE(other.error().message, one.error().message);
    }
  }

  void rangesOfOpenFilesAreTheSameAsThroughTheCache() {
    const tests::TemporaryFolder folder;
    const std::string content = counted(50000);
    folder.write("file", content);
    const UniqueFd fd(openFile(folder.path() / "file"));
    RangeReader direct(ReadBy::Direct);
    ReadCounters counters;
    for (const std::size_t offset : {0, 10, 4090, 40000, 3}) {
      const auto read = direct.read(fd.get(), offset, 6000, counters);
      VERIFY_OK(read);
      QCOMPARE(rawBytes(*read), partOf(content, offset, 6000));
      std::vector<std::byte> copy(5000);
      VERIFY_OK(direct.readTo(fd.get(), offset, copy, counters));
      QCOMPARE(rawBytes(copy), partOf(content, offset, 5000));
    }
    RangeReader cached;
    const auto one = cached.read(fd.get(), 49000, 6000, counters);
    const auto other = direct.read(fd.get(), 49000, 6000, counters);
    QVERIFY(!one && !other);
    QCOMPARE(other.error().message, one.error().message);
  }

  void whatIsReadDirectlyStaysOutOfThePageCache() {
    const tests::TemporaryFolder folder;
    folder.write("file", counted(20000));
    const std::filesystem::path path = folder.path() / "file";
    if (!UniqueFd(openFile(path, O_DIRECT)).valid())
      QSKIP("this file system has no way past the page cache");
    dropFromCache(path);
    if (isCached(path)) QSKIP("this file system does not drop pages from the cache");
    ReadCounters counters;
    FileReader direct(ReadBy::Direct);
    VERIFY_OK(direct.read(AT_FDCWD, path.c_str(), counters));
    QVERIFY(!isCached(path));
    FileReader cached;
    VERIFY_OK(cached.read(AT_FDCWD, path.c_str(), counters));
    QVERIFY(isCached(path));
  }
};

}  // namespace millrace

using millrace::TestBlockReader;
MILLRACE_TEST_CASE(TestBlockReader)
#include "tst_block_reader.moc"
