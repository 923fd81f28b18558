// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/whole_file.h"

#include <fstream>

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

  void aDeviceIsWrittenToAsItIs() {
    QVERIFY(mayWrite("/dev/null", IfThere::Refuse).ok());
    VERIFY_OK(writeWholeFile("/dev/null", "x", IfThere::Refuse));
    QVERIFY(!writeWholeFile("/dev/full", "x", IfThere::Refuse).ok());
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
