// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/nodes/open_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::inferNode;

StreamType pictures(std::int64_t height, std::int64_t width, std::int64_t channels = 3) {
  StreamType stream;
  stream.fields = {{"image", DType::U8, {height, width, channels}, Layout::Hwc, Role::Image},
                   {"label", DType::I64, {}, Layout::Plain, Role::Label, 10}};
  return stream;
}

bool says(const Problems& problems, const char* part) {
  for (const Problem& problem : problems.all())
    if (problem.text().find(part) != std::string::npos) return true;
  return false;
}

std::unique_ptr<Consumer> makeStep(const Values& values) {
  auto consumer = builtinCatalog()
                      .find("emulated_step")
                      ->consumer(tests::valuesOf("emulated_step", values), {});
  return consumer ? consumer.take() : nullptr;
}

/// Records the times until which it should wait, without waiting.
class NotedWaits final : public StepWaiter {
 public:
  bool waitUntil(std::chrono::steady_clock::time_point until) override {
    m_untils.push_back(until);
    return true;
  }
  const std::vector<std::chrono::steady_clock::time_point>& untils() const { return m_untils; }

 private:
  std::vector<std::chrono::steady_clock::time_point> m_untils;
};

}  // namespace

class TestRuntimeNodes : public QObject {
  Q_OBJECT
 private slots:
  void batchRaisesTheLevel() {
    Problems problems;
    const StreamType out =
        inferNode("batch", {{"size", std::int64_t{32}}}, pictures(224, 224), problems);
    QVERIFY(problems.all().empty());
    QCOMPARE(out.level, Level::Batch);
    QCOMPARE(out.batchSize, 32);
    QCOMPARE(out.fields[0].shape, (Shape{224, 224, 3}));
  }

  void batchTakesPicturesOfAnySizeButOfKnownChannels() {
    Problems problems;
    const StreamType out = inferNode("batch", {}, pictures(-1, -1), problems);
    QVERIFY(problems.all().empty());
    QVERIFY(!out.fields[0].shape.known());
    Problems channels;
    inferNode("batch", {}, pictures(8, 8, -1), channels);
    QVERIFY(says(channels, "form of the decode node"));
  }

  void batchTakesEncodedBytesOfAnyLength() {
    StreamType stream;
    stream.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image}};
    Problems problems;
    inferNode("batch", {}, stream, problems);
    QVERIFY(problems.all().empty());
  }

  void batchPadsToOneSize() {
    const Values pad{{"pad_height", std::int64_t{64}}, {"pad_width", std::int64_t{80}}};
    Problems problems;
    const StreamType out = inferNode("batch", pad, pictures(-1, 40), problems);
    QVERIFY(problems.all().empty());
    QCOMPARE(out.fields[0].shape, (Shape{64, 80, 3}));
    const BatchSettings settings =
        builtinCatalog().find("batch")->batch(tests::valuesOf("batch", pad));
    QVERIFY((settings.padTo == Size{80, 64}));
    inferNode("batch", pad, pictures(65, 10), problems);
    QVERIFY(says(problems, "larger than the padded size"));
    Problems half;
    inferNode("batch", {{"pad_height", std::int64_t{64}}}, pictures(8, 8), half);
    QVERIFY(says(half, "a height and a width"));
  }

  void batchNeedsOneFullBatchWhenItDropsTheLast() {
    StreamType in = pictures(8, 8);
    in.samples = 10;
    Problems problems;
    inferNode("batch", {{"size", std::int64_t{11}}, {"drop_last", true}}, in, problems);
    QVERIFY(says(problems, "less than one full batch of 11"));
  }

  void presetsScaleWithTheRows() {
    using std::chrono::nanoseconds;
    const auto preset = [](const char* name) {
      return makeStep({{"preset", std::string(name)}, {"seconds", 9.0}});
    };
    QCOMPARE(preset("resnet50_a100")->nominalStep(400), nanoseconds(435000000));
    QCOMPARE(preset("resnet50_h100")->nominalStep(200), nanoseconds(112000000));
    QCOMPARE(preset("unet3d_h100")->nominalStep(7), nanoseconds(323000000));
    QCOMPARE(preset("cosmoflow_h100")->nominalStep(2), nanoseconds(7000000));
    QCOMPARE(preset("none")->nominalStep(2), nanoseconds(9000000000));
  }

  /// The waits end early here, as if each wake-up were late by a negative time: the ends are still
  /// one step apart, so late wake-ups do not add up either.
  void stepsDoNotDrift() {
    const auto step = makeStep({{"seconds", 100.0}});
    NotedWaits waits;
    Batch batch;
    batch.rows = 1;
    std::chrono::nanoseconds took{};
    for (int i = 0; i < 50; ++i) VERIFY_OK(step->consume(batch, waits, took));
    const auto span = waits.untils().back() - waits.untils().front();
    QVERIFY(span >= std::chrono::seconds(4900));
    // Only the time between the calls is added.
    QVERIFY(span < std::chrono::seconds(4950));
  }

  void drainTakesNoTime() {
    auto drain = builtinCatalog().find("drain")->consumer({}, {});
    VERIFY_OK(drain);
    NotedWaits waits;
    std::chrono::nanoseconds took{5};
    VERIFY_OK((*drain)->consume({}, waits, took));
    QCOMPARE(took.count(), 0);
    QVERIFY(waits.untils().empty());
    QCOMPARE((*drain)->nominalStep(8).count(), 0);
  }
};

}  // namespace millrace

using millrace::TestRuntimeNodes;
MILLRACE_TEST_CASE(TestRuntimeNodes)
#include "tst_runtime_nodes.moc"
