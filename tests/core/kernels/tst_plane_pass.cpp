// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/plane_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/kernels/half.h"
#include "core/kernels/pass/plane_axis.h"
#include "tests/core/kernels/levels.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Planes with their memory. There are gaps between the rows, which are readable for 64 bytes after
/// their end.
struct PlanesOfTest {
  Size size;
  int across = 1;  ///< luma samples per chroma sample
  int down = 1;
  std::array<std::vector<std::uint8_t>, 3> bytes;
  SampledPlanes planes;

  /// `region` in pixels of luma.
  PlanesOfTest(Size pixels, int wide, int high, Rect region, std::size_t count = 3)
      : size(pixels), across(wide), down(high) {
    planes.count = count;
    for (std::size_t c = 0; c < count; ++c) {
      const int x = c == 0 ? 1 : across;
      const int y = c == 0 ? 1 : down;
      const int width = (size.width + x - 1) / x;
      const int height = (size.height + y - 1) / y;
      const int stride = width + 67;
      bytes[c] = tests::noise(static_cast<std::size_t>(stride * height), 3 + std::uint32_t(c));
      // Includes areas without noise, so that an offset shows.
      for (std::size_t i = 0; i < bytes[c].size(); ++i)
        if (i / 40 % 2 == 0) bytes[c][i] = static_cast<std::uint8_t>(i / 3 % 256);
      planes.plane[c].samples = {bytes[c].data(), width, height, 1, stride};
      planes.plane[c].region = {double(region.x) / x, double(region.y) / y,
                                double(region.x + region.width) / x,
                                double(region.y + region.height) / y};
    }
  }
};

double filterAt(Filter filter, double x) {
  x = std::abs(x);
  if (filter == Filter::Nearest) return 0;
  if (filter == Filter::Bilinear) return std::max(0.0, 1 - x);
  if (x < 1) return 1.5 * x * x * x - 2.5 * x * x + 1;
  return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0;
}

/// The sum of weights times samples along one axis, from the definition; `at` returns sample i.
template <class At>
double exactSum(double low, double high, int size, int output, Filter filter, bool antialias,
                const At& at) {
  const int begin = static_cast<int>(std::floor(low));
  const int end = static_cast<int>(std::ceil(high));
  const double scale = (high - low) / size;
  const double centre = low + (output + 0.5) * scale;
  if (filter == Filter::Nearest)
    return at(std::clamp(static_cast<int>(std::floor(centre)), begin, end - 1));
  const double wide = antialias ? std::max(1.0, scale) : 1.0;
  double sum = 0;
  double weights = 0;
  // No filter reaches further than two samples of the wider grid.
  const int first = std::max(begin, static_cast<int>(std::floor(centre - 2 * wide)));
  const int past = std::min(end, static_cast<int>(std::ceil(centre + 2 * wide)));
  for (int i = first; i < past; ++i) {
    const double weight = filterAt(filter, (i + 0.5 - centre) / wide);
    sum += weight * at(i);
    weights += weight;
  }
  return sum / weights;
}

double exactSample(const SampledPlane& plane, const PixelPassSpec& spec, int x, int y) {
  const Box& box = plane.region;
  return exactSum(box.top, box.bottom, spec.resized.height, spec.cut.y + y, spec.filter,
                  spec.antialias, [&](int row) {
                    return exactSum(box.left, box.right, spec.resized.width, spec.cut.x + x,
                                    spec.filter, spec.antialias,
                                    [&](int i) { return double(plane.samples.row(row)[i]); });
                  });
}

/// RGB, or luma alone, of each pixel of the cut, flipped; 0 to 255.
std::vector<double> exactCut(const SampledPlanes& planes, const PixelPassSpec& spec, int channels) {
  std::vector<double> out;
  for (int y = 0; y < spec.cut.height; ++y)
    for (int x = 0; x < spec.cut.width; ++x) {
      const int fromX = spec.flipX ? spec.cut.width - 1 - x : x;
      const int fromY = spec.flipY ? spec.cut.height - 1 - y : y;
      const auto at = [&](std::size_t c) {
        return exactSample(planes.plane[c], spec, fromX, fromY);
      };
      const double luma = at(0);
      const bool isGrey = planes.count == 1 || channels == 1;
      const double blue = isGrey ? 0 : at(1) - 128;
      const double red = isGrey ? 0 : at(2) - 128;
      const double rgb[] = {luma + 1.402 * red, luma - 0.344136286 * blue - 0.714136286 * red,
                            luma + 1.772 * blue};
      for (int c = 0; c < channels; ++c)
        out.push_back(std::clamp(isGrey ? luma : rgb[c], 0.0, 255.0));
    }
  return out;
}

std::vector<std::byte> made(const SampledPlanes& planes, const PixelPassSpec& spec,
                            const OutputForm& form, int channels) {
  PlanePass pass;
  const std::size_t bytes = outputBytes(spec.cut.size(), channels, form);
  std::vector<std::byte> out(bytes + 32, std::byte{0xa5});
  pass.run(planes, spec, form, channels, out.data());
  const auto isUntouched = [](std::byte b) { return b == std::byte{0xa5}; };
  [&] { QVERIFY(std::all_of(out.end() - 32, out.end(), isUntouched)); }();
  out.resize(bytes);
  return out;
}

/// The values of the result in the order of exactCut().
std::vector<double> valuesOf(const std::vector<std::byte>& bytes, const OutputForm& form, Size cut,
                             int channels) {
  const std::size_t pixels = std::size_t(cut.width) * std::size_t(cut.height);
  const auto count = static_cast<std::size_t>(channels);
  std::vector<double> values;
  for (std::size_t i = 0; i < pixels * count; ++i) {
    const std::size_t at = form.layout == Layout::Chw ? i % count * pixels + i / count : i;
    std::uint16_t half = 0;
    float single = 0;
    if (form.dtype == DType::U8) {
      values.push_back(std::to_integer<int>(bytes[at]));
    } else if (form.dtype == DType::F32) {
      std::memcpy(&single, bytes.data() + at * 4, 4);
      values.push_back(double(single));
    } else {
      std::memcpy(&half, bytes.data() + at * 2, 2);
      values.push_back(double(form.dtype == DType::F16 ? f32FromF16(half) : f32FromBf16(half)));
    }
  }
  return values;
}

OutputForm floatForm(DType type = DType::F32, Layout layout = Layout::Chw) {
  OutputForm form;
  form.dtype = type;
  form.layout = layout;
  return form;
}

PixelPassSpec specOf(Size resized, Filter filter = Filter::Bilinear) {
  PixelPassSpec spec;
  spec.source = {0, 0, 1, 1};
  spec.resized = resized;
  spec.cut = {0, 0, resized.width, resized.height};
  spec.filter = filter;
  return spec;
}

/// The bound in levels: half a unit per weight, plus the correction of the largest weight, times
/// half the range, for both axes; then two roundings to 1/128 of a level, multiplied by the largest
/// effect on a colour (1 + 1.772).
double allowed(const PlanesOfTest& picture, const PixelPassSpec& spec) {
  const Box& box = picture.planes.plane[0].region;
  const double across = (box.right - box.left) / spec.resized.width;
  const double down = (box.bottom - box.top) / spec.resized.height;
  const double taps = 2 * (std::max(1.0, across) + std::max(1.0, down)) + 4;
  const double cubic = spec.filter == Filter::Bicubic ? 2.5 : 1;
  return 2.772 * cubic * (taps / PlaneAxis::kOne * 128 + 2.0 / 256) + 0.001;
}

struct GridOfTest {
  const char* name;
  int across;
  int down;
  std::size_t count = 3;
};
constexpr GridOfTest kGrids[] = {{"444", 1, 1}, {"422", 2, 1}, {"420", 2, 2},
                                 {"440", 1, 2}, {"411", 4, 1}, {"grey", 1, 1, 1}};

}  // namespace

class TestPlanePass : public QObject {
  Q_OBJECT
 private slots:
  void valuesAreTheExactOnes() {
    const std::pair<Size, Rect> pictures[] = {{{67, 45}, {0, 0, 67, 45}},
                                              {{67, 45}, {13, 7, 38, 35}},
                                              {{16, 16}, {0, 0, 16, 16}},
                                              {{9, 5}, {3, 1, 6, 4}},
                                              {{1, 1}, {0, 0, 1, 1}}};
    for (const GridOfTest& grid : kGrids)
      for (const auto& [size, region] : pictures)
        for (const Size to : {Size{24, 24}, Size{37, 11}, Size{5, 3}, Size{1, 1}, Size{80, 70}})
          for (const Filter filter : {Filter::Bilinear, Filter::Bicubic, Filter::Nearest}) {
            const PlanesOfTest picture(size, grid.across, grid.down, region, grid.count);
            PixelPassSpec spec = specOf(to, filter);
            spec.antialias = to.width != 37;
            const auto exact = exactCut(picture.planes, spec, 3);
            const OutputForm form = floatForm();
            const auto found = valuesOf(made(picture.planes, spec, form, 3), form, to, 3);
            double most = 0;
            for (std::size_t i = 0; i < exact.size(); ++i)
              most = std::max(most, std::abs(found[i] * 255 - exact[i]));
            QVERIFY2(most <= allowed(picture, spec),
                     qPrintable(QString("%1 %2 x %3 to %4 x %5 filter %6: %7 of %8")
                                    .arg(grid.name)
                                    .arg(region.width)
                                    .arg(region.height)
                                    .arg(to.width)
                                    .arg(to.height)
                                    .arg(int(filter))
                                    .arg(most)
                                    .arg(allowed(picture, spec))));
          }
  }

  void strongShrinkingIsExactToo() {
    const PlanesOfTest picture({700, 500}, 2, 2, {3, 5, 690, 490});
    for (const Size to : {Size{40, 30}, Size{3, 2}, Size{400, 2}}) {
      const PixelPassSpec spec = specOf(to);
      const auto exact = exactCut(picture.planes, spec, 3);
      const OutputForm form = floatForm();
      const auto found = valuesOf(made(picture.planes, spec, form, 3), form, to, 3);
      for (std::size_t i = 0; i < exact.size(); ++i)
        QVERIFY(std::abs(found[i] * 255 - exact[i]) <= allowed(picture, spec));
    }
  }

  void cutsAndFlipsAreThoseOfTheWhole() {
    for (const GridOfTest& grid : kGrids) {
      const PlanesOfTest picture({67, 45}, grid.across, grid.down, {5, 3, 60, 40}, grid.count);
      PixelPassSpec spec = specOf({40, 33});
      const OutputForm form = floatForm(DType::F32, Layout::Hwc);
      const auto whole = valuesOf(made(picture.planes, spec, form, 3), form, {40, 33}, 3);
      spec.cut = {7, 4, 29, 21};
      for (const bool flipX : {false, true})
        for (const bool flipY : {false, true}) {
          spec.flipX = flipX;
          spec.flipY = flipY;
          const auto found = valuesOf(made(picture.planes, spec, form, 3), form, {29, 21}, 3);
          for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 29 * 3; ++x) {
              const int fromX = spec.cut.x + (flipX ? 28 - x / 3 : x / 3);
              const int fromY = spec.cut.y + (flipY ? 20 - y : y);
              QCOMPARE(found[std::size_t(y * 87 + x)],
                       whole[std::size_t((fromY * 40 + fromX) * 3 + x % 3)]);
            }
        }
    }
  }

  void whatIsLookedAtIsEnough() {
    for (const GridOfTest& grid : kGrids)
      for (const Size to : {Size{90, 80}, Size{30, 20}}) {
        const Rect region{8, 8, 64, 48};
        const PlanesOfTest picture({80, 64}, grid.across, grid.down, region, grid.count);
        PixelPassSpec spec = specOf(to);
        spec.source = {8, 8, 72, 56};
        spec.cut = {to.width / 3, to.height / 3, to.width / 4, to.height / 4};
        const auto whole = made(picture.planes, spec, floatForm(), 3);
        const Rect part = neededRegion(spec, 4);
        QVERIFY(part.width < region.width && part.height < region.height);
        // Changes all values outside.
        PlanesOfTest other = picture;
        for (std::size_t c = 0; c < grid.count; ++c) {
          const int across = c == 0 ? 1 : grid.across;
          const int down = c == 0 ? 1 : grid.down;
          ImageView& view = other.planes.plane[c].samples;
          view.data = other.bytes[c].data();
          for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
              if ((x + 1) * across <= part.x || x * across >= part.x + part.width ||
                  (y + 1) * down <= part.y || y * down >= part.y + part.height)
                other.bytes[c][std::size_t(y * view.stride + x)] ^= 0xff;
        }
        QVERIFY(made(other.planes, spec, floatForm(), 3) == whole);
      }
  }

  void everyLevelGivesTheBitsOfThePlainCode() {
    const auto levels = tests::vectorLevels();
    std::uint32_t turn = 0;
    for (const GridOfTest& grid : kGrids)
      for (const Size to :
           {Size{64, 9}, Size{50, 12}, Size{33, 17}, Size{3, 5}, Size{150, 4}, Size{23, 40}})
        for (const DType type : {DType::F32, DType::F16, DType::BF16, DType::U8})
          for (const Layout layout : {Layout::Chw, Layout::Hwc})
            for (const int channels : {3, 1}) {
              const PlanesOfTest picture({101, 67}, grid.across, grid.down, {2, 1, 97, 60},
                                         grid.count);
              PixelPassSpec spec = specOf(to, ++turn % 3 == 0 ? Filter::Bicubic : Filter::Bilinear);
              spec.flipX = turn % 2 == 0;
              OutputForm form = floatForm(type, layout);
              form.normalise = type != DType::U8 && turn % 5 != 0;
              form.mean = {0.485F, 0.456F, 0.406F, 0};
              form.deviation = {0.229F, 0.224F, 0.225F, 1};
              std::vector<std::byte> expected;
              {
                const tests::ForcedLevel plain(levels.back());
                expected = made(picture.planes, spec, form, channels);
              }
              for (const std::int64_t level : levels) {
                const tests::ForcedLevel forced(level);
                QVERIFY2(made(picture.planes, spec, form, channels) == expected,
                         tests::levelName(level).c_str());
              }
            }
  }

  void typesAndLayoutsHoldTheSameValues() {
    const PlanesOfTest picture({67, 45}, 2, 2, {0, 0, 67, 45});
    const PixelPassSpec spec = specOf({29, 31});
    const auto exact =
        valuesOf(made(picture.planes, spec, floatForm(), 3), floatForm(), {29, 31}, 3);
    for (const DType type : {DType::F32, DType::F16, DType::BF16, DType::U8})
      for (const Layout layout : {Layout::Chw, Layout::Hwc}) {
        const OutputForm form = floatForm(type, layout);
        const auto found = valuesOf(made(picture.planes, spec, form, 3), form, {29, 31}, 3);
        for (std::size_t i = 0; i < exact.size(); ++i) {
          const auto value = static_cast<float>(exact[i]);
          if (type == DType::F32) QCOMPARE(found[i], exact[i]);
          if (type == DType::F16) QCOMPARE(found[i], double(f32FromF16(f16FromF32(value))));
          if (type == DType::BF16) QCOMPARE(found[i], double(f32FromBf16(bf16FromF32(value))));
          if (type == DType::U8) QVERIFY(std::abs(found[i] - exact[i] * 255) <= 0.5001);
        }
      }
  }

  void anEvenAreaStaysWhatItIs() {
    for (const int level : {0, 1, 127, 128, 254, 255}) {
      PlanesOfTest picture({50, 40}, 2, 2, {1, 1, 47, 37});
      std::fill(picture.bytes[0].begin(), picture.bytes[0].end(), std::uint8_t(level));
      for (const std::size_t c : {1, 2})
        std::fill(picture.bytes[c].begin(), picture.bytes[c].end(), std::uint8_t{128});
      for (const Size to : {Size{24, 24}, Size{60, 7}}) {
        for (const std::byte b : made(picture.planes, specOf(to), {}, 3))
          QCOMPARE(std::to_integer<int>(b), level);
        const auto floats =
            valuesOf(made(picture.planes, specOf(to), floatForm(), 3), floatForm(), to, 3);
        for (const double value : floats)
          QVERIFY(value >= 0 && value <= 1 && std::abs(value - level / 255.0) < 1e-7);
      }
    }
  }

  void normalisedValuesAreTheDifferenceOverTheDeviation() {
    const PlanesOfTest picture({30, 20}, 2, 1, {0, 0, 30, 20});
    const PixelPassSpec spec = specOf({16, 16});
    OutputForm form = floatForm();
    const auto unit = valuesOf(made(picture.planes, spec, form, 3), form, {16, 16}, 3);
    form.normalise = true;
    form.mean = {0.4F, 0.5F, 0.6F, 0};
    form.deviation = {0.2F, 0.3F, 0.1F, 1};
    const auto found = valuesOf(made(picture.planes, spec, form, 3), form, {16, 16}, 3);
    for (std::size_t i = 0; i < unit.size(); ++i)
      QVERIFY(std::abs(found[i] - (unit[i] - double(form.mean[i % 3])) /
                                      double(form.deviation[i % 3])) < 4e-6);
  }
};

}  // namespace millrace

using millrace::TestPlanePass;
MILLRACE_TEST_CASE(TestPlanePass)
#include "tst_plane_pass.moc"
