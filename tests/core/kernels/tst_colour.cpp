// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/colour.h"
#include "core/kernels/colour/colour_rules.h"

#include <algorithm>
#include <cmath>

#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Picture;

namespace {

int cut(float value) { return static_cast<int>(std::clamp(value, 0.0F, 255.0F)); }

int grey(const Picture& p, int x, int y) {
  if (p.channels == 1) return p.at(x, y, 0);
  return static_cast<int>(static_cast<float>(p.at(x, y, 0)) * 0.2989F +
                          static_cast<float>(p.at(x, y, 1)) * 0.587F +
                          static_cast<float>(p.at(x, y, 2)) * 0.114F);
}

template <class Rule>
Picture byPixel(const Picture& in, Rule rule) {
  Picture out = in;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      for (int c = 0; c < std::min(in.channels, 3); ++c)
        out.at(x, y, c) = static_cast<std::uint8_t>(rule(x, y, c));
  return out;
}

void onAllLevels(const Picture& in, const ColourFactors& factors, const Picture& wanted) {
  for (const std::int64_t level : tests::vectorLevels()) {
    const tests::ForcedLevel forced(level);
    Picture got = in;
    adjustColour(got.edit(), factors);
    QVERIFY2(got == wanted, tests::levelName(level).c_str());
  }
}

/// The textbook algorithm: to HSV in degrees and back, in f64.
std::array<double, 3> turned(double r, double g, double b, double turns) {
  const double v = std::max({r, g, b});
  const double range = v - std::min({r, g, b});
  double h = 0;
  if (range > 0) h = v == r ? (g - b) / range : v == g ? 2 + (b - r) / range : 4 + (r - g) / range;
  h = std::fmod(h + 6 * turns + 12, 6);
  const auto channel = [&](double n) {
    const double k = std::fmod(n + h, 6);
    return v - range * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
  };
  return {channel(5), channel(3), channel(1)};
}

const std::vector<Size> kSizes{{1, 1}, {7, 3}, {65, 5}, {1500, 2}};

}  // namespace

class TestColour : public QObject {
  Q_OBJECT
 private slots:
  void brightnessScalesAndCuts() {
    for (const Size size : kSizes)
      for (const int channels : {1, 3, 4})
        for (const float factor : {0.0F, 0.37F, 1.9F}) {
          const Picture in(size.width, size.height, channels);
          ColourFactors factors;
          factors.brightness = factor;
          onAllLevels(in, factors, byPixel(in, [&](int x, int y, int c) {
                        return cut(static_cast<float>(in.at(x, y, c)) * factor);
                      }));
        }
  }

  void contrastTurnsAboutTheMeanOfGrey() {
    for (const Size size : kSizes)
      for (const int channels : {1, 3, 4}) {
        const Picture in(size.width, size.height, channels);
        double sum = 0;
        for (int y = 0; y < in.height; ++y)
          for (int x = 0; x < in.width; ++x) sum += grey(in, x, y);
        const auto mean = static_cast<float>(sum / in.width / in.height);
        ColourFactors factors;
        factors.contrast = 1.6F;
        const auto rest = static_cast<float>(1 - static_cast<double>(1.6F));
        onAllLevels(in, factors, byPixel(in, [&](int x, int y, int c) {
                      return cut(static_cast<float>(in.at(x, y, c)) * 1.6F + mean * rest);
                    }));
      }
  }

  void saturationTurnsAboutEachPixelsGrey() {
    for (const Size size : kSizes)
      for (const int channels : {1, 3, 4}) {
        const Picture in(size.width, size.height, channels);
        ColourFactors factors;
        factors.saturation = 0.3;
        const auto rest = static_cast<float>(1 - 0.3);
        const Picture wanted = byPixel(in, [&](int x, int y, int c) {
          return cut(std::fma(static_cast<float>(grey(in, x, y)), rest,
                              static_cast<float>(in.at(x, y, c)) * 0.3F));
        });
        onAllLevels(in, factors, channels == 1 ? in : wanted);
      }
  }

  /// A channel times 255.999, truncated: the f32 steps of HSV change the result by at most one.
  void hueTurnsAroundTheCircle() {
    for (const float turns : {-0.5F, -0.1F, 0.23F, 0.5F}) {
      const Picture in(97, 61, 3);
      ColourFactors factors;
      factors.hue = turns;
      Picture first = in;
      adjustColour(first.edit(), factors);
      onAllLevels(in, factors, first);
      for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
          const auto wanted =
              turned(in.at(x, y, 0) / 255.0, in.at(x, y, 1) / 255.0, in.at(x, y, 2) / 255.0, turns);
          for (int c = 0; c < 3; ++c)
            QVERIFY(std::abs(first.at(x, y, c) -
                             static_cast<int>(wanted[static_cast<std::size_t>(c)] * 255.999)) <= 1);
        }
    }
  }

  /// The vectors take the steps of the rule that the device uses.
  void everyColourTurnsAsTheRuleSays() {
    Picture in(86, 86 * 86, 3);  // every third level of each channel
    for (int y = 0; y < in.height; ++y)
      for (int x = 0; x < in.width; ++x) {
        const int levels[] = {3 * x, 3 * (y % 86), 3 * (y / 86)};
        for (int c = 0; c < 3; ++c) in.at(x, y, c) = static_cast<std::uint8_t>(levels[c]);
      }
    for (const float turns : {-0.5F, -0.0731F, 0.1F, 0.5F}) {
      const Picture wanted = byPixel(in, [&](int x, int y, int c) {
        const Rgb turned = turnHue(Rgb{in.at(x, y, 0), in.at(x, y, 1), in.at(x, y, 2)}, turns);
        return c == 0 ? turned.r : c == 1 ? turned.g : turned.b;
      });
      ColourFactors factors;
      factors.hue = turns;
      onAllLevels(in, factors, wanted);
    }
  }

  void greyStaysGreyWhateverTheHue() {
    Picture in(256, 1, 3);
    for (int x = 0; x < 256; ++x)
      for (int c = 0; c < 3; ++c) in.at(x, 0, c) = static_cast<std::uint8_t>(x);
    ColourFactors factors;
    factors.hue = 0.31F;
    onAllLevels(in, factors, in);
  }

  void stepsAreMadeInTheirOrder() {
    const Picture in(31, 9, 3);
    ColourFactors both;
    both.brightness = 2.5F;
    both.saturation = 0.2F;
    both.order = {ColourStep::Saturation, ColourStep::Hue, ColourStep::Brightness,
                  ColourStep::Contrast};
    ColourFactors one;
    one.saturation = 0.2F;
    ColourFactors two;
    two.brightness = 2.5F;
    Picture wanted = in;
    adjustColour(wanted.edit(), one);
    adjustColour(wanted.edit(), two);
    onAllLevels(in, both, wanted);
    std::reverse(both.order.begin(), both.order.end());
    Picture other = in;
    adjustColour(other.edit(), both);
    QVERIFY(!(other == wanted));
  }

  void channelShiftClamps() {
    const Picture in(13, 4, 4);
    Picture got = in;
    shiftChannels(got.edit(), {30, -300, 0, 1});
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 13; ++x) {
        QCOMPARE(static_cast<int>(got.at(x, y, 0)), std::min(in.at(x, y, 0) + 30, 255));
        QCOMPARE(static_cast<int>(got.at(x, y, 1)), 0);
        QCOMPARE(static_cast<int>(got.at(x, y, 2)), in.at(x, y, 2));
        QCOMPARE(static_cast<int>(got.at(x, y, 3)), std::min(in.at(x, y, 3) + 1, 255));
      }
  }

  void greyscaleMakesThreeEqualChannels() {
    const Picture in(1031, 3, 3);
    const Picture wanted = byPixel(in, [&](int x, int y, int) { return grey(in, x, y); });
    for (const std::int64_t level : tests::vectorLevels()) {
      const tests::ForcedLevel forced(level);
      Picture got = in;
      greyscale(got.edit());
      QVERIFY(got == wanted);
    }
  }
};

}  // namespace millrace

using millrace::TestColour;
MILLRACE_TEST_CASE(TestColour)
#include "tst_colour.moc"
