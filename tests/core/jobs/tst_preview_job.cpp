// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/preview/preview_job.h"

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
