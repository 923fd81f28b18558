// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_data.h"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/test_case.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// All files below a folder with their content.
std::map<std::string, std::string> contentOf(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      content[fs::relative(entry.path(), folder).string()] = readAll(entry.path());
  return content;
}

std::set<std::string> namesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

/// Uses the length before each record: eight bytes, a checksum of four, the record, another
/// checksum.
std::size_t recordsIn(const std::string& tfRecord) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < tfRecord.size(); ++count) {
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;)
      length = length << 8 | static_cast<unsigned char>(tfRecord.at(at + i));
    at += 8 + 4 + length + 4;
  }
  return count;
}

std::string errorOf(const Status& status) { return status.ok() ? "" : status.error().message; }

}  // namespace

class TestSampleData : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir m_folder;
  fs::path folder(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

 private slots:
  void drawsTheSameBytesWithAnyNumberOfThreads() {
    for (const SampleKind& kind : sampleKinds()) {
      const std::string name(kind.name);
      const fs::path one = folder("same") / (name + "-1");
      const fs::path three = folder("same") / (name + "-3");
      VERIFY_OK(makeSampleData(one, {name, 4, 7, 1}));
      VERIFY_OK(makeSampleData(three, {name, 4, 7, 3}));
      const auto content = contentOf(one);
      QVERIFY(content.size() >= 4);
      QVERIFY2(content == contentOf(three), name.c_str());
    }
  }

  /// Users see the number of chess positions, not of files.
  void tellsHowManySamplesThereWillBe() {
    for (const SampleKind& kind : sampleKinds()) {
      if (kind.name != "chess") {
        QCOMPARE(kind.samplesEach, 1U);
        continue;
      }
      VERIFY_OK(makeSampleData(folder("shard"), {"chess", 1, 0, 1}));
      const auto content = contentOf(folder("shard"));
      QCOMPARE(content.size(), 1U);
      QCOMPARE(recordsIn(content.begin()->second), std::size_t{kind.samplesEach});
    }
  }

  void anotherSeedDrawsOtherPictures() {
    VERIFY_OK(makeSampleData(folder("seed-0"), {"camvid", 2, 0, 2}));
    VERIFY_OK(makeSampleData(folder("seed-1"), {"camvid", 2, 1, 2}));
    for (const auto& [path, bytes] : contentOf(folder("seed-0")))
      if (path != "classes.csv") QVERIFY(bytes != readAll(folder("seed-1") / path));
  }

  void refusesAnUnknownKindAndNamesTheOthers() {
    const Status status = makeSampleData(folder("unknown"), {"imagenets", 1, 0, 1});
    QVERIFY2(errorOf(status).find("pairs984") != std::string::npos, errorOf(status).c_str());
    QVERIFY(!fs::exists(folder("unknown")));
  }

  void leavesAFolderThatHoldsSomethingAlone() {
    fs::create_directories(folder("full"));
    std::ofstream(folder("full") / "thesis.txt") << "mine";
    const Status status = makeSampleData(folder("full"), {"camvid", 1, 0, 1});
    QVERIFY(errorOf(status).find("full") != std::string::npos);
    QCOMPARE(namesIn(folder("full")), std::set<std::string>{"thesis.txt"});
  }

  void stoppedByItsProgressItLeavesNothing() {
    const auto stop = [](std::uint32_t done, std::uint32_t) { return done < 2; };
    QVERIFY(!makeSampleData(folder("stopped"), {"cats-vs-dogs", 50, 0, 2}, stop).ok());
    QVERIFY(!fs::exists(folder("stopped")));
    fs::create_directories(folder("empty"));
    QVERIFY(!makeSampleData(folder("empty"), {"cats-vs-dogs", 50, 0, 2}, stop).ok());
    QVERIFY(fs::is_empty(folder("empty")));
  }

  void namesTheFileThatADiskRefuses() {
    // A limit on the file size simulates a full disk: writing fails in the middle.
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, before.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Status status = makeSampleData(folder("refused"), {"camvid", 2, 0, 1});
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY2(
        errorOf(status).find("refused/images/0000.png: cannot be written") != std::string::npos,
        errorOf(status).c_str());
    QVERIFY(!fs::exists(folder("refused")));
  }

  void aCacheThatIsNoFolderIsNamed() {
    std::ofstream(folder("a-file")) << "x";
    qputenv("XDG_CACHE_HOME", folder("a-file").c_str());
    const auto made = ensureSampleData("camvid");
    QVERIFY(!made.ok());
    QVERIFY2(made.error().message.find("a-file/millrace/samples") != std::string::npos,
             made.error().message.c_str());
  }

  void aLookIsTheBeginOfTheWholeAndIsKept() {
    qputenv("XDG_CACHE_HOME", folder("looks-cache").c_str());
    const auto look = ensureSamplePreview("camvid");
    VERIFY_OK(look);
    QVERIFY(!hasSampleData("camvid"));
    VERIFY_OK(makeSampleData(folder("some"), {"camvid", 6, 0, 2}));
    std::size_t pictures = 0;
    for (const auto& entry : fs::directory_iterator(*look / "images")) {
      ++pictures;
      QVERIFY(readAll(entry.path()) ==
              readAll(folder("some") / "images" / entry.path().filename()));
    }
    QCOMPARE(pictures, 5U);
    const auto made = fs::last_write_time(*look / "images");
    QCOMPARE(*ensureSamplePreview("camvid"), *look);
    QVERIFY(fs::last_write_time(*look / "images") == made);
  }

  void theCacheIsWhereTheSpecificationHasIt() {
    qputenv("XDG_CACHE_HOME", "/x");
    QCOMPARE(sampleCacheFolder(), fs::path("/x/millrace/samples"));
    qputenv("XDG_CACHE_HOME", "relative");
    qputenv("HOME", "/home/someone");
    QCOMPARE(sampleCacheFolder(), fs::path("/home/someone/.cache/millrace/samples"));
    qunsetenv("XDG_CACHE_HOME");
    QCOMPARE(sampleCacheFolder(), fs::path("/home/someone/.cache/millrace/samples"));
  }

  void aPathBelowStaysInsideTheData() {
    QCOMPARE(sampleNameOf("sample:imagenet/train").value_or(""), std::string("imagenet"));
    QVERIFY(!sampleNameOf("/sample:imagenet"));
    QVERIFY(!resolveSamplePath("sample:deblurring/../../..").ok());
    QVERIFY(!resolveSamplePath("sample:").ok());
  }
};

}  // namespace millrace

using millrace::TestSampleData;
MILLRACE_TEST_CASE(TestSampleData)
#include "tst_sample_data.moc"
