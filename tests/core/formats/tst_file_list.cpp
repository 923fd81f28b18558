// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/file_list.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "core/formats/folder/folder_names.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::vector<std::string> pathsOf(const FileList& list) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < list.size(); ++i) paths.emplace_back(list.path(i));
  return paths;
}

bool says(const Result<FileList>& list, const char* part) {
  return !list.ok() && list.error().message.find(part) != std::string::npos;
}

}  // namespace

class TestFileList : public QObject {
  Q_OBJECT
 private slots:
  void givesByteOrderOfWholePaths() {
    const tests::TemporaryFolder folder;
    // `a-b` < `a/...` < `a0`, because - < / < 0.
    std::vector<std::string> names = {"a/2.jpg",
                                      "a-b/1.jpg",
                                      "a0.jpg",
                                      "a/z/1",
                                      "a/10.jpg",
                                      "B/x",
                                      "a.jpg",
                                      "ab",
                                      "a/"
                                      "\xFF\xFE.png"};
    std::shuffle(names.begin(), names.end(), std::mt19937(1));  // NOLINT: any order will do
    for (const std::string& name : names) folder.write(name);
    const auto list = listFiles(folder.path());
    VERIFY_OK(list);
    std::sort(names.begin(), names.end());
    QCOMPARE(pathsOf(*list), names);
    QVERIFY(list->notes().empty());
  }

  void sortsManyNamesThatBeginAlike() {
    const tests::TemporaryFolder folder;
    std::set<std::string> names;
    std::mt19937 random(3);  // NOLINT: a fixed seed
    while (names.size() < 500) {
      std::string name = "photo_";
      for (std::uint32_t n = random() % 14; n > 0; --n)
        name.push_back(static_cast<char>("ab\x80\xFF"[random() % 4]));
      names.insert(name);
    }
    for (const std::string& name : names) folder.write(name);
    const auto list = listFiles(folder.path());
    VERIFY_OK(list);
    QCOMPARE(pathsOf(*list), std::vector<std::string>(names.begin(), names.end()));
  }

  void followsLinksToFilesAndFoldersButNotToFoldersAbove() {
    const tests::TemporaryFolder other;
    other.write("b.jpg");
    other.write("deep/c.jpg");
    const tests::TemporaryFolder folder;
    folder.write("set/a.jpg");
    folder.link("set/b.jpg", (other.path() / "b.jpg").native());
    folder.link("set/more", (other.path() / "deep").native());
    folder.link("set/loop", ".");
    folder.link("set/up", "..");
    folder.link("set/far_up", folder.path().parent_path().native());
    folder.link("set/nowhere", "missing");
    const auto list = listFiles(folder.path() / "set");
    VERIFY_OK(list);
    QCOMPARE(pathsOf(*list), (std::vector<std::string>{"a.jpg", "b.jpg", "more/c.jpg"}));
    QCOMPARE(list->notes().size(), 2U);
    QVERIFY(list->notes()[0].starts_with("3 left out: link to a folder above it"));
    QVERIFY(list->notes()[1].starts_with("1 left out: broken link"));
  }

  void endsOnFoldersThatLinkToEachOther() {
    const tests::TemporaryFolder folder;
    folder.write("a/1");
    folder.write("b/2");
    folder.link("a/to_b", "../b");
    folder.link("b/to_a", "../a");
    const auto list = listFiles(folder.path());
    VERIFY_OK(list);
    QCOMPARE(pathsOf(*list), (std::vector<std::string>{"a/1", "a/to_b/2", "b/2", "b/to_a/1"}));
  }

  void leavesOutWhatIsNoFile() {
    const tests::TemporaryFolder folder;
    folder.write("a");
    QCOMPARE(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
    const auto list = listFiles(folder.path());
    VERIFY_OK(list);
    QCOMPARE(list->size(), 1U);
  }

  void listsASubfolderWithItsName() {
    const tests::TemporaryFolder folder;
    folder.write("train/cat/1");
    folder.write("val/cat/2");
    const auto list = listFiles(folder.path(), "val");
    VERIFY_OK(list);
    QCOMPARE(pathsOf(*list), std::vector<std::string>{"val/cat/2"});
    QCOMPARE(list->absolute(0), (folder.path() / "val/cat/2").native());
  }

  void namesWhatIsWrongWithAFolder() {
    const tests::TemporaryFolder folder;
    QVERIFY(says(listFiles(folder.path() / "missing"), "there is no folder"));
    QVERIFY(says(listFiles(folder.path()), "contains no file"));
    folder.write("file");
    QVERIFY(says(listFiles(folder.path() / "file"), "is not a folder"));
  }

  void namesAFolderWithoutPermission() {
    if (::geteuid() == 0) QSKIP("root may read every folder");
    const tests::TemporaryFolder folder;
    folder.write("open/1");
    folder.write("closed/2");
    ::chmod((folder.path() / "closed").c_str(), 0);
    const auto list = listFiles(folder.path());
    ::chmod((folder.path() / "closed").c_str(), 0700);
    QVERIFY(says(list, "no permission"));
    QVERIFY(says(list, "closed"));
  }

  void aMillionPathsTakeFewMegabytesAndComeBackInAnyOrder() {
    FileList list("/data");
    constexpr std::size_t kFiles = 1'000'000;
    const auto folder = [](std::size_t i) { return fmt::format("train/n{:08}/", i / 1300); };
    const auto name = [](std::size_t i) { return fmt::format("n{:08}_{}.JPEG", i, i); };
    for (std::size_t i = 0; i < kFiles; ++i) list.append(folder(i), name(i));
    list.shrink();
    QVERIFY(list.memoryBytes() < 10'000'000);
    std::mt19937_64 random(4);
    for (int k = 0; k < 20'000; ++k) {
      const std::size_t i = random() % kFiles;
      QCOMPARE(list.path(i), folder(i) + name(i));
    }
  }

  void severalThreadsReadSeveralLists() {
    std::vector<FileList> lists(6);
    const auto name = [](std::size_t l, std::size_t i) { return fmt::format("{}/{:040}", l, i); };
    for (std::size_t l = 0; l < lists.size(); ++l)
      for (std::size_t i = 0; i < 200'000; ++i) lists[l].append("", name(l, i));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        std::mt19937_64 random(t);
        for (int k = 0; k < 20'000; ++k) {
          const std::size_t l = random() % lists.size();
          const std::size_t i = random() % 200'000;
          if (lists[l].path(i) != name(l, i)) ++wrong;
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
  }

  void namesThatDoNotFitIntoMemoryAreInOrderToo() {
    std::vector<std::string> expected;
    for (int i = 0; i < 3000; ++i)
      expected.push_back(fmt::format("{}{}", (i * 7919) % 3001, std::string(i % 200, 'x')));
    for (const std::size_t atOnce : {std::size_t{500}, std::size_t{20'000}, FolderNames::kAtOnce}) {
      FolderNames names(atOnce);
      for (std::size_t i = 0; i < expected.size(); ++i) names.add(expected[i], i % 10 == 0);
      names.sort();
      std::vector<std::string> sortedNames;
      for (std::size_t i = 0; i < expected.size(); ++i)
        sortedNames.push_back(expected[i] + (i % 10 == 0 ? "/" : ""));
      std::ranges::sort(sortedNames);
      for (const std::string& name : sortedNames) QCOMPARE(std::string(*names.next()), name);
      QVERIFY(!names.next());
    }
    FolderNames none;
    none.sort();
    QVERIFY(!none.next());
  }
};

}  // namespace millrace

using millrace::TestFileList;
MILLRACE_TEST_CASE(TestFileList)
#include "tst_file_list.moc"
