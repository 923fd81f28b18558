// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/layer_kernels.h"

#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "core/cuda/emulated_device.h"
#include "core/kernels/element.h"
#include "core/train/value_element.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr std::int32_t kChannels = 16;
constexpr std::int64_t kPixels = 37;
constexpr std::size_t kValues = kChannels * kPixels;

/// Values and gradients of a norm, on the emulated device, where device memory is the host's.
template <class Element>
struct NormMemory {
  using Stored = typename Element::Stored;
  /// Aligned like device memory.
  struct alignas(256) Values {
    Stored v[kValues];
  };
  struct alignas(256) Channels {
    float v[kChannels];
  };

  NormMemory() {
    Draw draw({.seed = 5});
    for (std::size_t i = 0; i < kValues; ++i) {
      in.v[i] = Element::write(draw.normal());
      skip.v[i] = Element::write(draw.normal());
      outGradient.v[i] = Element::write(draw.normal());
    }
    for (std::size_t c = 0; c < kChannels; ++c) {
      // The last channels are so small that some of their values are stored as 0.
      const double size = c < 12 ? 1 : c < 14 ? 1e-7 : 1e-40;
      scale.v[c] = static_cast<float>(size * draw.normal());
      shift.v[c] = static_cast<float>(0.3 * size * draw.normal());
    }
  }

  NormView view(bool relu, bool hasSkip) {
    NormView made;
    made.pixels = kPixels;
    made.channels = kChannels;
    made.relu = relu;
    made.in = in.v;
    made.skip = hasSkip ? skip.v : nullptr;
    made.out = out.v;
    made.scale = scale.v;
    made.shift = shift.v;
    made.mean = mean.v;
    made.inverse = inverse.v;
    made.sums = sums.data();
    made.outGradient = outGradient.v;
    made.inGradient = inGradient.v;
    made.skipGradient = hasSkip ? skipGradient.v : nullptr;
    made.scaleGradient = scaleGradient.v;
    made.shiftGradient = shiftGradient.v;
    return made;
  }

  Values in, skip, out, outGradient, inGradient, skipGradient;
  Channels scale, shift, mean, inverse, scaleGradient, shiftGradient;
  std::vector<float> sums = std::vector<float>(2 * kChannels * (1 + NormView::kParts));
};

/// The gradient before ReLU, according to the stored output.
template <class Element>
float passedBack(const NormMemory<Element>& memory, bool relu, std::size_t i) {
  const bool cut = relu && !(Element::read(memory.out.v[i]) > 0);
  return cut ? 0.0F : Element::read(memory.outGradient.v[i]);
}

/// The backward pass of one channel in simple code: the number of values that differ.
template <class Element>
int differences(const NormMemory<Element>& memory, bool relu, bool hasSkip, std::size_t c) {
  const float mean = memory.mean.v[c];
  const float inverse = memory.inverse.v[c];
  float shift = 0;
  float scale = 0;
  for (std::size_t i = c; i < kValues; i += kChannels) {
    const float passed = passedBack(memory, relu, i);
    shift += passed;
    scale += passed * (Element::read(memory.in.v[i]) - mean) * inverse;
  }
  int wrong = (memory.shiftGradient.v[c] != shift) + (memory.scaleGradient.v[c] != scale);
  for (std::size_t i = c; i < kValues; i += kChannels) {
    const float passed = passedBack(memory, relu, i);
    const float normed = (Element::read(memory.in.v[i]) - mean) * inverse;
    const float share = 1.0F / static_cast<float>(kPixels);
    wrong += memory.inGradient.v[i] != Element::write(memory.scale.v[c] * inverse *
                                                      (passed - share * (shift + normed * scale)));
    wrong += hasSkip && memory.skipGradient.v[i] != Element::write(passed);
  }
  return wrong;
}

constexpr std::size_t kClasses = 5;

/// Logits and labels of a batch; every seventh label is not a class. `loss` and `wrong` follow from
/// the definitions.
struct LossMemory {
  explicit LossMemory(std::uint32_t rows)
      : rows(rows),
        logits(rows * kClasses),
        gradient(rows * kClasses),
        labels(rows),
        parts(rows * LossView::kParts),
        perRow(rows),
        totals(LossView::kTotals),
        biasGradient(kClasses) {
    Draw draw({.seed = rows});
    for (float& logit : logits) logit = static_cast<float>(draw.normal());
    for (std::uint32_t n = 0; n < rows; ++n) {
      labels[n] = n % 7 == 6 ? -1 : draw.integer(0, kClasses - 1);
      if (labels[n] < 0) {
        ++wrong;
        continue;
      }
      double sum = 0;
      for (std::size_t k = 0; k < kClasses; ++k) sum += std::exp(double{logits[n * kClasses + k]});
      const double own = logits[n * kClasses + static_cast<std::size_t>(labels[n])];
      loss += (std::log(sum) - own) / rows;
    }
  }

  LossView view() {
    LossView made;
    made.rows = rows;
    made.classes = kClasses;
    made.labels = {labels.data(), sizeof(std::int64_t), DType::I64, false};
    made.logits = logits.data();
    made.gradient = gradient.data();
    made.parts = parts.data();
    made.perRow = perRow.data();
    made.totals = totals.data();
    made.state = &state;
    return made;
  }

  std::uint32_t rows;
  std::vector<float> logits, gradient;
  std::vector<std::int64_t> labels;
  std::vector<LossPart> parts;
  std::vector<LossRow> perRow;
  std::vector<LossTotal> totals;
  std::vector<float> biasGradient;
  TrainingState state;
  double loss = 0;
  std::uint32_t wrong = 0;
};

}  // namespace

class TestLayerKernels : public QObject {
  Q_OBJECT

 private slots:
  void aNormGoesBackToTheBitByWhatItStored_data() {
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<bool>("relu");
    QTest::addColumn<bool>("skip");
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
      const char* const name = nameOf(dtype).data();
      QTest::addRow("%s", name) << dtype << false << false;
      QTest::addRow("%s, relu", name) << dtype << true << false;
      QTest::addRow("%s, relu and skip", name) << dtype << true << true;
    }
  }
  void aNormGoesBackToTheBitByWhatItStored() {
    QFETCH(DType, dtype);
    QFETCH(bool, relu);
    QFETCH(bool, skip);
    const auto device = makeEmulatedDevice();
    const auto stream = device->makeStream("test").take();
    VERIFY_OK(withValueElement(dtype, [&]<class Element>(Element) -> Status {
      NormMemory<Element> memory;
      MILLRACE_TRY(launchNormForward(*stream, dtype, memory.view(relu, skip)));
      MILLRACE_TRY(launchNormBackward(*stream, dtype, memory.view(relu, skip)));
      MILLRACE_TRY(stream->synchronise());
      for (std::size_t c = 0; c < kChannels; ++c)
        if (const int wrong = differences(memory, relu, skip, c); wrong != 0)
          return Error{"channel " + std::to_string(c) + ": " + std::to_string(wrong) + " differ"};
      return {};
    }));
  }

  /// With more rows than first sums, with fewer, and with numbers that are not divisible.
  void lossAndBiasGradientAreSumsOverAllRows() {
    const auto device = makeEmulatedDevice();
    const auto stream = device->makeStream("test").take();
    for (const std::uint32_t rows : {1U, 5U, 16U, 17U, 64U, 300U, 1001U}) {
      LossMemory memory(rows);
      VERIFY_OK(launchLoss(*stream, memory.view()));
      VERIFY_OK(launchBiasGradient(*stream, memory.view(), memory.logits.data(),
                                   memory.biasGradient.data()));
      VERIFY_OK(stream->synchronise());
      QCOMPARE(memory.state.wrongLabels, memory.wrong);
      const double differs = std::abs(memory.state.loss - memory.loss);
      QVERIFY2(differs < 1e-5, qPrintable(QString::number(differs)));
      for (std::size_t k = 0; k < kClasses; ++k) {
        double sum = 0;
        for (std::size_t n = 0; n < rows; ++n) sum += double{memory.gradient[n * kClasses + k]};
        QVERIFY(std::abs(sum - double{memory.biasGradient[k]}) < 1e-5);
      }
    }
  }
};

MILLRACE_TEST_CASE(TestLayerKernels)

}  // namespace millrace

#include "tst_layer_kernels.moc"
