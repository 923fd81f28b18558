// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs every scenario in this folder: a pipeline and its expected result. README.md describes the
// format.
#include <fmt/format.h>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/text/text.h"
#include "core/codecs/encode.h"
#include "core/formats/hdf5/hdf5_writer.h"
#include "core/formats/lmdb/lmdb_writer.h"
#include "core/formats/mds/mds_writer.h"
#include "core/formats/recordio/record_io_writer.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/core/run/run_support.h"
#include "tests/support/needs_part.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/places.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): the whole file is a test
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

const std::string kFolder = sourcePath("tests/scenarios");

/// A picture of stripes and blocks; every `seed` gives a different one.
std::vector<std::uint8_t> pixels(int width, int height, int channels, int seed, int levels) {
  std::vector<std::uint8_t> all;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        all.push_back(
            static_cast<std::uint8_t>((x / 3 * 7 + y / 2 * 5 + c * 31 + seed * 13) % levels));
  return all;
}

std::string pngBytes(int width, int height, int channels, int seed, int levels) {
  const std::vector<std::uint8_t> data = pixels(width, height, channels, seed, levels);
  const auto bytes =
      encodePng({data.data(), width, height, channels, std::ptrdiff_t{width} * channels});
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

void writePng(const fs::path& file, int width, int height, int channels, int seed,
              int levels = 256) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << pngBytes(width, height, channels, seed, levels);
}

/// Ten pictures, written in one of the formats.
void writePhotos(const fs::path& folder, const std::string& name,
                 OpenWriter (*open)(const WriteSpec&, const WriteMark&)) {
  WriteSpec spec;
  spec.folder = folder;
  spec.name = name;
  fs::create_directories(spec.folder);
  spec.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image}};
  auto writer = open(spec, {});
  if (!writer) qFatal("%s", writer.error().message.c_str());
  for (int i = 0; i < 10; ++i) {
    std::string file = pngBytes(18, 14, 3, i, 256);
    const TensorView view{DType::Encoded,
                          Layout::Plain,
                          {static_cast<std::int64_t>(file.size())},
                          reinterpret_cast<std::byte*>(file.data()),
                          file.size()};
    if (const Status added = (*writer)->add({fmt::format("{:03}", i), {&view, 1}}); !added)
      qFatal("%s", added.error().message.c_str());
  }
  if (const Status done = (*writer)->finish(); !done) qFatal("%s", done.error().message.c_str());
}

/// Ten samples each in containers: two record files, two archives, an array, a database, shards,
/// datasets.
void writeContainers(const fs::path& base) {
  std::string rows;
  for (int i = 0; i < 10; ++i) {
    const std::vector<std::uint8_t> row = pixels(6, 4, 3, i, 256);
    rows.append(row.begin(), row.end());
  }
  if (checkPart("lmdb")) writePhotos(base / "photos.lmdb", "", openLmdbWriter);
  writePhotos(base / "photos.mds", "", openMdsWriter);
  writePhotos(base / "records", "photos.rec", openRecordIoWriter);
  if (checkPart("hdf5")) writePhotos(base / "datasets", "photos.h5", openHdf5Writer);
  std::ofstream(base / "array.npy", std::ios::binary) << npyBytes("'|u1'", "(10, 4, 6, 3)", rows);
  for (int file = 0; file < 2; ++file) {
    std::ofstream records(base / fmt::format("records-{}.tfrecord", file), std::ios::binary);
    std::ofstream shard(base / fmt::format("shard-{}.tar", file), std::ios::binary);
    for (int i = 5 * file; i < 5 * file + 5; ++i) {
      records << tfRecord(example(bytesFeature("d", {std::string(12, static_cast<char>(i))}) +
                                  intFeature("s", {i * i - 20})));
      shard << tarMember(fmt::format("{:03}.png", i), pngBytes(20, 16, 3, i, 256))
            << tarMember(fmt::format("{:03}.cls", i), std::to_string(i % 3));
    }
    shard << tarEnd();
  }
}

constexpr const char* kOwnCode = R"py(import random
import numpy as np

class Pictures:
    def __len__(self):
        return 30
    def __getitem__(self, i):
        shift = random.getrandbits(3)
        return (np.arange(6 * 4 * 3).reshape(6, 4, 3) * 5 + i + shift).astype(np.uint8), i % 3

def scrambled(image):
    image ^= np.uint8(random.getrandbits(8))
    return image, int(image.sum())

def rolled(image, rng):
    return np.roll(image, rng.integers(1, 4), axis=0)
)py";

/// Six pictures in YOLO's format, and five in records with the numbers of their boxes, one of each
/// without objects.
void writeObjects(const fs::path& base) {
  fs::create_directories(base);
  std::ofstream records(base / "boxes.tfrecord", std::ios::binary);
  for (int i = 0; i < 5; ++i) {
    std::vector<float> low;
    std::vector<float> high;
    std::vector<std::int64_t> labels;
    for (int k = 0; k < i; ++k) {
      low.push_back(0.125F * static_cast<float>(k));
      high.push_back(0.125F * static_cast<float>(k + 3));
      labels.push_back(k % 2);
    }
    records << tfRecord(example(bytesFeature("image", {pngBytes(40, 30 + i, 3, i, 256)}) +
                                floatFeature("xmin", low) + floatFeature("ymin", low) +
                                floatFeature("xmax", high) + floatFeature("ymax", high) +
                                intFeature("label", labels)));
  }
  fs::create_directories(base / "labels");
  std::ofstream(base / "data.yaml") << "names: [cat, dog]\nkpt_shape: [2, 3]\n";
  for (int i = 0; i < 6; ++i) {
    writePng(base / fmt::format("images/{}.png", i), 60 + i, 50, 3, i);
    std::ofstream lines(base / fmt::format("labels/{}.txt", i));
    for (int k = 0; k < i; ++k)
      lines << fmt::format("{} 0.{} 0.5 0.3 0.{} 0.{} 0.4 2 0.9 0.{} 1\n", k % 2, k + 2, k + 2,
                           k + 1, k + 3);
  }
}

/// The data that scenarios refer to by relative paths.
void writeData(const fs::path& base) {
  writeObjects(base / "objects");
  writePictures(base / "photos", 12);
  writeContainers(base);
  std::ofstream(base / "own.py") << kOwnCode;
  // Made by pyarrow: Parquet is only read.
  fs::copy_file(tests::sourcePath("tests/core/formats/parquet/full-split-2.parquet"),
                base / "table.parquet");
  std::ofstream list(base / "list.csv");
  list << "image,label\n";
  for (int i = 0; i < 8; ++i) {
    writePng(base / fmt::format("pairs/low/{}.png", i), 24, 20, 3, i);
    writePng(base / fmt::format("pairs/high/{}.png", i), 48, 40, 3, i);
    writePng(base / fmt::format("pairs/same/{}.png", i), 48, 40, 3, i + 1);
    writePng(base / fmt::format("scene/images/{}.png", i), 30, 22, 3, i);
    writePng(base / fmt::format("scene/masks/{}.png", i), 30, 22, 1, i, 4);
    writePng(base / fmt::format("grey/{}/{}.png", i % 2, i), 16, 16, 1, i);
    list << fmt::format("grey/{}/{}.png,{}\n", i % 2, i, i % 3);
  }
  std::ofstream(base / "grey/1/broken.png") << "not a picture";
}

std::string textOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::Error) text += problem.text() + "\n";
  return text;
}

/// The result of a scenario, with the keys of `expected`.
struct Came {
  Json json;
  std::vector<SeenBatch> batches;
};

/// `workers` and `ahead` replace the number of workers and of samples that the source reads ahead
/// (bypassing the page cache); 0: as in the document.
Came run(const Json& scenario, const fs::path& base, int workers, int ahead = 0) {
  Came came;
  const auto fail = [&](std::string error) {
    came.json["error"] = std::move(error);
    return came;
  };
  const ReadGraph read = parseGraph(scenario.at("pipeline").dump(), builtinCatalog());
  if (!read.graph) return fail(textOf(read.problems));
  Graph graph = *read.graph;
  for (GraphNode& node : graph.nodes) {
    if (node.kind == "workers" && workers > 0) node.params["count"] = Value{std::int64_t{workers}};
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (ahead == 0 || spec == nullptr) continue;
    if (spec->param("read_ahead")) node.params["read_ahead"] = Value{std::int64_t{ahead}};
    if (spec->param("read_by")) node.params["read_by"] = Value{std::string("direct")};
  }
  CheckOptions options;
  options.base = base;
  options.openData = true;
  options.noRandom = scenario.value("no_random", false);
  CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  if (!checked.pipeline) return fail(textOf(checked.problems));
  Result<Plan> plan = makePlan(std::move(*checked.pipeline), {scenario.value("fuse", true)});
  if (!plan) return fail(plan.error().message);
  ExecutorOptions settings = epochs(scenario.value("epochs", 2U));
  settings.noRandom = options.noRandom;
  settings.failureLimit = FailureLimit::parse(scenario.value("max_failures", "0")).take();
  const Outcome outcome = runPlan(*plan, settings);
  if (outcome.end == RunEnd::Failed) return fail(outcome.error);
  std::uint64_t digest = fnv1a("");
  for (const SeenBatch& batch : outcome.batches)
    digest = fnv1a({reinterpret_cast<const char*>(&batch.digest), sizeof batch.digest}, digest);
  came.json = {{"samples", outcome.totals.samples},
               {"batches", outcome.totals.batches},
               {"failed", outcome.totals.failedSamples},
               {"digest", fmt::format("{:016x}", digest)}};
  came.batches = outcome.batches;
  return came;
}

}  // namespace

class TestScenarios : public QObject {
  Q_OBJECT

  QTemporaryDir m_data;

  static std::vector<fs::path> files() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(kFolder))
      if (entry.path().extension() == ".json") all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }
  static Json load(const fs::path& file) {
    std::ifstream stream(file);
    return Json::parse(stream);
  }
  /// MILLRACE_TEST_BACKEND replaces the emulated device.
  static std::string backendOf(const Json& scenario) {
    const std::string backend = scenario.value("backend", "cpu");
    const char* const set = std::getenv("MILLRACE_TEST_BACKEND");
    return backend == "emulated" && set != nullptr ? set : backend;
  }

 private slots:
  void initTestCase() { writeData(m_data.path().toStdString()); }

  void everyScenario_data() {
    QTest::addColumn<QString>("file");
    for (const fs::path& file : files())
      QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
  }

  void everyScenario() {
    QFETCH(QString, file);
    const Json scenario = load(file.toStdString());
    for (const Json& node : scenario.at("pipeline").at("nodes")) {
      const std::string kind = node.at("kind");
      const NodeSpec* spec = builtinCatalog().find(kind);
      if (spec != nullptr && !spec->part.empty()) MILLRACE_NEEDS_PART(spec->part);
      if (kind == "lmdb") MILLRACE_NEEDS_PART("lmdb");  // to write its data
    }
    const std::string backend = backendOf(scenario);
    qputenv("MILLRACE_BACKEND", backend.c_str());
    const Came came = run(scenario, m_data.path().toStdString(), 0);
    const Json expected = scenario.value("expected", Json::object());
    if (expected.contains("error")) {
      const std::string error = came.json.value("error", "");
      QVERIFY2(error.find(expected["error"].get<std::string>()) != std::string::npos,
               ("it says: " + error).c_str());
      return;
    }
    QVERIFY2(!expected.empty(), came.json.dump().c_str());
    for (const auto& [key, value] : expected.items())
      QVERIFY2(came.json.value(key, Json()) == value,
               (key + " differs; it came to " + came.json.dump()).c_str());
    for (const int workers : {1, 5}) {
      const Came other = run(scenario, m_data.path().toStdString(), workers);
      QVERIFY2(other.batches == came.batches, "other batches with another number of workers");
    }
    const Came ahead = run(scenario, m_data.path().toStdString(), 2, 3);
    QVERIFY2(ahead.batches == came.batches, "other batches when the source reads ahead");
    if (backend == "cpu" || scenario.value("device_only", false)) return;
    qputenv("MILLRACE_BACKEND", "cpu");
    const Came host = run(scenario, m_data.path().toStdString(), 0);
    QVERIFY2(host.batches == came.batches, "other batches without the device");
  }

  void everyKindIsInAScenario() {
    std::set<std::string> used;
    for (const fs::path& file : files()) {
      const Json scenario = load(file);
      for (const Json& node : scenario.at("pipeline").at("nodes"))
        used.insert(node.at("kind").get<std::string>());
    }
    std::vector<std::string> missing;
    for (const std::string& kind : builtinCatalog().kinds())
      if (used.count(kind) == 0) missing.push_back(kind);
    QVERIFY2(missing.empty(), ("in no scenario: " + join(missing, ", ")).c_str());
  }
};

}  // namespace millrace

using millrace::TestScenarios;
MILLRACE_TEST_CASE(TestScenarios)
#include "tst_scenarios.moc"
