// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

class TestFileReader : public QObject {
  Q_OBJECT
 private:
  std::string errorOf(const std::filesystem::path& file) {
    const auto content = m_reader.read(AT_FDCWD, file.c_str(), m_counters);
    return content ? "read it" : content.error().message;
  }

  FileReader m_reader;
  ReadCounters m_counters;

 private slots:
  void readsWholeFilesAndCounts() {
    const tests::TemporaryFolder folder;
    const std::string large(300000, 'l');
    folder.write("small", "small");
    folder.write("large", large);
    FileReader reader;
    ReadCounters counters;
    const int fd = ::open(folder.path().c_str(), O_PATH | O_DIRECTORY);
    for (int i = 0; i < 16; ++i) {
      auto content = reader.read(fd, "large", counters);
      VERIFY_OK(content);
      QCOMPARE(textOf(*content), large);
      content = reader.read(fd, "small", counters);
      VERIFY_OK(content);
      QCOMPARE(textOf(*content), std::string("small"));
    }
    ::close(fd);
    QCOMPARE(counters.opens.load(), 32U);
    QVERIFY(counters.reads.load() >= 32U);
    QCOMPARE(counters.bytes.load(), 16U * (300000U + 5U));
    QCOMPARE(counters.timedReads.load(), 2U);
    QVERIFY(counters.latencyNs.load() > 0);
  }

  void givesASampleFieldItsBytes() {
    const tests::TemporaryFolder folder;
    folder.write("a", "content");
    Sample sample(1);
    VERIFY_OK(m_reader.readInto(sample, 0, AT_FDCWD, (folder.path() / "a").c_str(), m_counters));
    QCOMPARE(sample[0].dtype, DType::Encoded);
    QCOMPARE(sample[0].shape, (Shape{7}));
    QCOMPARE(textOf(sample[0].content()), std::string("content"));
  }

  void namesTheReasonOfWhatCannotBeRead() {
    const tests::TemporaryFolder folder;
    folder.write("empty", "");
    folder.link("circle", "circle");
    QCOMPARE(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
    QVERIFY(errorOf(folder.path() / "gone").starts_with("no such file"));
    QCOMPARE(errorOf(folder.path() / "empty"), std::string("the file is empty"));
    QCOMPARE(errorOf(folder.path()), std::string("a folder, not a file"));
    QCOMPARE(errorOf(folder.path() / "pipe"), std::string("not a regular file"));
    QVERIFY(errorOf(folder.path() / "circle").find("link") != std::string::npos);
  }

  void refusesAHugeFileWithoutTakingItsMemory() {
    const tests::TemporaryFolder folder;
    folder.write("huge");
    QCOMPARE(::truncate((folder.path() / "huge").c_str(), off_t{1} << 36U), 0);
    const std::string error = errorOf(folder.path() / "huge");
    QVERIFY2(error.find("exceed the limit of") != std::string::npos, error.c_str());
  }

  void namesAFileWithoutPermission() {
    if (::geteuid() == 0) QSKIP("root may read every file");
    const tests::TemporaryFolder folder;
    folder.write("closed");
    ::chmod((folder.path() / "closed").c_str(), 0);
    QCOMPARE(errorOf(folder.path() / "closed"), std::string("no permission to read it"));
  }
};

}  // namespace millrace

using millrace::TestFileReader;
MILLRACE_TEST_CASE(TestFileReader)
#include "tst_file_reader.moc"
