// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/reduction_warnings.h"

#include <string>
#include <vector>

#include "core/codecs/encode.h"
#include "core/codecs/reduction.h"
#include "core/jobs/run/run_job.h"
#include "core/nodes/builtin.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::string pngOf(int channels) {
  constexpr int kSide = 8;
  const std::vector<std::uint8_t> pixels(std::size_t{kSide} * kSide * std::size_t(channels), 90);
  const auto file = encodePng({pixels.data(), kSide, kSide, channels, kSide * channels});
  return {reinterpret_cast<const char*>(file->data()), file->size()};
}

/// The warnings of a run of two epochs over these pictures.
std::vector<std::string> warningsOf(const tests::TemporaryFolder& folder,
                                    const std::string& decode = {}) {
  PipelineRequest request;
  request.pipeline = "pictures.millrace.json";
  request.document = R"({"format_version": 1, "nodes": [
    {"id": "folder", "kind": "image_folder", "params": {"paths": [")" +
                     folder.path().string() + R"("]}},
    {"id": "workers", "kind": "workers", "params": {"count": 2}},
    {"id": "decode", "kind": "decode", "params": {)" +
                     decode + R"(}},
    {"id": "resize", "kind": "resize", "params": {"height": 4, "width": 4}},
    {"id": "batch", "kind": "batch", "params": {"size": 2}},
    {"id": "drain", "kind": "drain"}],
    "wires": [{"from": "folder", "to": "workers"}, {"from": "workers", "to": "decode"},
    {"from": "decode", "to": "resize"}, {"from": "resize", "to": "batch"},
    {"from": "batch", "to": "drain"}]})";
  SampleDataObserver files;
  Problems problems;
  auto prepared = preparePipeline(request, files, problems);
  if (!prepared) return {"not prepared: " + problems.all().front().text()};
  RunJobSettings settings;
  settings.measure.warmupSeconds = 0;
  settings.measure.seconds.reset();
  settings.measure.epochs = 2;
  settings.measure.repeats = 1;
  settings.keep = tests::notKept();
  RunJobObserver observer;
  RunJob job(std::move(*prepared), settings, observer);
  const Result<RunJobOutcome> outcome = job.run();
  if (!outcome) return {outcome.error().message};
  std::vector<std::string> texts;
  for (const Problem& warning : outcome->warnings) texts.push_back(warning.text());
  return texts;
}

}  // namespace

class TestReductionWarnings : public QObject {
  Q_OBJECT
 private slots:
  void aRunReportsOnceHowManyPicturesLostAlpha() {
    const tests::TemporaryFolder folder;
    for (const char* name : {"a/1.png", "a/2.png", "b/1.png"}) folder.write(name, pngOf(4));
    folder.write("b/2.png", pngOf(3));
    const std::vector<std::string> warnings = warningsOf(folder);
    QCOMPARE(warnings.size(), 1U);
    QCOMPARE(QString::fromStdString(warnings.front()),
             QString("warning: decode: 6 pictures of 8 samples have transparency: alpha is "
                     "dropped, the colours are kept; decode.background = 255 shows white there, "
                     "decode.form = stored keeps alpha in PNG, TIFF and JPEG 2000, if "
                     "decode.channels is the number of channels in the files and normalise is "
                     "bypassed or has the mean and deviation of those numbers"));
    QVERIFY(warningsOf(folder, R"("background": [255])").empty());
  }

  void aRunThatReducesNothingReportsNothing() {
    const tests::TemporaryFolder folder;
    for (const char* name : {"a/1.png", "b/1.png"}) folder.write(name, pngOf(3));
    QVERIFY(warningsOf(folder).empty());
  }

  void countsOfRepeatsAreAddedByNode() {
    NodeFigures node;
    node.id = "decode";
    node.items = 400;
    node.counters = {{std::string(counterOf(Reduction::Pages)), 18}, {"PNG by libspng: 16_bit", 3}};
    RunResult result;
    result.repeats.resize(2);
    for (SpanFigures& repeat : result.repeats) repeat.nodes = {node};
    const std::vector<Problem> warnings =
        reductionWarnings(result, *builtinCatalog().find("image_folder"));
    QCOMPARE(warnings.size(), 1U);
    QCOMPARE(warnings.front().message,
             std::string("36 pictures of 800 samples have several pages: the first one is used"));
    QCOMPARE(warnings.front().remedy,
             std::string("image_folder.pages = each makes each of them a sample"));
    // A container has no such parameter.
    QVERIFY(reductionWarnings(result, *builtinCatalog().find("webdataset"))
                .front()
                .remedy.starts_with("save each as a separate file"));
  }
};

}  // namespace millrace

using millrace::TestReductionWarnings;
MILLRACE_TEST_CASE(TestReductionWarnings)
#include "tst_reduction_warnings.moc"
