// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pictures decoded after the transfer by a fake nvJPEG that returns the CPU's pixels: the batches
// must equal those of a run without it, whatever part was decoded by which decoder.
#include <fmt/format.h>
#include <QTemporaryDir>

#include <algorithm>
#include <fstream>

#include "core/run/executor.h"
#include "tests/core/run/run_support.h"
#include "tests/support/fake_nvjpeg.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestDeviceDecode : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  const FakeNvjpeg m_fake{tests::kFakeNvjpeg};

  std::string chain(int share, const std::string& decode = "", const std::string& batch = "",
                    int count = 2) const {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\n{}\ndecode {{\"gpu_share\": {}{}}}\n"
        "batch {{\"size\": 5{}}}\nprefetch\ntransfer\nrandom_resized_crop {{\"height\": 24, "
        "\"width\": 20}}\nflip\nnormalise\ndrain",
        m_folder.path().toStdString(), count == 0 ? "" : workers(count), share, decode, batch);
  }

  static Outcome runOn(const char* backend, const std::string& text) {
    qputenv("MILLRACE_BACKEND", backend);
    return runChain(text, withFailures(epochs(2), 12));
  }

  /// The device's batches, after checking that the host's are equal.
  Outcome compare(const std::string& text) const {
    const Outcome host = runOn("cpu", text);
    Outcome device = runOn("emulated", text);
    const bool same = host.end == RunEnd::Finished && device.end == RunEnd::Finished &&
                      !host.batches.empty() && device.batches == host.batches &&
                      device.totals.failedSamples == host.totals.failedSamples;
    if (!same) QTest::qFail((text + "\n" + host.error + device.error).c_str(), __FILE__, __LINE__);
    return device;
  }

  static std::uint64_t counted(const Outcome& outcome, const std::string& name) {
    for (const NodeTotals& node : outcome.totals.nodes)
      for (const NamedCount& counters : node.counters)
        if (counters.name == name) return counters.count;
    return 0;
  }

  static std::string problemOf(const std::string& text) {
    const Result<Plan> plan = planOf(text);
    return plan ? std::string() : plan.error().message;
  }

 private slots:
  void initTestCase() { writePictures(m_folder.path().toStdString(), 23); }
  void init() {
    m_fake.script("");
    qputenv("MILLRACE_NVJPEG", tests::kFakeNvjpeg);
    qputenv("MILLRACE_BACKEND", "emulated");
  }
  void cleanup() {
    qunsetenv("MILLRACE_BACKEND");
    qunsetenv("MILLRACE_NVJPEG");
  }

  void theShareSaysHowManyPicturesTheDeviceDecodes() {
    std::vector<std::uint64_t> decoded;
    for (const int share : {0, 40, 100}) {
      m_fake.script("");
      const Outcome outcome = compare(chain(share));
      if (QTest::currentTestFailed()) return;
      decoded.push_back(counted(outcome, "JPEG by nvJPEG"));
      QCOMPARE(std::uint64_t(m_fake.pictures()), decoded.back());
      QCOMPARE(counted(outcome, "JPEG left to nvJPEG"), decoded.back());
      QCOMPARE(m_fake.singles(), 0);
    }
    // Of 23 pictures 16 are JPEG, in two epochs.
    QCOMPARE(decoded[0], std::uint64_t{0});
    QVERIFY(decoded[1] > 3 && decoded[1] < 26);
    QCOMPARE(decoded[2], std::uint64_t{32});
    QCOMPARE(m_fake.open(), 0);
  }

  void whichOnesDoesNotDependOnThreads() {
    std::vector<std::uint64_t> decoded;
    for (const int count : {0, 1, 5}) {
      decoded.push_back(counted(compare(chain(50, "", "", count)), "JPEG by nvJPEG"));
      if (QTest::currentTestFailed()) return;
    }
    QCOMPARE(decoded[1], decoded[0]);
    QCOMPARE(decoded[2], decoded[0]);
  }

  void greyPicturesAreDecodedToo() {
    std::string text = chain(100, R"(, "form": "grey")");
    text.erase(text.find("normalise\n"), 10);
    compare(text);
    QCOMPARE(m_fake.pictures(), 32);
  }

  /// The engine leaves out pixels around a region that are not used, so the batches are equal.
  void ofWhatIsCroppedOnlyTheRegionIsDecoded() {
    const std::string crop = "random_resized_crop {\"height\": 24, \"width\": 20}";
    for (const char* other : {"", "random_crop {\"height\": 20, \"width\": 24}",
                              "centre_crop {\"height\": 9, \"width\": 30}",
                              "resize {\"height\": 40, \"width\": 40}\ncrop {\"x\": 7, \"y\": 3, "
                              "\"height\": 11, \"width\": 12}",
                              "pad {\"left\": 5, \"right\": 3, \"border\": "
                              "\"reflect\"}\nrandom_crop {\"height\": 20, \"width\": 24}"}) {
      std::string text = chain(100, R"(, "scaling": "full")");
      if (*other != '\0') text.replace(text.find(crop), crop.size(), other);
      m_fake.script("");
      const Outcome outcome = compare(text);
      if (QTest::currentTestFailed()) return;
      QCOMPARE(m_fake.pictures(), 32);
      QCOMPARE(std::uint64_t(m_fake.regions()),
               counted(outcome, "JPEG of which nvJPEG decoded a region"));
      // A padded picture is used completely.
      if (text.find("pad {") == std::string::npos) QVERIFY2(m_fake.regions() > 16, text.c_str());
    }
    for (const char* script : {"no_engine", "whole"}) {
      m_fake.script(script);
      compare(chain(100));
      QCOMPARE(m_fake.regions(), 0);
      QCOMPARE(m_fake.pictures(), 32);
    }
  }

  void aShareThatMovesGivesTheSameBatches() {
    for (const int share : {1, 50, 100}) compare(chain(share, R"(, "gpu_balance": "adaptive")"));
    QVERIFY(m_fake.pictures() > 0);
  }

  void whatTheDeviceRefusesTheCpuDecodes() {
    for (const char* script : {"batch=6", "width=47:3", "head=47"}) {
      m_fake.script(script);
      const Outcome outcome = compare(chain(100));
      if (QTest::currentTestFailed()) return;
      const std::uint64_t refused =
          counted(outcome, "JPEG refused by nvJPEG: the data is damaged") +
          counted(outcome, "JPEG refused by nvJPEG: this kind of JPEG is not supported");
      QCOMPARE(refused > 0, std::string(script) != "batch=6");
      QCOMPARE(counted(outcome, "JPEG by nvJPEG") + refused, std::uint64_t{32});
    }
  }

  void aPictureThatNobodyCanDecodeFailsAsOnTheCpu() {
    QTemporaryDir broken;
    const std::filesystem::path folder = broken.path().toStdString();
    writePictures(folder, 12);
    // Its header and its end are valid; the data in between is missing.
    const std::filesystem::path file = folder / "even" / "000.jpg";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    std::ofstream(file, std::ios::binary | std::ios::app) << "\xff\xd9";
    m_fake.script("width=40:3");
    for (const char* how : {"shorten", "fill"}) {
      std::string text = chain(100, "", fmt::format(", \"on_failure\": \"{}\"", how));
      text.replace(text.find(m_folder.path().toStdString()), m_folder.path().size(),
                   broken.path().toStdString());
      const Outcome outcome = compare(text);
      if (QTest::currentTestFailed()) return;
      QCOMPARE(outcome.failures.size(), std::size_t{1});
    }
  }

  void withoutTheLibraryTheCpuDecodesAll() {
    qputenv("MILLRACE_NVJPEG", "/nowhere/libnvjpeg.so.13");
    compare(chain(100));
    QCOMPARE(m_fake.pictures(), 0);
  }

  void aLibraryThatDoesNotStartEndsTheRunWithARemedy() {
    m_fake.script("create=5");
    const Outcome outcome = runOn("emulated", chain(100));
    QCOMPARE(outcome.end, RunEnd::Failed);
    QVERIFY2(outcome.error.find("set decode.gpu_share to 0") != std::string::npos,
             outcome.error.c_str());
  }

  void sharesThatCannotBeAreRefused() {
    const std::string source =
        fmt::format("image_folder {{\"paths\": [\"{}\"]}}\ndecode {{\"gpu_share\": 50}}\n",
                    m_folder.path().toStdString());
    const std::string crop = "centre_crop {\"height\": 9, \"width\": 9}\ndrain";
    const auto says = [&](const std::string& rest, const char* what) {
      const std::string problem = problemOf(source + rest);
      QVERIFY2(problem.find(what) != std::string::npos, problem.c_str());
    };
    says("batch\n" + crop, "no later node moves batches to a GPU");
    says("flip\nbatch\ntransfer\n" + crop,
         "`flip` needs the pixels before the GPU has decoded them");
    says("batch {\"pad_height\": 200, \"pad_width\": 200}\ntransfer\n" + crop,
         "are padded in the batch");
  }
};

}  // namespace millrace

using millrace::TestDeviceDecode;
MILLRACE_TEST_CASE(TestDeviceDecode)
#include "tst_device_decode.moc"
