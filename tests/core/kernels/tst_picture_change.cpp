// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/picture_change.h"

#include <cmath>
#include <numbers>
#include <string_view>

#include "core/base/random.h"
#include "core/kernels/change/noise.h"
#include "core/kernels/warp/elastic.h"
#include "core/kernels/warp/perspective.h"
#include "tests/core/kernels/picture.h"
#include "tests/core/kernels/torchvision_changes.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Picture;

namespace {

/// The picture of expected_digests.py.
Picture drawn(int channels = 3) {
  Picture picture(61, 47, channels);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      for (int c = 0; c < channels; ++c)
        picture.at(x, y, c) =
            static_cast<std::uint8_t>(20 + (x * 3 + y * 5 + c * 40 + (x * y) % 31 * 3) % 200);
  return picture;
}

std::uint64_t digestOf(const Picture& picture) {
  std::uint64_t digest = fnv1a("");
  for (int y = 0; y < picture.height; ++y) {
    const auto* row = reinterpret_cast<const char*>(picture.view().row(y));
    digest = fnv1a({row, static_cast<std::size_t>(picture.width * picture.channels)}, digest);
  }
  return digest;
}

Picture changed(Picture picture, std::span<const PictureChange> changes,
                const ChangeRules& rules = {}) {
  PictureChanger changer;
  changer.run(picture.edit(), changes, rules);
  return picture;
}

/// Every kind with an amount that changes the picture.
const std::vector<PictureChange> kEach{
    {ChangeKind::ShearX, 0.2},     {ChangeKind::TranslateY, 5},   {ChangeKind::Rotate, 20},
    {ChangeKind::Brightness, 1.3}, {ChangeKind::Saturation, 0.4}, {ChangeKind::Contrast, 1.5},
    {ChangeKind::Sharpness, 1.9},  {ChangeKind::Posterize, 3},    {ChangeKind::Solarize, 99},
    {ChangeKind::Gamma, 1.4},      {ChangeKind::Invert, 0},       {ChangeKind::AutoContrast, 0},
    {ChangeKind::Equalize, 0}};

}  // namespace

class TestPictureChange : public QObject {
  Q_OBJECT
 private slots:
  void bytesAreThoseOfTorchvision() {
    for (const std::int64_t level : tests::vectorLevels()) {
      const tests::ForcedLevel forced(level);
      for (const tests::TorchvisionChange& wanted : tests::kTorchvisionChanges) {
        ChangeRules rules;
        rules.sampling.nearest = wanted.nearest;
        if (wanted.fill > 0)
          rules.sampling.fill = {wanted.fill, wanted.fill, wanted.fill, wanted.fill};
        const PictureChange change{wanted.kind, wanted.amount};
        const Picture result = changed(drawn(), {&change, 1}, rules);
        const auto row = &wanted - tests::kTorchvisionChanges;
        QVERIFY2(digestOf(result) == wanted.digest,
                 (tests::levelName(level) + ", row " + std::to_string(row)).c_str());
      }
    }
  }

  void changesThatJoinAreThoseOneByOne() {
    for (const PictureChange& first : kEach)
      for (const PictureChange& second : kEach) {
        const PictureChange both[] = {first, second, {ChangeKind::Posterize, 5}, second};
        Picture oneByOne = drawn();
        for (const PictureChange& change : both) oneByOne = changed(oneByOne, {&change, 1});
        QVERIFY(changed(drawn(), both) == oneByOne);
      }
  }

  void alphaAndGapsStayAndGreyHasOneChannel() {
    for (const int channels : {1, 4})
      for (const PictureChange& change : kEach) {
        const Picture in = drawn(channels);
        const Picture result = changed(in, {&change, 1});
        const bool coloursOnly = !mapOf(change, in.size(), 1);
        for (int y = 0; y < in.height; ++y) {
          for (int i = in.width * channels; i < in.stride && y + 1 < in.height; ++i)
            QCOMPARE(result.at(0, y, i), in.at(0, y, i));
          for (int x = 0; x < in.width && coloursOnly && channels == 4; ++x)
            QCOMPARE(result.at(x, y, 3), in.at(x, y, 3));
        }
        const bool needsColours = change.kind == ChangeKind::Saturation;
        QCOMPARE(result == in, channels == 1 && needsColours);
      }
  }

  void smallPicturesHaveAllChanges() {
    for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 9}, Size{3, 3}})
      for (const bool nearest : {true, false}) {
        ChangeRules rules;
        rules.sampling.nearest = nearest;
        const Picture in(size.width, size.height, 3);
        const Picture result = changed(in, kEach, rules);
        QCOMPARE(result.size(), in.size());
      }
  }

  void equalValuesHaveNoHistogramToSpread() {
    Picture flat(31, 17, 3);
    std::fill(flat.bytes.begin(), flat.bytes.end(), std::uint8_t{93});
    const PictureChange both[] = {{ChangeKind::Equalize, 0}, {ChangeKind::AutoContrast, 0}};
    QVERIFY(changed(flat, both) == flat);
  }

  /// torchvision's perspective of the same picture and corners.
  void perspectivesAreThoseOfTorchvision() {
    const Corners4 whole{{{0, 0}, {60, 0}, {60, 46}, {0, 46}}};
    const Corners4 seen{{{7, 3}, {55, 9}, {49, 44}, {2, 38}}};
    const ProjectiveMap map = mapOfCorners(seen, whole);
    for (const bool nearest : {true, false}) {
      const Picture in = drawn();
      Picture result = in;
      GridSampling rule;
      rule.nearest = nearest;
      PerspectiveWarp warp;
      warp.run(in.view(), map, rule, result.edit());
      QCOMPARE(digestOf(result), nearest ? 0x122109728c8917e1ULL : 0xa986eae2dfeae17fULL);
    }
    const ProjectiveMap forth = inverseOf(map);
    const double scale = forth.wx * 60 + forth.wy * 46 + 1;
    QVERIFY(std::abs((forth.xx * 60 + forth.xy * 46 + forth.x0) / scale - 49) < 1e-3);
    QVERIFY(std::abs((forth.yx * 60 + forth.yy * 46 + forth.y0) / scale - 44) < 1e-3);
  }

  /// torchvision's elastic of the same picture and displacement.
  void elasticDistortionsAreThoseOfTorchvision() {
    const Picture in = drawn();
    Displacement displacement{in.size(), {}, {}};
    for (int y = 0; y < in.height; ++y)
      for (int x = 0; x < in.width; ++x) {
        displacement.x.push_back(static_cast<float>((x * 7 + y * 3) % 11 - 5) / 64);
        displacement.y.push_back(static_cast<float>((x * 5 + y * 9) % 13 - 6) / 64);
      }
    for (const bool nearest : {true, false}) {
      Picture result = in;
      GridSampling rule;
      rule.nearest = nearest;
      ElasticWarp warp;
      warp.run(in.view(), displacement, rule, result.edit());
      QCOMPARE(digestOf(result), nearest ? 0x02019a4c157a3c0cULL : 0x27bf0e602fac3a94ULL);
    }
  }

  /// Smoothing divides the deviation of noise by 2 sqrt(pi) sigma, far from the border.
  void displacementsAreSmooth() {
    ElasticField field;
    Displacement made;
    Draw draw({1, 2, 3, 0, 5});
    field.draw({200, 160}, 100, 3, draw, made);
    double squares = 0;
    double steps = 0;
    int count = 0;
    for (std::size_t y = 20; y < 140; ++y)
      for (std::size_t x = 20; x < 180; ++x, ++count) {
        const std::size_t at = y * 200 + x;
        squares += static_cast<double>(made.x[at] * made.x[at]);
        const float step = made.x[at + 1] - made.x[at];
        steps += static_cast<double>(step * step);
      }
    const double wanted = 100.0 / 200 / std::sqrt(3.0) / (2 * std::sqrt(std::numbers::pi) * 3);
    QVERIFY(std::abs(std::sqrt(squares / count) / wanted - 1) < 0.15);
    // The Gaussian of sigma 3 correlates neighbours by exp(-1 / 36).
    QVERIFY(std::abs(std::sqrt(steps / squares) - std::sqrt(2 - 2 * std::exp(-1.0 / 36))) < 0.03);
    field.draw({1, 1}, 100, 3, draw, made);
    QCOMPARE(made.x.size(), std::size_t{1});
  }

  void noiseHasItsMeanAndDeviation() {
    Picture flat(160, 150, 3);
    std::fill(flat.bytes.begin(), flat.bytes.end(), std::uint8_t{128});
    Draw draw({1, 2, 3, 0, 5});
    addGaussianNoise(flat.edit(), 0.1, 0.05, draw);
    double sum = 0;
    double squares = 0;
    const int count = flat.width * flat.height * 3;
    for (int y = 0; y < flat.height; ++y)
      for (int i = 0; i < flat.width * 3; ++i) {
        const int noise = flat.at(0, y, i) - 128;
        sum += noise;
        squares += noise * noise;
      }
    // Truncation takes half a level. The mean of 72 000 values has a standard error of 0.05.
    const double mean = sum / count;
    QVERIFY(std::abs(mean - (25.5 - 0.5)) < 0.25);
    QVERIFY(std::abs(std::sqrt(squares / count - mean * mean) - 12.75) < 0.25);
  }

  void saltAndPepperAreWholePixels() {
    Picture flat(160, 150, 3);
    std::fill(flat.bytes.begin(), flat.bytes.end(), std::uint8_t{128});
    Draw draw({1, 2, 3, 0, 5});
    addSaltAndPepper(flat.edit(), 0.1, 0.75, draw);
    int salt = 0;
    int pepper = 0;
    for (int y = 0; y < flat.height; ++y)
      for (int x = 0; x < flat.width; ++x) {
        const int value = flat.at(x, y, 0);
        salt += value == 255 ? 1 : 0;
        pepper += value == 0 ? 1 : 0;
        QVERIFY(value == 0 || value == 128 || value == 255);
        QVERIFY(flat.at(x, y, 1) == value && flat.at(x, y, 2) == value);
      }
    // Five standard deviations of 24 000 pixels.
    QVERIFY(std::abs(salt - 1800) < 210 && std::abs(pepper - 600) < 125);
  }

  void masksAreMovedAndKeepTheirValues() {
    ChangeRules mask;
    mask.colours = false;
    mask.sampling.fill = {255, 0, 0, 0};
    const Picture in = drawn(1);
    const PictureChange moved{ChangeKind::TranslateX, -7};
    Picture wanted = changed(in, {&moved, 1}, mask);
    for (int y = 0; y < in.height; ++y)
      for (int x = 0; x < in.width; ++x)
        QCOMPARE(wanted.at(x, y, 0), x < in.width - 7 ? in.at(x + 7, y, 0) : 255);
    const PictureChange both[] = {{ChangeKind::Invert, 0}, moved, {ChangeKind::Equalize, 0}};
    QVERIFY(changed(in, both, mask) == wanted);
    mask.scale = 2;
    const PictureChange half{ChangeKind::TranslateX, -3.5};
    const PictureChange six{ChangeKind::TranslateX, -6};
    mask.scale = 2;
    const Picture twice = changed(in, {&half, 1}, mask);
    mask.scale = 1;
    QVERIFY(twice == changed(in, {&six, 1}, mask));
  }
};

}  // namespace millrace

using millrace::TestPictureChange;
MILLRACE_TEST_CASE(TestPictureChange)
#include "tst_picture_change.moc"
