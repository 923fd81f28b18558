// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/whole_file.h"

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace fs = std::filesystem;

using tests::contentOf;

class TestWholeFile : public QObject {
  Q_OBJECT
 private slots:
  void aFileThatIsThereIsReplacedOnlyWhenAsked() {
    const tests::TemporaryFolder folder;
    const fs::path file = folder.path() / "page.html";
    QVERIFY(mayWrite(file, IfThere::Refuse).ok());
    VERIFY_OK(writeWholeFile(file, "first", IfThere::Refuse));
    for (const Status& refused :
         {mayWrite(file, IfThere::Refuse), writeWholeFile(file, "second", IfThere::Refuse)})
      QVERIFY(!refused.ok() && refused.error().message.find("already exists") != std::string::npos);
    QCOMPARE(contentOf(file), std::string("first"));
    QVERIFY(mayWrite(file, IfThere::Replace).ok());
    VERIFY_OK(writeWholeFile(file, "second", IfThere::Replace));
    QCOMPARE(contentOf(file), std::string("second"));
  }

  void aFolderIsNoFile() {
    const tests::TemporaryFolder folder;
    QVERIFY(!mayWrite(folder.path(), IfThere::Replace).ok());
    QVERIFY(!writeWholeFile(folder.path(), "x", IfThere::Replace).ok());
  }

  void whatCannotBeMadeIsKnownBefore() {
    const tests::TemporaryFolder folder;
    VERIFY_OK(writeWholeFile(folder.path() / "file", "x", IfThere::Refuse));
    const fs::path missing = folder.path() / "missing";
    for (const fs::path& file : {missing / "file", folder.path() / "file" / "below",
                                 folder.path() / std::string(252, 'n'), fs::path("/proc/new")}) {
      const Status before = mayWrite(file, IfThere::Replace);
      QVERIFY(!before.ok());
      QCOMPARE(before.error().message, writeWholeFile(file, "x", IfThere::Replace).error().message);
    }
    QCOMPARE(
        mayWrite(missing / "file", IfThere::Replace).error().message,
        "cannot write " + (missing / "file").string() + ": there is no folder " + missing.string());
    QVERIFY(mayWrite(folder.path() / "new", IfThere::Refuse).ok());
    QCOMPARE(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  }

  void aDeviceIsWrittenToAsItIs() {
    QVERIFY(mayWrite("/dev/null", IfThere::Refuse).ok());
    VERIFY_OK(writeWholeFile("/dev/null", "x", IfThere::Refuse));
    QVERIFY(!writeWholeFile("/dev/full", "x", IfThere::Refuse).ok());
  }

  void aPipeIsNotReplacedByAFile() {
    const tests::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    const Status refused = replaceFile(pipe, [](const fs::path& part) {
      std::ofstream(part) << "x";
      return Status();
    });
    QVERIFY(!refused.ok() && refused.error().message.find("device or pipe") != std::string::npos);
    QVERIFY(fs::is_fifo(pipe));
  }

  void aLoopOfLinksIsKept() {
    const tests::TemporaryFolder folder;
    const fs::path loop = folder.path() / "loop";
    fs::create_symlink("loop", loop);
    QVERIFY(!writeWholeFile(loop, "text", IfThere::Replace));
    QVERIFY(!WholeFile::open(loop));
    QVERIFY(!replaceFile(loop, [](const fs::path&) { return Status(); }));
    QVERIFY(fs::is_symlink(loop));
  }

  void aPipeIsWrittenToItsReader() {
    const tests::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    std::string read;
    std::thread reader([&] { read = tests::contentOf(pipe); });
    const Status written = writeWholeFile(pipe, "text", IfThere::Replace);
    reader.join();
    VERIFY_OK(written);
    QCOMPARE(read, std::string("text"));
    QVERIFY(fs::is_fifo(pipe));
  }

  void aPipeThatNoProgramReadsIsAnError() {
    const tests::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    const auto opened = WholeFile::open(pipe);
    QVERIFY(!opened && opened.error().message.ends_with("no program reads this pipe"));
  }

  void aDatabaseIsNeverReplaced() {
    const tests::TemporaryFolder folder;
    const fs::path file = folder.path() / "runs.db";
    const std::string content("SQLite format 3\0 and pages", 27);
    VERIFY_OK(writeWholeFile(file, content, IfThere::Refuse));
    for (const Status& refused :
         {mayWrite(file, IfThere::Replace), writeWholeFile(file, "x", IfThere::Replace)})
      QVERIFY(!refused.ok() && refused.error().message.find("database") != std::string::npos);
    QCOMPARE(contentOf(file), content);
  }

  void onlyAFileOfItsKindIsReplacedUnasked() {
    const tests::TemporaryFolder folder;
    const fs::path file = folder.path() / "file";
    const auto may = [&] {
      return mayReplaceKind(file, "a table",
                            [](std::string_view head) { return head.starts_with("a,b"); });
    };
    VERIFY_OK(may());
    VERIFY_OK(writeWholeFile(file, "", IfThere::Replace));
    VERIFY_OK(may());
    VERIFY_OK(writeWholeFile(file, "a,b\n1,2\n", IfThere::Replace));
    VERIFY_OK(may());
    VERIFY_OK(writeWholeFile(file, "my diary", IfThere::Replace));
    QVERIFY(!may().ok() && may().error().message.find("is not a table") != std::string::npos);
  }

  void aLinkIsFollowed() {
    const tests::TemporaryFolder folder;
    const fs::path file = folder.path() / "there";
    const fs::path link = folder.path() / "link";
    VERIFY_OK(writeWholeFile(file, "before", IfThere::Refuse));
    fs::create_symlink("there", link);
    VERIFY_OK(writeWholeFile(link, "x", IfThere::Replace));
    QCOMPARE(contentOf(file), std::string("x"));
    VERIFY_OK(replaceFile(link, [](const fs::path& part) {
      std::ofstream(part) << "y";
      return Status();
    }));
    QVERIFY(fs::is_symlink(link));
    QCOMPARE(contentOf(file), std::string("y"));
    // Over several links, to a file that is not there yet.
    fs::create_directory(folder.path() / "disk");
    fs::create_symlink("disk/further", folder.path() / "to_nothing");
    fs::create_symlink("made", folder.path() / "disk" / "further");
    VERIFY_OK(writeWholeFile(folder.path() / "to_nothing", "z", IfThere::Refuse));
    QCOMPARE(contentOf(folder.path() / "disk" / "made"), std::string("z"));
  }

  void aFileWrittenPieceByPieceReplacesWhatWasThereWhenItIsFinished() {
    const tests::TemporaryFolder folder;
    const fs::path real = folder.path() / "disk" / "trace.json";
    const fs::path link = folder.path() / "trace.json";
    fs::create_directory(real.parent_path());
    VERIFY_OK(writeWholeFile(real, "old", IfThere::Refuse));
    fs::permissions(real, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(real, link);
    {
      auto unfinished = WholeFile::open(link);
      QVERIFY(unfinished.ok());
      std::fputs("lost", unfinished->stream());
    }
    QCOMPARE(contentOf(real), std::string("old"));
    auto file = WholeFile::open(link);
    QVERIFY(file.ok());
    std::fputs("new", file->stream());
    QCOMPARE(contentOf(real), std::string("old"));
    VERIFY_OK(file->finish());
    QVERIFY(fs::is_symlink(link));
    QCOMPARE(contentOf(real), std::string("new"));
    QVERIFY(fs::status(real).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    QCOMPARE(std::distance(fs::directory_iterator(real.parent_path()), {}), 1);
  }

  void aStreamThatCannotBeWrittenSaysWhy() {
    const tests::TemporaryFolder folder;
    QVERIFY(!WholeFile::open(folder.path()).ok());
    QVERIFY(!WholeFile::open(folder.path() / "none" / "trace.json").ok());
    auto full = WholeFile::open("/dev/full");
    QVERIFY(full.ok());
    for (int i = 0; i < 100000; ++i) std::fputs("a line of a trace\n", full->stream());
    const Status finished = full->finish();
    QVERIFY(!finished.ok());
    QCOMPARE(finished.error().message, std::string("No space left on device"));
  }

  void whatFailsLeavesWhatWasThereAndNothingElse() {
    const tests::TemporaryFolder folder;
    const fs::path file = folder.path() / "there";
    VERIFY_OK(writeWholeFile(file, "before", IfThere::Refuse));
    const Status failed = replaceFile(file, [](const fs::path& part) -> Status {
      std::ofstream(part) << "half";
      return Error{"the middle"};
    });
    QVERIFY(!failed.ok() && failed.error().message == "the middle");
    QCOMPARE(contentOf(file), std::string("before"));
    QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  }
};

}  // namespace millrace

using millrace::TestWholeFile;
MILLRACE_TEST_CASE(TestWholeFile)
#include "tst_whole_file.moc"
