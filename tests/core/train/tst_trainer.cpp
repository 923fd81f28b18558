// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/cuda/cuda_facts.h"
#include "tests/core/train/learnable.h"
#include "tests/core/train/plain_network.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::FedTrainer;
using tests::plainLoss;
using tests::smallTrainer;
using tests::StripedBatch;

class TestTrainer : public QObject {
  Q_OBJECT

  /// Emulated, or with MILLRACE_TEST_BACKEND=cuda the machine's GPU.
  std::shared_ptr<Device> m_device;

 private slots:
  void initTestCase() {
    const char* const backend = std::getenv("MILLRACE_TEST_BACKEND");
    if (backend == nullptr || std::string_view(backend) != "cuda") {
      m_device = makeEmulatedDevice();
      return;
    }
    auto device = openCudaDevice(0);
    if (!device) QSKIP(device.error().message.c_str());
    m_device = device.take();
  }

  void theLossOfALearnableSetFalls_data() {
    QTest::addColumn<DType>("precision");
    QTest::newRow("f32") << DType::F32;
    QTest::newRow("f16") << DType::F16;
    QTest::newRow("bf16") << DType::BF16;
  }
  void theLossOfALearnableSetFalls() {
    QFETCH(DType, precision);
    TrainerSettings settings = smallTrainer(12, 8, precision);
    if (precision == DType::F16) settings.lossScale = 1024;
    FedTrainer fed(m_device, settings);
    double first = 0;
    double last = 0;
    const bool brief = qEnvironmentVariableIsSet("MILLRACE_TEST_SLOWED");
    const std::uint32_t steps = brief ? 14 : 40;
    for (std::uint32_t i = 0; i < steps; ++i) {
      const auto step = fed.step(StripedBatch(i, 12, 8));
      VERIFY_OK(step);
      QVERIFY(step->forward.count() > 0 && step->backward.count() > 0 && step->update.count() > 0);
      if (i == 0) first = step->state.loss;
      if (i >= steps - 5) last += step->state.loss / 5;
    }
    QVERIFY2(first > 0.9 && last < (brief ? 0.7 : 0.5) * first,
             qPrintable(QString("%1 %2").arg(first).arg(last)));
  }

  /// Compared with differences of a loss in simple code and f64.
  void gradientsAreThoseOfTheLoss() {
    // Ends at an odd size, with more sums of a norm than one thread adds up.
    TrainerSettings settings = smallTrainer(4, 20, DType::F32);
    settings.rule = {.learningRate = 0.05F, .momentum = 0, .weightDecay = 0};
    FedTrainer fed(m_device, settings);
    const StripedBatch batch(1, 4, 20);
    const std::vector<double> pictures(batch.pictures.begin(), batch.pictures.end());
    // Starts where no norm has a scale of 0.
    VERIFY_OK(fed.step(batch));
    const Network& network = fed.trainer->network();
    const std::vector<float> before = fed.trainer->parameters().take();
    const auto step = fed.step(batch);
    VERIFY_OK(step);
    const std::vector<float> after = fed.trainer->parameters().take();
    std::vector<double> at(before.begin(), before.end());
    const double loss = plainLoss(network, at, pictures, batch.labels);
    QVERIFY2(std::abs(loss - step->state.loss) < 1e-4,
             qPrintable(QString("%1 %2").arg(loss).arg(step->state.loss)));
    Draw draw({.seed = 9});
    const auto differs = [&](std::size_t first, std::int64_t count, int tries = 1) {
      for (int i = 0; i < tries; ++i) {
        const std::size_t p = first + static_cast<std::size_t>(draw.integer(0, count - 1));
        constexpr double kStep = 1e-5;
        at[p] = before[p] + kStep;
        const double more = plainLoss(network, at, pictures, batch.labels);
        at[p] = before[p] - kStep;
        const double less = plainLoss(network, at, pictures, batch.labels);
        at[p] = before[p];
        const double expected = (more - less) / (2 * kStep);
        const double got = (double{before[p]} - after[p]) / double{settings.rule.learningRate};
        // f32 parameters near 1 are 6e-8 apart, which is 1e-6 of a gradient here.
        if (std::abs(got - expected) > 0.01 * std::abs(expected) + 2e-5)
          return QString("parameter %1: %2, not %3").arg(p).arg(got).arg(expected);
      }
      return QString();
    };
    for (const Layer& layer : network.layers) {
      QString wrong;
      if (const auto* const conv = std::get_if<ConvLayer>(&layer)) {
        wrong = differs(conv->weights,
                        std::int64_t{conv->kernel} * conv->kernel *
                            network.activations[conv->in].channels *
                            network.activations[conv->out].channels,
                        2);
      } else {
        const auto& norm = std::get<NormLayer>(layer);
        wrong = differs(norm.scale, network.activations[norm.out].channels) +
                differs(norm.shift, network.activations[norm.out].channels);
      }
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
    const QString dense = differs(network.denseWeights, network.classes * network.features) +
                          differs(network.denseBias, network.classes);
    QVERIFY2(dense.isEmpty(), qPrintable(dense));
  }

  void aScaleThatIsTooLargeSkipsUpdatesUntilGradientsAreFinite() {
    TrainerSettings settings = smallTrainer(8, 8, DType::F16);
    settings.lossScale = 1 << 24;
    settings.rule.growAfter = 2000;
    FedTrainer fed(m_device, settings);
    const std::vector<float> first = fed.trainer->parameters().take();
    const auto skipped = fed.step(StripedBatch(0, 8, 8));
    VERIFY_OK(skipped);
    QCOMPARE(skipped->state.skipped, 1U);
    QCOMPARE(skipped->state.lossScale, settings.lossScale / 2);
    QCOMPARE(fed.trainer->parameters().take(), first);
    TrainingState last;
    for (std::uint32_t i = 1; i < 20; ++i) last = fed.step(StripedBatch(i, 8, 8))->state;
    QVERIFY(last.skipped > 1 && last.skipped < 15);
    QVERIFY(std::isfinite(last.loss));
    QVERIFY(fed.trainer->parameters().take() != first);
  }

  void theScaleGrowsAfterGoodSteps() {
    TrainerSettings settings = smallTrainer(4, 8, DType::F16);
    settings.lossScale = 8;
    settings.rule.growAfter = 2;
    FedTrainer fed(m_device, settings);
    std::vector<float> scales;
    for (std::uint32_t i = 0; i < 4; ++i)
      scales.push_back(fed.step(StripedBatch(i, 4, 8))->state.lossScale);
    QCOMPARE(scales, (std::vector<float>{8, 16, 16, 32}));
  }

  void sharesOfClassesAreLabelsToo() {
    FedTrainer numbers(m_device, smallTrainer(6, 8, DType::F32));
    FedTrainer shares(m_device, smallTrainer(6, 8, DType::F32));
    for (std::uint32_t i = 0; i < 3; ++i)
      QCOMPARE(numbers.step(StripedBatch(i, 6, 8))->state.loss,
               shares.step(StripedBatch(i, 6, 8), true)->state.loss);
    QCOMPARE(numbers.trainer->parameters().take(), shares.trainer->parameters().take());
  }

  void batchesOfFewerRowsAndLabelsOutsideOfTheClassesAreCounted() {
    FedTrainer fed(m_device, smallTrainer(8, 8, DType::F32));
    StripedBatch batch(0, 3, 8);
    QCOMPARE(fed.step(batch)->state.wrongLabels, 0U);
    batch.labels[1] = 3;
    batch.labels[2] = -1;
    QCOMPARE(fed.step(batch)->state.wrongLabels, 2U);
  }

  void tooLittleMemorySaysHowMuchIsNeeded() {
    const auto small = makeEmulatedDevice({.deviceBytes = 100000});
    const auto made = Trainer::make(small, smallTrainer(64, 32, DType::F32));
    QVERIFY(!made);
    QVERIFY2(made.error().message.starts_with("the network needs "), made.error().message.c_str());
    QVERIFY(made.error().message.find("for batches of 64") != std::string::npos);
    QCOMPARE(small->deviceTotals().usedBytes, std::size_t{0});
  }

  void aDeviceThatFailsIsSaid() {
    const auto breaking = makeEmulatedDevice({.operationsUntilFault = 60});
    FedTrainer fed(breaking, smallTrainer(4, 8, DType::F32));
    Result<TrainingStep> step = fed.step(StripedBatch(0, 4, 8));
    for (std::uint32_t i = 1; step && i < 5; ++i) step = fed.step(StripedBatch(i, 4, 8));
    QVERIFY(!step);
  }
};

MILLRACE_TEST_CASE(TestTrainer)

}  // namespace millrace

#include "tst_trainer.moc"
