// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_cache.h"

#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "tests/support/test_case.h"

namespace millrace::samples {
namespace {

namespace fs = std::filesystem;

std::atomic<int> drawn{0};

Result<std::vector<SampleFile>> drawTiny(const TextureTiles&, const SamplePlace& place) {
  ++drawn;
  return std::vector<SampleFile>{{fmt::format("a/{}.txt", place.index), {std::byte{'x'}}},
                                 {fmt::format("b/{}.txt", place.index), {std::byte{'y'}}}};
}
Result<std::vector<SampleFile>> drawAndFail(const TextureTiles& tiles, const SamplePlace& place) {
  if (place.index == 3) return Error{"the encoder gave up"};
  return drawTiny(tiles, place);
}
constexpr std::uint32_t kCount = 20;
constexpr SampleKindEntry kTiny = {"tiny", "for this test", kCount, 3, drawTiny};
constexpr SampleKindEntry kFailing = {"tiny", "for this test", kCount, 3, drawAndFail};

std::set<std::string> namesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}
const std::set<std::string> kOnlyData = {".tiny.lock", "tiny"};

void write(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

class TestSampleCache : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir m_folder;
  fs::path cache() const {
    return fs::path(m_folder.path().toStdString()) / QTest::currentTestFunction();
  }
  int drawnByAsking() const {
    drawn = 0;
    const auto made = ensureInCache(cache(), kTiny, {});
    return made.ok() && *made == cache() / "tiny" ? drawn.load() : -1;
  }

 private slots:
  void makesTheDataOnce() {
    QVERIFY(!isStamped(cache(), kTiny));
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
    QVERIFY(isStamped(cache(), kTiny));
    QCOMPARE(drawnByAsking(), 0);
    QCOMPARE(namesIn(cache()), kOnlyData);
    QCOMPARE(namesIn(cache() / "tiny"), (std::set<std::string>{".millrace-sample", "a", "b"}));
    QCOMPARE(namesIn(cache() / "tiny" / "a").size(), std::size_t{kCount});
  }

  void oneMakesAndAllFindIt() {
    drawn = 0;
    std::atomic<int> found{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i)
      threads.emplace_back([&, folder = cache()] {
        const auto made = ensureInCache(folder, kTiny, {});
        if (made.ok() && fs::exists(*made / "b" / "19.txt")) ++found;
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(found.load(), 6);
    QCOMPARE(drawn.load(), static_cast<int>(kCount));
    QCOMPARE(namesIn(cache()), kOnlyData);
  }

  void aStoppedMakingLeavesNothing() {
    const auto stop = [](std::uint32_t done, std::uint32_t) { return done == 0; };
    QVERIFY(!ensureInCache(cache(), kTiny, stop).ok());
    QCOMPARE(namesIn(cache()), std::set<std::string>{".tiny.lock"});
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
  }

  void saysWhatToDoWithoutAFolder() {
    std::ofstream(cache()) << "a file, where the folder should be";
    const auto made = ensureInCache(cache() / "samples", kTiny, {});
    QVERIFY(!made.ok());
    QVERIFY(made.error().message.starts_with((cache() / "samples").string()));
    QVERIFY(made.error().message.find("set XDG_CACHE_HOME") != std::string::npos);
  }

  void aFailedMakingLeavesNothingAndSaysWhy() {
    const auto made = ensureInCache(cache(), kFailing, {});
    QVERIFY(!made.ok());
    QCOMPARE(made.error().message, std::string("the encoder gave up"));
    QCOMPARE(namesIn(cache()), std::set<std::string>{".tiny.lock"});
  }

  void whatAKilledMakerLeftIsRemoved() {
    write(cache() / ".tiny.making-1-0" / "a" / "0.txt", "half");
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
    QCOMPARE(namesIn(cache()), kOnlyData);
  }

  /// A power failure keeps names and loses content.
  void lostContentIsMadeAnew() {
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
    fs::resize_file(cache() / "tiny" / "a" / "7.txt", 0);
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
    QCOMPARE(fs::file_size(cache() / "tiny" / "a" / "7.txt"), std::uintmax_t{1});
    fs::remove(cache() / "tiny" / "b" / "0.txt");
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
    QCOMPARE(namesIn(cache()), kOnlyData);
  }

  void dataOfAnotherVersionIsMadeAnew() {
    QCOMPARE(drawnByAsking(), static_cast<int>(kCount));
    SampleKindEntry newer = kTiny;
    newer.version = 4;
    drawn = 0;
    VERIFY_OK(ensureInCache(cache(), newer, {}));
    QCOMPARE(drawn.load(), static_cast<int>(kCount));
    QCOMPARE(namesIn(cache()), kOnlyData);
  }

  void aFailureKeepsTheDataThatWasThere() {
    write(cache() / "tiny" / "a" / "old.txt", "old");
    QVERIFY(!ensureInCache(cache(), kFailing, {}).ok());
    QVERIFY(fs::exists(cache() / "tiny" / "a" / "old.txt"));
  }
};

}  // namespace millrace::samples

using millrace::samples::TestSampleCache;
MILLRACE_TEST_CASE(TestSampleCache)
#include "tst_sample_cache.moc"
