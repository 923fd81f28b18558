// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/network.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "tests/support/test_case.h"

namespace millrace {

class TestNetwork : public QObject {
  Q_OBJECT

 private slots:
  /// PyTorch has the same number in experiments/step/torch_step.py.
  void twoBlocksOfWidth64HaveTheParametersOfResnet18ButForItsStem() {
    const Network network = residualNetwork({64, 2, 1000}, 3, 224, 224);
    std::int64_t count = network.classes * network.features + network.classes;
    for (const Layer& layer : network.layers) {
      if (const auto* const conv = std::get_if<ConvLayer>(&layer))
        count += std::int64_t{conv->kernel} * conv->kernel *
                 network.activations[conv->in].channels * network.activations[conv->out].channels;
      else
        count += 2 * network.activations[std::get<NormLayer>(layer).out].channels;
    }
    QCOMPARE(count, 11686056);
    QCOMPARE(network.last().height, 7);
    QCOMPARE(network.last().width, 7);
    QCOMPARE(network.features, 512);
  }

  void smallPicturesKeepTheirSizeInTheStemAndOddOnesRoundUp() {
    const Network network = residualNetwork({8, 1, 3}, 3, 21, 9);
    QCOMPARE(network.activations[1].height, 21);
    QCOMPARE(network.last().height, 3);
    QCOMPARE(network.last().width, 2);
  }

  /// In the backward pass no layer reads a gradient whose memory another gradient has taken, and
  /// gradients that are added to exist.
  void gradientsThatShareMemoryDoNotConflict() {
    const Network network = residualNetwork({8, 3, 10}, 3, 64, 64);
    QVERIFY(network.gradientSizes.size() <= 4);
    constexpr std::size_t kNobody = SIZE_MAX;
    std::vector<std::size_t> holds(network.gradientSizes.size(), kNobody);
    const auto slotOf = [&](std::size_t value) -> std::size_t& {
      return holds[network.activations[value].gradient];
    };
    const auto writes = [&](std::size_t value, bool adds) {
      QVERIFY(network.activations[value].elements() <=
              network.gradientSizes[network.activations[value].gradient]);
      QCOMPARE(slotOf(value), adds ? value : kNobody);
      slotOf(value) = value;
    };
    writes(network.activations.size() - 1, false);
    for (auto layer = network.layers.rbegin(); layer != network.layers.rend(); ++layer) {
      std::size_t read = 0;
      if (const auto* const conv = std::get_if<ConvLayer>(&*layer)) {
        read = conv->out;
        QCOMPARE(slotOf(read), read);
        if (!conv->toPicture) writes(conv->in, conv->adds);
      } else {
        const auto& norm = std::get<NormLayer>(*layer);
        read = norm.out;
        QCOMPARE(slotOf(read), read);
        if (norm.hasSkip) writes(norm.skip, norm.skipAdds);
        writes(norm.in, false);
      }
      slotOf(read) = kNobody;
    }
    QVERIFY(std::ranges::all_of(holds, [&](std::size_t value) { return value == kNobody; }));
  }

  void parametersDoNotMeetAndThoseOfConvolutionsComeFirst() {
    const Network network = residualNetwork({8, 1, 3}, 3, 32, 32);
    const std::vector<float> first = firstParameters(network, 1);
    QCOMPARE(first.size(), network.parameters);
    QVERIFY(first != firstParameters(network, 2));
    QCOMPARE(first, firstParameters(network, 1));
    std::set<std::size_t> starts;
    for (const Layer& layer : network.layers) {
      if (const auto* const conv = std::get_if<ConvLayer>(&layer)) {
        QVERIFY(conv->weights < network.convParameters && starts.insert(conv->weights).second);
      } else {
        const auto& norm = std::get<NormLayer>(layer);
        QVERIFY(norm.scale >= network.convParameters && starts.insert(norm.scale).second &&
                starts.insert(norm.shift).second);
        QCOMPARE(first[norm.scale], norm.hasSkip ? 0.0F : 1.0F);
      }
    }
    for (const std::size_t start : starts) QCOMPARE(start % 64, std::size_t{0});
  }
};

MILLRACE_TEST_CASE(TestNetwork)

}  // namespace millrace

#include "tst_network.moc"
