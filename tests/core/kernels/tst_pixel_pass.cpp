// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_pass.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/kernels/half.h"
#include "tests/core/kernels/levels.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

struct PackedPicture {
  Size size;
  int channels = 3;
  std::vector<std::uint8_t> bytes;
  ImageView view() const {
    return {bytes.data(), size.width, size.height, channels,
            static_cast<std::ptrdiff_t>(size.width) * channels};
  }
  int at(int x, int y, int c) const {
    return bytes[static_cast<std::size_t>((y * size.width + x) * channels + c)];
  }
};

PackedPicture packedPicture(int width, int height, int channels) {
  PackedPicture made{{width, height}, channels, {}};
  made.bytes = tests::noise(static_cast<std::size_t>(width * height * channels), 7);
  // Hard edges, so that a cubic filter overshoots in both directions.
  for (std::size_t i = 0; i < made.bytes.size(); i += 5) made.bytes[i] = (i / 40) % 2 ? 255 : 0;
  return made;
}

/// One axis of Pillow's resize, written from its definition: the weights of output `out` in units
/// of 2^-22 for the inputs of [low, high), counted from the region's first whole pixel.
std::vector<std::pair<int, int>> pillowWeights(double low, double high, int size, int out,
                                               Filter filter, bool antialias) {
  const int inputs = static_cast<int>(std::ceil(high)) - static_cast<int>(std::floor(low));
  const double scale = (high - low) / size;
  const double wide = antialias && scale > 1 ? scale : 1;
  const double reach = (filter == Filter::Bicubic ? 2 : 1) * wide;
  const double centre = low - std::floor(low) + (out + 0.5) * scale;
  int from = static_cast<int>(centre - reach + 0.5);
  if (from < 0) from = 0;
  int to = static_cast<int>(centre + reach + 0.5);
  if (to > inputs) to = inputs;
  std::vector<double> weights;
  double sum = 0;
  for (int i = from; i < to; ++i) {
    double t = std::fabs((i - centre + 0.5) * (1.0 / wide));
    double w = 0;
    if (filter == Filter::Bilinear)
      w = t < 1 ? 1 - t : 0;
    else if (t < 1)
      w = (1.5 * t - 2.5) * t * t + 1;
    else if (t < 2)
      w = (((t - 5) * t + 8) * t - 4) * -0.5;
    weights.push_back(w);
    sum += w;
  }
  std::vector<std::pair<int, int>> result;
  for (int i = from; i < to; ++i) {
    const double w = weights[static_cast<std::size_t>(i - from)] / sum * 4194304;
    result.emplace_back(i + static_cast<int>(std::floor(low)),
                        static_cast<int>(w < 0 ? w - 0.5 : w + 0.5));
  }
  return result;
}

int clip(int sum) { return std::clamp(sum >> 22, 0, 255); }

/// Resizes the whole region in two complete passes, then cuts and flips.
PackedPicture reference(const PackedPicture& in, const PixelPassSpec& spec) {
  const int top = static_cast<int>(std::floor(spec.source.top));
  const int bottom = static_cast<int>(std::ceil(spec.source.bottom));
  const auto area = static_cast<std::size_t>(spec.cut.width * spec.cut.height * in.channels);
  PackedPicture out{spec.cut.size(), in.channels, std::vector<std::uint8_t>(area)};
  PackedPicture rows{{spec.resized.width, bottom}, in.channels, {}};
  rows.bytes.resize(static_cast<std::size_t>(spec.resized.width * bottom * in.channels));
  const bool copyX = spec.source.left == std::floor(spec.source.left) &&
                     spec.source.right - spec.source.left == spec.resized.width;
  const bool copyY = spec.source.top == std::floor(spec.source.top) &&
                     spec.source.bottom - spec.source.top == spec.resized.height;
  for (int x = 0; x < spec.resized.width; ++x) {
    const auto weights = pillowWeights(spec.source.left, spec.source.right, spec.resized.width, x,
                                       spec.filter, spec.antialias);
    for (int y = top; y < bottom; ++y)
      for (int c = 0; c < in.channels; ++c) {
        int sum = 1 << 21;
        for (const auto& [i, w] : weights) sum += in.at(i, y, c) * w;
        rows.bytes[static_cast<std::size_t>((y * spec.resized.width + x) * in.channels + c)] =
            static_cast<std::uint8_t>(copyX ? in.at(static_cast<int>(spec.source.left) + x, y, c)
                                            : clip(sum));
      }
  }
  for (int y = 0; y < spec.cut.height; ++y) {
    const int row = spec.cut.y + (spec.flipY ? spec.cut.height - 1 - y : y);
    const auto weights = pillowWeights(spec.source.top, spec.source.bottom, spec.resized.height,
                                       row, spec.filter, spec.antialias);
    for (int x = 0; x < spec.cut.width; ++x)
      for (int c = 0; c < in.channels; ++c) {
        const int column = spec.cut.x + (spec.flipX ? spec.cut.width - 1 - x : x);
        int sum = 1 << 21;
        for (const auto& [i, w] : weights) sum += rows.at(column, i, c) * w;
        out.bytes[static_cast<std::size_t>((y * spec.cut.width + x) * in.channels + c)] =
            static_cast<std::uint8_t>(
                copyY ? rows.at(column, static_cast<int>(spec.source.top) + row, c) : clip(sum));
      }
  }
  return out;
}

/// Converts the reference's pixels to the requested form, one at a time.
std::vector<std::byte> formed(const PackedPicture& in, const OutputForm& form) {
  const std::size_t size = sizeOf(form.dtype);
  std::vector<std::byte> out(in.bytes.size() * size);
  for (int y = 0; y < in.size.height; ++y)
    for (int x = 0; x < in.size.width; ++x)
      for (int c = 0; c < in.channels; ++c) {
        const int place = form.layout == Layout::Chw ? (c * in.size.height + y) * in.size.width + x
                                                     : (y * in.size.width + x) * in.channels + c;
        std::byte* to = out.data() + static_cast<std::size_t>(place) * size;
        const auto value = static_cast<std::uint8_t>(in.at(x, y, c));
        float real = static_cast<float>(value) / 255.0F;
        if (form.normalise) {
          real = real - form.mean[static_cast<std::size_t>(c)];
          real = real / form.deviation[static_cast<std::size_t>(c)];
        }
        const std::uint16_t half = form.dtype == DType::F16 ? f16FromF32(real) : bf16FromF32(real);
        if (form.dtype == DType::U8)
          std::memcpy(to, &value, 1);
        else if (form.dtype == DType::F32)
          std::memcpy(to, &real, 4);
        else
          std::memcpy(to, &half, 2);
      }
  return out;
}

OutputForm imagenet(DType type, Layout layout) {
  return {type, layout, true, {0.485F, 0.456F, 0.406F, 0.5F}, {0.229F, 0.224F, 0.225F, 0.25F}};
}

PixelPassSpec resize(const PackedPicture& in, int width, int height, Filter filter) {
  PixelPassSpec spec = wholeImage(in.size, {width, height});
  spec.filter = filter;
  return spec;
}

QString describe(const PixelPassSpec& s, int channels, const std::string& level) {
  return QString("%1: %2 channels, [%3 %4 %5 %6] to %7x%8, filter %9")
      .arg(level.c_str())
      .arg(channels)
      .arg(s.source.left)
      .arg(s.source.top)
      .arg(s.source.right)
      .arg(s.source.bottom)
      .arg(s.resized.width)
      .arg(s.resized.height)
      .arg(static_cast<int>(s.filter));
}

/// One pass object for all levels and shapes: what it keeps between calls must not change results.
class PassOnAllLevels {
 public:
  void expect(const PackedPicture& in, const PixelPassSpec& spec, const OutputForm& form) {
    const std::vector<std::byte> wanted = formed(reference(in, spec), form);
    for (const std::int64_t level : tests::vectorLevels()) {
      const tests::ForcedLevel forced(level);
      // Guard bytes after the end: no level may write there.
      std::vector<std::byte> got(wanted.size() + 64, std::byte{0xa5});
      m_pass.run(in.view(), spec, form, got.data());
      const QByteArray where = describe(spec, in.channels, tests::levelName(level)).toUtf8();
      QVERIFY2(std::equal(wanted.begin(), wanted.end(), got.begin()), where.constData());
      QVERIFY2(
          std::all_of(got.end() - 64, got.end(), [](std::byte b) { return b == std::byte{0xa5}; }),
          where.constData());
    }
  }

 private:
  PixelPass m_pass;
};

}  // namespace

class TestPixelPass : public QObject {
  Q_OBJECT
 private slots:
  void resizesAsPillowDoesOnEveryLevel() {
    PassOnAllLevels pass;
    const int sizes[][4] = {{1, 1, 1, 1},     {1, 1, 5, 3},     {7, 5, 1, 1},    {33, 17, 16, 9},
                            {64, 48, 64, 48}, {31, 40, 67, 70}, {90, 61, 11, 7}, {50, 20, 50, 13},
                            {50, 20, 21, 20}, {300, 2, 3, 2}};
    for (const auto& s : sizes)
      for (const int channels : {1, 2, 3, 4})
        for (const Filter filter : {Filter::Bilinear, Filter::Bicubic})
          for (const Layout layout : {Layout::Hwc, Layout::Chw}) {
            const PackedPicture in = packedPicture(s[0], s[1], channels);
            pass.expect(in, resize(in, s[2], s[3], filter), {DType::U8, layout, false});
          }
  }

  void cutsAndFlipsOnlyWhatIsAskedFor() {
    PassOnAllLevels pass;
    const PackedPicture in = packedPicture(57, 43, 3);
    for (const Layout layout : {Layout::Hwc, Layout::Chw})
      for (const int flips : {0, 1, 2, 3})
        for (const Size resized : {Size{57, 43}, Size{40, 25}, Size{90, 43}, Size{57, 20}}) {
          PixelPassSpec spec = resize(in, resized.width, resized.height, Filter::Bilinear);
          spec.cut = {3, 5, 35, 14};
          spec.flipX = (flips & 1) != 0;
          spec.flipY = (flips & 2) != 0;
          pass.expect(in, spec, imagenet(DType::F32, layout));
          pass.expect(in, spec, {DType::U8, layout, false});
        }
  }

  void croppingFirstGivesTheSameBits() {
    const PackedPicture in = packedPicture(60, 50, 3);
    PixelPassSpec spec = resize(in, 20, 24, Filter::Bicubic);
    spec.source = {7, 9, 48, 41};
    std::vector<std::byte> direct(20 * 24 * 3);
    PixelPass pass;
    pass.run(in.view(), spec, {}, direct.data());
    ImageView cropped = in.view();
    cropped.data = in.view().row(9) + 7 * 3;
    cropped.width = 41;
    cropped.height = 32;
    std::vector<std::byte> after(direct.size());
    PixelPassSpec whole = wholeImage(cropped.size(), {20, 24});
    whole.filter = Filter::Bicubic;
    pass.run(cropped, whole, {}, after.data());
    QVERIFY(direct == after);
  }

  void whatIsLookedAtIsEnoughForTheSameBits() {
    const PackedPicture in = packedPicture(90, 70, 3);
    PixelPass pass;
    for (const Filter filter : {Filter::Nearest, Filter::Bilinear, Filter::Bicubic})
      for (const bool antialias : {true, false})
        for (const Size resized : {Size{40, 33}, Size{90, 20}, Size{200, 150}})
          for (const Rect cut : {Rect{10, 9, 20, 8}, Rect{0, 0, 5, 20}, Rect{30, 1, 10, 19}}) {
            PixelPassSpec spec = resize(in, resized.width, resized.height, filter);
            spec.antialias = antialias;
            spec.cut = cut;
            const Rect part = neededRegion(spec);
            QVERIFY(part.x >= 0 && part.x + part.width <= 90);
            QVERIFY(part.y >= 0 && part.y + part.height <= 70);
            QVERIFY(part.width * part.height < 90 * 70);
            std::vector<std::byte> all(outputBytes(cut.size(), 3, {}));
            pass.run(in.view(), spec, {}, all.data());
            ImageView view = in.view();
            view.data = in.view().row(part.y) + part.x * 3;
            view.width = part.width;
            view.height = part.height;
            spec.source = {double(-part.x), double(-part.y), double(90 - part.x),
                           double(70 - part.y)};
            std::vector<std::byte> alone(all.size());
            pass.run(view, spec, {}, alone.data());
            QVERIFY2(all == alone, describe(spec, 3, "any").toUtf8().constData());
          }
  }

  void regionsWithFractionsAndWithoutAntialiasFollowTheirDefinition() {
    PassOnAllLevels pass;
    const PackedPicture in = packedPicture(57, 43, 3);
    PixelPassSpec spec = resize(in, 19, 31, Filter::Bilinear);
    spec.cut = {0, 0, 19, 31};
    spec.source = {3.25, 1.5, 50.75, 40.125};
    pass.expect(in, spec, imagenet(DType::F32, Layout::Chw));
    spec.antialias = false;
    pass.expect(in, spec, imagenet(DType::F32, Layout::Chw));
    spec.filter = Filter::Bicubic;
    pass.expect(in, spec, {DType::U8, Layout::Hwc, false});
    spec.source = {3, 1, 22, 32};  // equals the result's size: a copy
    pass.expect(in, spec, {DType::U8, Layout::Hwc, false});
  }

  void everyTypeAndLayoutIsRoundedAlike() {
    PassOnAllLevels pass;
    for (const int channels : {1, 2, 3, 4}) {
      const PackedPicture in = packedPicture(45, 37, channels);
      for (const DType type : {DType::F32, DType::F16, DType::BF16})
        for (const Layout layout : {Layout::Hwc, Layout::Chw})
          for (const bool normalise : {true, false}) {
            OutputForm form = imagenet(type, layout);
            form.normalise = normalise;
            pass.expect(in, resize(in, 35, 29, Filter::Bilinear), form);
            pass.expect(in, resize(in, 45, 37, Filter::Bilinear), form);
          }
    }
  }

  /// Whether multiplication can replace division is checked per form; if not, and for meaningless
  /// numbers, tables are used.
  void oddMeansAndDeviationsStayExact() {
    PassOnAllLevels pass;
    const PackedPicture in = packedPicture(256, 3, 3);
    for (int i = 0; i < 40; ++i) {
      OutputForm form = imagenet(DType::F32, Layout::Chw);
      const auto bytes = tests::noise(6, static_cast<std::uint32_t>(i));
      for (std::size_t c = 0; c < 3; ++c) {
        form.mean[c] = static_cast<float>(bytes[c]) / 173.0F;
        form.deviation[c] = static_cast<float>(bytes[c + 3] + 1) / 391.0F;
      }
      pass.expect(in, resize(in, 256, 3, Filter::Bilinear), form);
    }
    OutputForm form = imagenet(DType::F32, Layout::Chw);
    form.deviation = {1e-30F, 3e38F, 1e-40F, 1};
    pass.expect(in, resize(in, 256, 3, Filter::Bilinear), form);
  }

  void nearestTakesThePixelUnderTheCentre() {
    for (const int channels : {1, 3}) {
      const PackedPicture in = packedPicture(23, 11, channels);
      PixelPassSpec spec = resize(in, 9, 30, Filter::Nearest);
      spec.flipX = true;
      for (const std::int64_t level : tests::vectorLevels()) {
        const tests::ForcedLevel forced(level);
        std::vector<std::byte> got(static_cast<std::size_t>(9 * 30 * channels));
        PixelPass pass;
        pass.run(in.view(), spec, {}, got.data());
        for (int y = 0; y < 30; ++y)
          for (int x = 0; x < 9; ++x)
            for (int c = 0; c < channels; ++c) {
              const int fromX = static_cast<int>(std::floor((8 - x + 0.5) * 23 / 9));
              const int fromY = static_cast<int>(std::floor((y + 0.5) * 11 / 30));
              QCOMPARE(static_cast<int>(got[static_cast<std::size_t>((y * 9 + x) * channels + c)]),
                       in.at(fromX, fromY, c));
            }
      }
    }
  }

  /// f64 sums rounded twice to f32, compared with the unrounded sums: two half units in the last
  /// place.
  void floatPixelsAreResampledWithinTheirRounding() {
    const PackedPicture in = packedPicture(29, 23, 3);
    std::vector<float> hwc;
    for (const std::uint8_t byte : in.bytes) hwc.push_back(static_cast<float>(byte) / 64 - 1);
    std::vector<float> chw(hwc.size());
    for (std::size_t i = 0; i < hwc.size(); ++i) chw[(i % 3) * 29 * 23 + i / 3] = hwc[i];
    PixelPassSpec spec = resize(in, 13, 31, Filter::Bilinear);
    spec.flipX = true;
    const OutputForm form{DType::F32, Layout::Chw, false};
    std::vector<float> got(13 * 31 * 3);
    std::vector<float> same(got.size());
    PixelPass pass;
    pass.run(FloatImageView::hwc(hwc.data(), in.size, 3), spec, form,
             reinterpret_cast<std::byte*>(got.data()));
    pass.run(FloatImageView::chw(chw.data(), in.size, 3), spec, form,
             reinterpret_cast<std::byte*>(same.data()));
    QVERIFY(got == same);
    for (int y = 0; y < 31; ++y)
      for (int x = 0; x < 13; ++x) {
        double sum = 0;
        for (const auto& [j, v] : pillowWeights(0, 23, 31, y, Filter::Bilinear, true))
          for (const auto& [i, h] : pillowWeights(0, 29, 13, 12 - x, Filter::Bilinear, true))
            sum += hwc[static_cast<std::size_t>((j * 29 + i) * 3 + 1)] * (v / 4194304.0) *
                   (h / 4194304.0);
        // The reference's weights are rounded to 2^-22; there are up to 8 of them, for values up to
        // 3.
        QVERIFY(std::abs(got[static_cast<std::size_t>((31 + y) * 13 + x)] - sum) < 6e-6);
      }
  }
};

}  // namespace millrace

using millrace::TestPixelPass;
MILLRACE_TEST_CASE(TestPixelPass)
#include "tst_pixel_pass.moc"
