// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#open-a-file, #save-and-recover: files that are corrupt, foreign, newer,
// read-only or gone, and a disk that is full. Each is reported in a sentence with its remedy, and
// nothing is lost.
#include <sys/stat.h>

#include <filesystem>

#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/support/unprivileged.h"
#include "tests/widgets/full_disk.h"
#include "tests/widgets/opened_files.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/recovery.h"

namespace millrace {

namespace {

/// A document with unsaved changes, and a file to save it to.
class EditedDocument {
 public:
  EditedDocument() : document(builtinCatalog()) {
    folder.write("mine.millrace.json", *exampleJson("deblurring"));
    ready = tests::openFile(document, file()).ok();
    document.edit("Seed", [&] {
      Graph graph = document.graph();
      graph.seed = 7;
      return graph;
    }());
    text = document.text();
  }
  QString file() const { return fileText(folder.path() / "mine.millrace.json"); }
  std::string onDisk() const { return tests::contentOf(folder.path() / "mine.millrace.json"); }
  bool isWhole() const { return document.text() == text && document.isModified(); }

  tests::TemporaryFolder folder;
  Document document;
  std::string text;
  bool ready = false;
};

}  // namespace

class TestBadFiles : public QObject {
  Q_OBJECT
 private slots:
  void anUnreadableFileIsReportedAndChangesNothing_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::newRow("empty") << QByteArray() << "the input is empty";
    QTest::newRow("corrupt") << QByteArray("{\n\"nodes\": [\n}") << "line 3";
    QTest::newRow("cut off") << QByteArray("{\"format_version\": 1,\n\"nodes\": [{\"id\": \"a")
                             << "line 2";
    QTest::newRow("newer version")
        << QByteArray("{\"format_version\": 99, \"nodes\": [], \"wires\": []}")
        << "open it with a newer Millrace";
    QTest::newRow("other JSON") << QByteArray("[1, 2, 3]") << "a pipeline is a JSON object";
    QTest::newRow("a picture") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) << "line 1";
    QTest::newRow("nested without end") << QByteArray(200000, '[') << "deep";
  }
  void anUnreadableFileIsReportedAndChangesNothing() {
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    EditedDocument edited;
    QVERIFY(edited.ready);
    edited.folder.write("bad.json", content.toStdString());
    const Status opened =
        tests::openFile(edited.document, fileText(edited.folder.path() / "bad.json"));
    QVERIFY(!opened.ok());
    QVERIFY2(toQt(opened.error().message).contains(said), opened.error().message.c_str());
    QVERIFY(edited.isWhole());
  }

  void foldersPipesAndMissingFilesAreReported() {
    EditedDocument edited;
    QVERIFY(edited.ready);
    QCOMPARE(::mkfifo((edited.folder.path() / "pipe").c_str(), 0600), 0);
    edited.folder.write("secret.json");
    std::filesystem::permissions(edited.folder.path() / "secret.json",
                                 std::filesystem::perms::none);
    std::filesystem::permissions(edited.folder.path(), std::filesystem::perms(0755));
    const tests::Unprivileged user;
    for (const auto& [name, said] :
         std::vector<std::pair<const char*, const char*>>{{".", "it is a folder"},
                                                          {"pipe", "is a device or a pipe"},
                                                          {"secret.json", "Permission denied"},
                                                          {"gone.json", "No such file"}}) {
      const Status opened = tests::openFile(edited.document, fileText(edited.folder.path() / name));
      QVERIFY2(!opened.ok(), name);
      QVERIFY2(toQt(opened.error().message).contains(said), opened.error().message.c_str());
    }
    QVERIFY(edited.isWhole());
  }

  void aReadOnlyFileIsNotReplaced() {
    EditedDocument edited;
    QVERIFY(edited.ready);
    const std::string before = edited.onDisk();
    std::filesystem::permissions(edited.folder.path(), std::filesystem::perms(0777));
    std::filesystem::permissions(pathOf(edited.file()), std::filesystem::perms(0444));
    {
      const tests::Unprivileged user;
      const Status saved = tests::saveFile(edited.document, edited.file());
      QVERIFY(!saved.ok());
      QVERIFY2(toQt(saved.error().message).contains("save under another name"),
               saved.error().message.c_str());
      QVERIFY(edited.isWhole());
      VERIFY_OK(
          tests::saveFile(edited.document, fileText(edited.folder.path() / "other.millrace.json")));
    }
    QCOMPARE(edited.onDisk(), before);
  }

  void aReadOnlyFolderIsReportedAndAnotherOneCanBeChosen() {
    EditedDocument edited;
    QVERIFY(edited.ready);
    edited.folder.makeFolder("theirs");
    edited.folder.makeFolder("mine");
    std::filesystem::permissions(edited.folder.path() / "theirs", std::filesystem::perms(0555));
    std::filesystem::permissions(edited.folder.path() / "mine", std::filesystem::perms(0777));
    std::filesystem::permissions(edited.folder.path(), std::filesystem::perms(0755));
    const tests::Unprivileged user;
    const Status saved = tests::saveFile(
        edited.document, fileText(edited.folder.path() / "theirs/new.millrace.json"));
    QVERIFY(!saved.ok());
    QVERIFY2(toQt(saved.error().message).contains("theirs/new.millrace.json: Permission denied"),
             saved.error().message.c_str());
    QVERIFY(edited.isWhole());
    VERIFY_OK(tests::saveFile(edited.document,
                              fileText(edited.folder.path() / "mine/new.millrace.json")));
  }

  void aFullDiskKeepsTheOldFileAndTheChanges() {
    EditedDocument edited;
    QVERIFY(edited.ready);
    const std::string before = edited.onDisk();
    {
      const tests::FullDisk full(100);
      const Status saved = tests::saveFile(edited.document, edited.file());
      QVERIFY(!saved.ok());
      QVERIFY2(toQt(saved.error().message).contains("mine.millrace.json"),
               saved.error().message.c_str());
    }
    QVERIFY(edited.isWhole());
    QCOMPARE(edited.onDisk(), before);
    // No partial file is left next to it.
    const std::filesystem::directory_iterator files(edited.folder.path());
    QCOMPARE(std::distance(begin(files), end(files)), 1);
    VERIFY_OK(tests::saveFile(edited.document, edited.file()));
    QCOMPARE(edited.onDisk(), edited.text);
  }

  void aDeletedFileIsWrittenAgain() {
    EditedDocument edited;
    QVERIFY(edited.ready);
    QVERIFY(QFile::remove(edited.file()));
    VERIFY_OK(tests::saveFile(edited.document, edited.file()));
    QCOMPARE(edited.onDisk(), edited.text);
  }

  void theRecoveryCopyIsNeverTheFileItself() {
    EditedDocument edited;
    QVERIFY(edited.ready);
    const std::string before = edited.onDisk();
    const QString place = fileText(edited.folder.path() / "recovery");
    Recovery recovery(edited.document, place);
    edited.document.edit("Seed", [&] {
      Graph graph = edited.document.graph();
      graph.seed = 8;
      return graph;
    }());
    // It appears automatically within five seconds.
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(recovery.recoveryFile()); }, 5000));
    QCOMPARE(edited.onDisk(), before);
    // Garbage next to it is ignored.
    edited.folder.write("recovery/other.json", "no JSON");
    QVERIFY(Recovery::leftBehind(place).empty());
    VERIFY_OK(tests::saveFile(edited.document, edited.file()));
    QVERIFY(!QFile::exists(recovery.recoveryFile()));
  }
};

}  // namespace millrace

using millrace::TestBadFiles;
MILLRACE_TEST_CASE(TestBadFiles)
#include "tst_bad_files.moc"
