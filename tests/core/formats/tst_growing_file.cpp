// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/growing_file.h"

#include <sys/resource.h>

#include <cerrno>
#include <csignal>

#include "core/formats/shard_sequence.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::contentOf;
using tests::TemporaryFolder;

namespace {

/// No file of this process may grow beyond `bytes`, while the object lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit limit{bytes, m_before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit m_before{};
  void (*m_handler)(int);
};

}  // namespace

class TestGrowingFile : public QObject {
  Q_OBJECT
 private slots:
  /// Pieces below, at and above the block in which they are collected.
  void piecesOfAnySizeEndUpInOrder() {
    const TemporaryFolder folder;
    auto file = GrowingFile::open(folder.path() / "a");
    VERIFY_OK(file);
    std::string wanted;
    char letter = 'a';
    for (const std::size_t size : {1U, 1048575U, 1U, 1048576U, 3U, 2000000U, 1048575U, 2U}) {
      const std::string piece(size, letter++);
      VERIFY_OK(file->append(piece));
      wanted += piece;
      QCOMPARE(file->size(), std::uint64_t{wanted.size()});
    }
    VERIFY_OK(file->appendZeros(2500));
    wanted.append(2500, '\0');
    VERIFY_OK(file->close());
    QVERIFY(contentOf(folder.path() / "a") == wanted);
  }

  void anEarlierPlaceIsOverwrittenWhetherItIsOnTheDiskOrNot() {
    const TemporaryFolder folder;
    auto file = GrowingFile::open(folder.path() / "a");
    VERIFY_OK(file);
    VERIFY_OK(file->append("0123456789"));
    VERIFY_OK(file->overwrite(2, "AB"));
    VERIFY_OK(file->flush());
    VERIFY_OK(file->append("abc"));
    VERIFY_OK(file->overwrite(8, "CDE"));
    VERIFY_OK(file->close());
    QCOMPARE(contentOf(folder.path() / "a"), std::string("01AB4567CDEbc"));
  }

  void anInterruptedFileGoesOnWhereItsMarkIs() {
    const TemporaryFolder folder;
    folder.write("a", "kept, and not kept");
    auto file = GrowingFile::open(folder.path() / "a", 4);
    VERIFY_OK(file);
    QCOMPARE(file->size(), std::uint64_t{4});
    VERIFY_OK(file->append("!"));
    VERIFY_OK(file->close());
    QCOMPARE(contentOf(folder.path() / "a"), std::string("kept!"));
  }

  void aFileThatLostBytesIsRefused() {
    const TemporaryFolder folder;
    folder.write("a", "abc");
    const auto file = GrowingFile::open(folder.path() / "a", 1234);
    QVERIFY(!file);
    QVERIFY(file.error().message.ends_with("has 3 bytes, but 1 234 had been written"));
    QCOMPARE(contentOf(folder.path() / "a"), std::string("abc"));
  }

  void aFileThatCannotBeMadeIsNamedWithItsReason() {
    const TemporaryFolder folder;
    const auto file = GrowingFile::open(folder.path() / "missing/a");
    QVERIFY(!file);
    QVERIFY(file.error().message.starts_with("cannot write `" +
                                             (folder.path() / "missing/a").native() + "`: "));
  }

  void aFileThatMayNotGrowIsAnErrorOfTheWriteThatReachesTheLimit() {
    const TemporaryFolder folder;
    auto file = GrowingFile::open(folder.path() / "a");
    VERIFY_OK(file);
    VERIFY_OK(file->append(std::string(5000, 'x')));
    const SizeLimit limit(4096);
    const Status flushed = file->flush();
    QVERIFY(!flushed);
    QVERIFY2(flushed.error().message.ends_with("divide the data with the setting `shard_size`"),
             flushed.error().message.c_str());
    const Status large = file->append(std::string(2000000, 'y'));
    QVERIFY(!large);
    QCOMPARE(large.error().message, flushed.error().message);
  }

  void everyReasonHasItsRemedy() {
    const auto text = [](int number) { return cannotWrite("/a", number).message; };
    QCOMPARE(text(EDQUOT), text(ENOSPC));
    QVERIFY(text(EROFS).find("read-only") != std::string::npos);
    QVERIFY(text(EFBIG).find("`shard_size`") != std::string::npos);
    QVERIFY(text(EACCES) != text(EIO));
  }

  void shardsAreNumberedAndAreNeverEmpty() {
    QCOMPARE(shardName("set", 12, "tar"), std::string("set-000012.tar"));
    const TemporaryFolder folder;
    WriteSpec spec;
    spec.folder = folder.path();
    spec.name = "set";
    spec.shardBytes = 10;
    auto files = ShardSequence::open(spec, "tar", {});
    VERIFY_OK(files);
    QVERIFY2(!files->full(100), "a sample that is larger than a shard has one for itself");
    VERIFY_OK(files->file().append("12345678"));
    QVERIFY(!files->full(2));
    QVERIFY(files->full(3));
    VERIFY_OK(files->next());
    VERIFY_OK(files->file().append("abc"));
    QCOMPARE(files->bytes(), std::uint64_t{11});
    VERIFY_OK(files->close());
    QCOMPARE(contentOf(folder.path() / "set-000000.tar"), std::string("12345678"));
    QCOMPARE(contentOf(folder.path() / "set-000001.tar"), std::string("abc"));
  }

  void shardsGoOnAtAMarkAndMissOneThatDisappeared() {
    const TemporaryFolder folder;
    WriteSpec spec;
    spec.folder = folder.path();
    spec.name = "set";
    spec.shardBytes = 4;
    WriteMark mark;
    {
      auto files = ShardSequence::open(spec, "tar", {});
      VERIFY_OK(files);
      VERIFY_OK(files->file().append("1234"));
      VERIFY_OK(files->next());
      VERIFY_OK(files->file().append("56"));
      files->count();
      const auto synced = files->sync();
      VERIFY_OK(synced);
      mark = *synced;
      VERIFY_OK(files->file().append("lost"));
      VERIFY_OK(files->close());
    }
    QCOMPARE(mark.shard, 1U);
    QCOMPARE(mark.place, std::uint64_t{2});
    QCOMPARE(mark.samples, std::uint64_t{1});
    auto files = ShardSequence::open(spec, "tar", mark);
    VERIFY_OK(files);
    QCOMPARE(files->bytes(), std::uint64_t{6});
    VERIFY_OK(files->close());
    QCOMPARE(contentOf(folder.path() / "set-000001.tar"), std::string("56"));
    std::filesystem::remove(folder.path() / "set-000000.tar");
    const auto refused = ShardSequence::open(spec, "tar", mark);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.ends_with("set-000000.tar` has disappeared"));
  }
};

}  // namespace millrace

using millrace::TestGrowingFile;
MILLRACE_TEST_CASE(TestGrowingFile)
#include "tst_growing_file.moc"
