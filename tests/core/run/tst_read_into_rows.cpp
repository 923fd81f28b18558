// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A source reads values that a batch takes unchanged directly into the batch's memory.
#include "core/convert/conversion.h"
#include "core/formats/io/range_reader.h"
#include "core/run/sample_pipeline.h"
#include "tests/core/run/run_support.h"
#include "tests/core/run/stage_parts.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr std::uint32_t kPictures = 6;
/// Noise, so that the file of one picture is long.
constexpr const char* kNoise =
    R"(synthetic {"content": "image", "height": 160, "width": 160, "count": 6, "classes": 2})";

std::shared_ptr<const Source> noise() {
  return tests::planOf(std::string(kNoise) + "\nbatch\ndrain").take().pipeline.source;
}

/// Converts the noise to a format (to picture files, depending on `form`); returns the line of the
/// node that reads it.
std::string converted(const std::filesystem::path& target, const char* kind,
                      PictureOptions::Form form) {
  ConvertOptions job;
  job.source = noise();
  job.target = target;
  job.format = formatNamed(kind);
  job.pictures.form = form;
  const auto done = convertData(job, [](const ConvertProgress&) { return true; });
  if (!done) return "not converted: " + done.error().message;
  const GraphNode& node = done->proposal->graph.nodes.front();
  std::string params;
  for (const char* name : {"keys", "parts", "value", "columns"}) {
    const auto at = node.params.find(name);
    if (at == node.params.end()) continue;
    const auto* value = std::get_if<Value>(&at->second);
    if (value != nullptr && std::holds_alternative<TextList>(*value) &&
        !std::get<TextList>(*value).empty())
      params += ", \"" + std::string(name) + "\": [\"" + std::get<TextList>(*value).front() + "\"]";
    if (value != nullptr && std::holds_alternative<std::string>(*value))
      params += ", \"" + std::string(name) + "\": \"" + std::get<std::string>(*value) + "\"";
  }
  return node.kind + " {\"paths\": [\"" + target.native() + "\"]" + params + "}";
}

/// The first stage of a chain, and the sample that it makes.
struct Stage : tests::StageParts {
  explicit Stage(const std::string& chain)
      : StageParts(chain + "\nbatch {\"size\": 6}\ndrain", {0, 0}),
        slot(plan.stages[0], kPictures),
        rows(SamplePipeline::make(parts, plan.stages[0].segments[0], 0, true, counters).take()) {}

  /// Whether the sample was read directly into its row; nullopt if it failed.
  std::optional<bool> read(std::uint32_t index) {
    const Result<bool> good = rows->fromSource({0, index, 0}, &slot, index);
    if (!good || !*good) return std::nullopt;
    const bool inRow = rows->sample().isInRow(0);
    if (const Result<bool> put = rows->put(slot, index); !put || !*put) return std::nullopt;
    return inRow;
  }
  std::string row(std::uint32_t index) {
    const TensorView& value = slot.segment(0).fields[0].rows[index];
    return {reinterpret_cast<const char*>(value.data), value.bytes};
  }

  BatchSlot slot;
  std::unique_ptr<SamplePipeline> rows;
};

/// The first field's values as the source's own reader returns them.
std::vector<std::string> contentOf(const Source& source) {
  std::vector<std::string> all;
  const auto reader = source.reader();
  Sample sample;
  ReadCounters counters;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    sample.reset({0, i, 0}, source.fields().size());
    const Status read = reader->read(i, sample, counters);
    all.emplace_back(
        read ? std::string(reinterpret_cast<const char*>(sample[0].data), sample[0].bytes)
             : read.error().message);
  }
  return all;
}

}  // namespace

class TestReadIntoRows : public QObject {
  Q_OBJECT
 private slots:
  void pictureFilesAreReadIntoTheirRows_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"folder", "tfrecord", "webdataset", "lmdb", "mds", "recordio", "hdf5"})
      QTest::newRow(kind) << kind;
  }
  /// In the first round the batch's memory still has to grow, in the second round it has grown.
  void pictureFilesAreReadIntoTheirRows() {
    QFETCH(QString, kind);
    if (kind == "hdf5" || kind == "lmdb") MILLRACE_NEEDS_PART(kind.toStdString());
    const tests::TemporaryFolder folder;
    const std::string node =
        converted(folder.path() / "set", kind.toStdString().c_str(), PictureOptions::Form::Png);
    QVERIFY2(node.find('{') != std::string::npos, node.c_str());
    Stage stage(node);
    const std::vector<std::string> wanted = contentOf(*stage.plan.pipeline.source);
    QCOMPARE(wanted.size(), std::size_t{kPictures});
    QVERIFY2(wanted.front().size() > RangeReader::kLong, wanted.front().substr(0, 200).c_str());
    for (int round = 0; round < 3; ++round) {
      stage.slot.begin(static_cast<std::uint64_t>(round), 0, 0, kPictures);
      for (std::uint32_t i = 0; i < kPictures; ++i) QCOMPARE(stage.read(i), std::optional(true));
      for (std::uint32_t i = 0; i < kPictures; ++i) QVERIFY(stage.row(i) == wanted[i]);
    }
  }

  void arraysAreReadIntoTheirRows_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"webdataset", "numpy", "hdf5"}) QTest::newRow(kind) << kind;
  }
  /// Rows of fixed size are read into their places without a copy.
  void arraysAreReadIntoTheirRows() {
    QFETCH(QString, kind);
    if (kind == "hdf5") MILLRACE_NEEDS_PART("hdf5");
    const tests::TemporaryFolder folder;
    const std::string node =
        converted(folder.path() / "set", kind.toStdString().c_str(), PictureOptions::Form::Raw);
    QVERIFY2(node.find('{') != std::string::npos, node.c_str());
    Stage stage(node);
    const std::vector<std::string> wanted = contentOf(*stage.plan.pipeline.source);
    QCOMPARE(wanted.front().size(), std::size_t{160} * 160 * 3);
    stage.slot.begin(0, 0, 0, kPictures);
    for (std::uint32_t i = 0; i < kPictures; ++i) {
      const Result<bool> good = stage.rows->fromSource({0, i, 0}, &stage.slot, i);
      QVERIFY(good && *good);
      QVERIFY(stage.rows->sample()[0].data == stage.slot.rowPlace(0, 0, i));
      QVERIFY(*stage.rows->put(stage.slot, i));
      QVERIFY(stage.row(i) == wanted[i]);
    }
  }

  /// A decoder takes the file, so the file is not part of the batch.
  void whatANodeTakesIsNotPutIntoTheBatch() {
    const tests::TemporaryFolder folder;
    const std::string node =
        converted(folder.path() / "set", "tfrecord", PictureOptions::Form::Png);
    Stage stage(node + "\ndecode\ncentre_crop {\"height\": 64, \"width\": 64}");
    stage.slot.begin(0, 0, 0, kPictures);
    QCOMPARE(stage.read(0), std::optional(false));
    QCOMPARE(stage.row(0).size(), std::size_t{64} * 64 * 3);
  }
};

}  // namespace millrace

using millrace::TestReadIntoRows;
MILLRACE_TEST_CASE(TestReadIntoRows)
#include "tst_read_into_rows.moc"
