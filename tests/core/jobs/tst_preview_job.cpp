// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/preview/preview_job.h"

#include <cmath>

#include "core/preview/preview_request.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

PreviewOptions flippedNoise(const std::string& node = {}) {
  PreviewRequest request;
  request.pipeline = R"({"format_version": 1, "nodes": [{"id": "source", "kind": "synthetic",
    "params": {"content": "image", "height": 30, "width": 40, "channels": 3, "count": 5,
    "classes": 4}}, {"id": "flip", "kind": "flip"}], "wires": [{"from": "source", "to": "flip"}]})";
  request.base = "/";
  request.node = node;
  request.first = 3;
  request.count = 4;
  auto options = optionsOf(request);
  if (!options) qFatal("%s", options.error().message.c_str());
  return options.take();
}

class Kept final : public PreviewObserver {
 public:
  explicit Kept(std::size_t most = 100) : m_most(most) {}
  void onSample(const PreviewedSample& sample) override { samples.push_back(sample); }
  bool mayContinue() override { return samples.size() < m_most; }
  std::vector<PreviewedSample> samples;

 private:
  std::size_t m_most;
};

}  // namespace

class TestPreviewJob : public QObject {
  Q_OBJECT
 private slots:
  void deliversTheSamplesInOrderAcrossEpochs() {
    PreviewJob job;
    Kept kept;
    const auto end = job.run(flippedNoise(), kept);
    VERIFY_OK(end);
    QVERIFY(*end == PreviewEnd::Done);
    QCOMPARE(kept.samples.size(), std::size_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
      QCOMPARE(kept.samples[i].place, std::uint64_t{3 + i});
      QCOMPARE(kept.samples[i].epoch, std::uint64_t{(3 + i) / 5});
      QCOMPARE(kept.samples[i].position, std::uint64_t{(3 + i) % 5});
      QCOMPARE(kept.samples[i].epochSamples.value_or(0), std::uint64_t{5});
      QCOMPARE(kept.samples[i].node, std::string("flip"));
    }
    const PreviewedField& image = kept.samples.front().fields.front();
    QVERIFY((image.shape == std::vector<std::int64_t>{30, 40, 3}));
    QVERIFY(image.statistics->minimum < image.statistics->maximum);
    QVERIFY(!image.png.empty());
    QVERIFY(kept.samples.front().fields.back().label.has_value());
  }

  void theValuesOfAPictureAreThoseOfItsPixels() {
    PreviewOptions options = flippedNoise("source");
    options.count = 1;
    PreviewJob job;
    Kept without;
    VERIFY_OK(job.run(options, without));
    QVERIFY(!without.samples.front().fields.front().values);
    options.values = true;
    Kept with;
    VERIFY_OK(job.run(options, with));
    const PreviewedField& image = with.samples.front().fields.front();
    QVERIFY(image.values.has_value());
    QCOMPARE(image.values->width, 40);
    QCOMPARE(image.values->height, 30);
    QCOMPARE(image.values->channels, 3);
    QCOMPARE(image.values->values.size(), std::size_t{40 * 30 * 3});
    double sum = 0;
    for (const float value : image.values->values) sum += double{value};
    QVERIFY(std::abs(sum / (40 * 30 * 3) - image.statistics->mean) < 1e-3);
    QVERIFY(image.normalMean.empty());
  }

  void aNormalisedPictureSaysHow() {
    PreviewRequest request;
    request.pipeline = R"({"format_version": 1, "nodes": [{"id": "source", "kind": "synthetic",
      "params": {"content": "image", "height": 8, "width": 8, "channels": 3, "count": 5,
      "classes": 4}}, {"id": "normalise", "kind": "normalise", "params":
      {"mean": [0.1, 0.2, 0.3], "deviation": [0.5, 0.25, 0.125]}}],
      "wires": [{"from": "source", "to": "normalise"}]})";
    request.base = "/";
    request.count = 1;
    request.values = true;
    request.node = "source";
    PreviewJob job;
    Kept before;
    VERIFY_OK(job.run(*optionsOf(request), before));
    request.node = "normalise";
    Kept after;
    VERIFY_OK(job.run(*optionsOf(request), after));
    const PreviewedField& image = after.samples.front().fields.front();
    QVERIFY((image.normalMean == std::vector<double>{0.1, 0.2, 0.3}));
    QVERIFY((image.normalDeviation == std::vector<double>{0.5, 0.25, 0.125}));
    const auto& raw = before.samples.front().fields.front().values->values;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const double denormalised =
          double{image.values->values[i]} * image.normalDeviation[i % 3] + image.normalMean[i % 3];
      QVERIFY(std::abs(255 * denormalised - double{raw[i]}) < 0.01);
    }
  }

  void stopsWhereTheObserverSays() {
    PreviewJob job;
    Kept kept(2);
    const auto end = job.run(flippedNoise(), kept);
    VERIFY_OK(end);
    QVERIFY(*end == PreviewEnd::Stopped);
    QCOMPARE(kept.samples.size(), std::size_t{2});
  }

  void anUnknownNodeIsAnErrorAndTheNextPreviewWorks() {
    PreviewJob job;
    Kept kept;
    const auto end = job.run(flippedNoise("flop"), kept);
    QVERIFY(!end);
    QVERIFY(end.error().message.find("`flop`") != std::string::npos);
    QVERIFY(kept.samples.empty());
    VERIFY_OK(job.run(flippedNoise("source"), kept));
    QCOMPARE(kept.samples.front().node, std::string("source"));
  }

  void aDocumentThatIsNoneIsRefused() {
    PreviewRequest request;
    request.pipeline = R"({"nodes": 1})";
    QVERIFY(!optionsOf(request));
  }
};

}  // namespace millrace

using millrace::TestPreviewJob;
MILLRACE_TEST_CASE(TestPreviewJob)
#include "tst_preview_job.moc"
