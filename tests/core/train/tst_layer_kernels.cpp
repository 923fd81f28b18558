// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/layer_kernels.h"

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
  /// As a device's memory is aligned.
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
      // The last channels come out so small that some of theirs are stored as 0.
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

/// The gradient in front of relu, by what came out as it was stored.
template <class Element>
float passedBack(const NormMemory<Element>& memory, bool relu, std::size_t i) {
  const bool cut = relu && !(Element::read(memory.out.v[i]) > 0);
  return cut ? 0.0F : Element::read(memory.outGradient.v[i]);
}

/// The backward pass of one channel, written plainly: how many of its values are others.
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
};

MILLRACE_TEST_CASE(TestLayerKernels)

}  // namespace millrace

#include "tst_layer_kernels.moc"
