// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/junk_names.h"

#include "core/formats/folder/file_list.h"
#include "core/formats/shard_files.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestJunkNames : public QObject {
  Q_OBJECT
 private slots:
  void filesThatAreNotDataAreKnownByTheirNames() {
    for (const char* name : {".DS_Store",
                             "._1.jpg",
                             ".hidden",
                             "Thumbs.db",
                             "THUMBS.DB",
                             "desktop.ini",
                             "a.jpg~",
                             "a.jpg.part",
                             "a.jpg.CRDOWNLOAD",
                             "~$list.xlsx",
                             "x.tmp",
                             "a.swp",
                             "a.tar.md5",
                             "SHA256SUMS",
                             "md5sums.txt",
                             "README",
                             "README.md",
                             "readme_first.txt",
                             "LICENSE",
                             "LICENCE-CC0.txt",
                             "Copying",
                             "_SUCCESS",
                             "_metadata",
                             "write.lock",
                             "1.jpg:Zone.Identifier",
                             "Thumbs.db:encryptable",
                             "README.",
                             "README_how_the_pictures_of_this_data_set_were_made.txt"})
      QVERIFY2(isJunkFile(name), name);
    for (const char* name : {"1.jpg", "noext", "trailing.jpg.", "readme.jpg", "licenses.png",
                             "-dash.jpg", "{a,b}.jpg", "part.jpg", "tmp.png", "labels.csv",
                             "classes.txt", "x.tfrecord", "train-00000-of-00002", "", "~.png"})
      QVERIFY2(!isJunkFile(name), name);
  }

  void amongPicturesTextsAndTablesAreNotDataEither() {
    for (const char* name : {"notes.txt", "1.json", "labels.CSV", "a.xml", "README.md", "x.npy"})
      QVERIFY2(isJunkAmongPictures(name), name);
    for (const char* name : {"1.jpg", "noext", "a.heic", "b.gif", "c.avif"})
      QVERIFY2(!isJunkAmongPictures(name), name);
  }

  void foldersOfSystemsAreNotClasses() {
    for (const char* name :
         {".git", ".ipynb_checkpoints", "__MACOSX", "@eaDir", "#recycle", "lost+found", "@__thumb",
          "RECYCLER", "$RECYCLE.BIN", "System Volume Information"})
      QVERIFY2(isJunkFolder(name), name);
    for (const char* name : {"cat", "license", "readme", "notice", "size", "v1.tmp", "1"})
      QVERIFY2(!isJunkFolder(name), name);
    QVERIFY(isJunkPath("__MACOSX/cat/1.jpg"));
    QVERIFY(isJunkPath("./cat/._1.jpg"));
    QVERIFY(!isJunkPath("./cat/1.jpg"));
  }

  void recordsAboutOthersAreKnownByTheirKeys() {
    for (const char* key : {"__len__", "__keys__", "__anything__", "length", "num-samples", "Meta"})
      QVERIFY2(isJunkRecord(key), key);
    for (const char* key : {"0", "length_1", "____", "image-000000001"})
      QVERIFY2(!isJunkRecord(key), key);
  }

  void aListingLeavesThemOutAndSaysSoOnce() {
    const tests::TemporaryFolder folder;
    for (const char* name : {"cat/1.jpg", "cat/._1.jpg", "cat/.DS_Store", "dog/.DS_Store",
                             "dog/1.jpg", "__MACOSX/cat/._1.jpg", "dog/notes.txt"})
      folder.write(name);
    const auto list = listFiles(folder.path(), {}, {Junk::Skip, true, kKeepJunk});
    VERIFY_OK(list);
    QCOMPARE(list->size(), 2U);
    QCOMPARE(list->notes().size(), 1U);
    const std::string note = list->notes()[0];
    for (const char* part : {"5 left out, because they are not data by their name: ",
                             ".DS_Store (2)", "__MACOSX", "; `junk=keep` includes them"})
      QVERIFY2(note.find(part) != std::string::npos, note.c_str());
    QCOMPARE(listFolders(folder.path()), (std::vector<std::string>{"cat", "dog"}));
    QCOMPARE(listFiles(folder.path(), {}, {.junk = Junk::Keep})->size(), 7U);
  }

  void textsAreJunkOnlyNextToOtherFiles() {
    const tests::TemporaryFolder folder;
    for (const char* name : {"pos/1.txt", "neg/1.txt", "README.md"}) folder.write(name);
    const ListingRule rule{Junk::Skip, true, kKeepJunk};
    const auto texts = listFiles(folder.path(), {}, rule);
    VERIFY_OK(texts);
    QCOMPARE(texts->size(), 2U);
    QVERIFY(texts->notes().front().starts_with("1 left out"));
    folder.write("pos/1.jpg");
    QCOMPARE(listFiles(folder.path(), {}, rule)->size(), 1U);
  }

  void aFolderWithNothingElseIsAnErrorThatNamesThem() {
    const tests::TemporaryFolder folder;
    folder.write("Thumbs.db");
    const auto list = listFiles(folder.path(), {}, {Junk::Skip, true, kKeepJunk});
    QVERIFY(!list);
    QVERIFY2(list.error().message.find("Thumbs.db; `junk=keep`") != std::string::npos,
             list.error().message.c_str());
  }

  void junkIsNoShardUnlessItIsGivenItself() {
    const tests::TemporaryFolder folder;
    for (const char* name : {"a.tar", "._a.tar", "__MACOSX/b.tar", "README.md", ".millrace-sample"})
      folder.write(name);
    const auto isTar = [](std::string_view name) { return name.ends_with(".tar"); };
    std::vector<std::string> notes;
    auto files = shardFiles({folder.path().native()}, {}, isTar, notes);
    VERIFY_OK(files);
    QCOMPARE(files->size(), 1U);
    QCOMPARE(notes.size(), 1U);
    QVERIFY2(notes[0].starts_with("3 left out"), notes[0].c_str());
    files = shardFiles({(folder.path() / "._a.tar").native()}, {}, isTar, notes);
    VERIFY_OK(files);
    QCOMPARE(files->size(), 1U);
  }

  void thePythonTableIsTheSame() {
    const std::string python =
        tests::contentOf(tests::sourcePath("resources/export/python/junk.py"));
    for (const JunkRule& rule : junkRules()) {
      std::string text(rule.text);
      if (text == "icon\r") text = "icon\\r";
      bool found = false;
      for (std::size_t at = python.find(text); at != std::string::npos && !found;
           at = python.find(text, at + 1)) {
        const char before = python[at - 1];
        const char after = python[at + text.size()];
        found = (before == '"' || before == '|') && (after == '"' || after == '|');
      }
      QVERIFY2(found, (text + " is not in resources/export/python/junk.py").c_str());
    }
  }
};

MILLRACE_TEST_CASE(TestJunkNames)

}  // namespace millrace

#include "tst_junk_names.moc"
