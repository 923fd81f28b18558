// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs whose decode node resizes planes: the counters, the plan's text, and cases without effect.
#include <fstream>

#include <fmt/format.h>

#include <QTemporaryDir>

#include "core/base/check.h"
#include "core/codecs/encode.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::Outcome;
using tests::planOf;
using tests::runPlan;

std::uint64_t counted(const Outcome& outcome, const std::string& name) {
  std::uint64_t sum = 0;
  for (const NodeTotals& node : outcome.totals.nodes)
    for (const NamedCount& counters : node.counters)
      if (counters.name == name) sum += counters.count;
  return sum;
}

constexpr const char* kPlanes = "JPEG resized as planes";
constexpr const char* kOwn = "JPEG by the built-in decoder";

/// The plan's line about planes; empty if there is none.
std::string planesLine(const Plan& plan) {
  for (const std::string& line : plan.text())
    if (line.starts_with("planes of ")) return line;
  return {};
}

void addProgressive(const std::string& folder) {
  std::vector<std::uint8_t> pixels(60 * 50 * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i / 90);
  const auto bytes = encodeJpeg({pixels.data(), 60, 50, 3, 180}, {.progressive = true});
  MILLRACE_CHECK(bytes.ok(), "a picture can be encoded");
  std::ofstream file(folder + "/even/progressive.jpg", std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes->data()),
             static_cast<std::streamsize>(bytes->size()));
}

}  // namespace

class TestResizePlanesRun : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;  ///< 16 JPEG, 7 PNG, one progressive JPEG

  std::string chain(const std::string& decode, const std::string& behindSource = "",
                    const std::string& behindDecode = "") const {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\n{}\ndecode {{{}}}\n{}\n"
        "random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\nnormalise\n"
        "batch {{\"size\": 5}}\nprefetch\ndrain",
        m_folder.path().toStdString(), behindSource, decode, behindDecode);
  }

 private slots:
  void initTestCase() {
    tests::writePictures(m_folder.path().toStdString(), 23);
    addProgressive(m_folder.path().toStdString());
  }

  void aRunCountsWhichPicturesTookIt() {
    const Outcome rgb = runPlan(*planOf(chain("")), tests::epochs(2));
    QVERIFY2(rgb.end == RunEnd::Finished, rgb.error.c_str());
    QCOMPARE(counted(rgb, kPlanes), 0U);
    const Outcome planes = runPlan(*planOf(chain("\"resize\": \"planes\"")), tests::epochs(2));
    QVERIFY2(planes.end == RunEnd::Finished, planes.error.c_str());
    QCOMPARE(counted(planes, kPlanes), 32U);
    for (const char* name :
         {kOwn, "JPEG by libjpeg-turbo: progressive", "PNG by the built-in decoder"}) {
      QCOMPARE(counted(planes, name), counted(rgb, name));
      QVERIFY(counted(planes, name) > 0);
    }
    QCOMPARE(counted(planes, kOwn), 32U);
    QVERIFY(planes.batches != rgb.batches);
    QCOMPARE(tests::rows(planes), tests::rows(rgb));
  }

  void threadsAndASideIndexGiveTheSameBatches() {
    const Outcome one = runPlan(*planOf(chain("\"resize\": \"planes\"")), tests::epochs(6));
    const Result<Plan> plan =
        planOf(chain("\"resize\": \"planes\", \"side_index\": 1000000", tests::workers(3)));
    VERIFY_OK(plan);
    const Outcome indexed = runPlan(*plan, tests::epochs(6), *CacheSet::make(*plan));
    QVERIFY2(indexed.end == RunEnd::Finished, indexed.error.c_str());
    QVERIFY(indexed.batches == one.batches);
    QVERIFY(counted(indexed, "MCUs skipped by the side index") > 0);
    QCOMPARE(counted(indexed, kPlanes), 96U);
  }

  void unfusedItHasNoEffectAndThePlanSaysSo() {
    const std::string text = chain("\"resize\": \"planes\", \"scaling\": \"full\"");
    const Result<Plan> fused = planOf(text);
    VERIFY_OK(fused);
    QCOMPARE(planesLine(*fused),
             std::string("planes of decode: random_resized_crop resizes luma and chroma of JPEG "
                         "files separately and converts colours in the result"));
    const Result<Plan> apart = planOf(text, {.fuse = false});
    VERIFY_OK(apart);
    QCOMPARE(planesLine(*apart),
             std::string("planes of decode: no effect, because no resize is fused with it; "
                         "pictures are resized as RGB"));
    const Outcome unfused = runPlan(*apart, tests::epochs(1));
    QVERIFY2(unfused.end == RunEnd::Finished, unfused.error.c_str());
    QCOMPARE(counted(unfused, kPlanes), 0U);
    const Outcome rgb = runPlan(*planOf(chain("\"scaling\": \"full\"")), tests::epochs(1));
    QVERIFY(unfused.batches == rgb.batches);
    QVERIFY(planesLine(*planOf(chain(""))).empty());
  }

  void theLibraryAndACacheBehindDecodeLeaveItWithoutEffect() {
    const Result<Plan> library = planOf(chain("\"resize\": \"planes\", \"decoder\": \"library\""));
    VERIFY_OK(library);
    QVERIFY(planesLine(*library).find("the library decodes all files") != std::string::npos);
    const Outcome decoded = runPlan(*library, tests::epochs(1));
    QCOMPARE(counted(decoded, kPlanes), 0U);
    QVERIFY(decoded.batches == runPlan(*planOf(chain("")), tests::epochs(1)).batches);

    const Result<Plan> cached = planOf(chain("\"resize\": \"planes\"", "", "memory_cache"));
    VERIFY_OK(cached);
    QVERIFY(planesLine(*cached).find("no effect") != std::string::npos);
    const Outcome kept = runPlan(*cached, tests::epochs(2), *CacheSet::make(*cached));
    QVERIFY2(kept.end == RunEnd::Finished, kept.error.c_str());
    QCOMPARE(counted(kept, kPlanes), 0U);
    const Result<Plan> plain = planOf(chain("", "", "memory_cache"));
    QVERIFY(kept.batches == runPlan(*plain, tests::epochs(2), *CacheSet::make(*plain)).batches);
  }

  void samplesKeptOfOneAreNotTakenForTheOther() {
    const QTemporaryDir kept;
    const auto run = [&](const std::string& resize) {
      const Result<Plan> plan = planOf(
          fmt::format("image_folder {{\"paths\": [\"{}\"]}}\ndecode {{\"resize\": \"{}\"}}\n"
                      "resize {{\"height\": 16, \"width\": 16}}\ndisk_cache {{\"path\": \"{}\"}}\n"
                      "batch {{\"size\": 5}}\ndrain",
                      m_folder.path().toStdString(), resize, kept.path().toStdString()));
      return runPlan(*plan, tests::epochs(1), *CacheSet::make(*plan));
    };
    const Outcome rgb = run("rgb");
    const Outcome planes = run("planes");
    QCOMPARE(rgb.totals.reads, 24U);
    QCOMPARE(planes.totals.reads, 24U);
    QVERIFY(planes.batches != rgb.batches);
    const Outcome again = run("planes");
    QCOMPARE(again.totals.reads, 0U);
    QVERIFY(again.batches == planes.batches);
  }
};

}  // namespace millrace

using millrace::TestResizePlanesRun;
MILLRACE_TEST_CASE(TestResizePlanesRun)
#include "tst_resize_planes_run.moc"
