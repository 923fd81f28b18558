// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_pass.h"

#include "core/kernels/colour/colour.h"
#include "core/kernels/pad.h"
#include "tests/core/kernels/on_device.h"
#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::OnDevice;
using tests::Picture;

namespace {

/// One picture of a batch, and what is done to it.
struct Case {
  Picture picture;
  PixelPassSpec spec;
  std::optional<PassPadding> padding;
};

OutputForm formOf(DType dtype, Layout layout, bool normalise) {
  OutputForm form;
  form.dtype = dtype;
  form.layout = layout;
  form.normalise = normalise;
  form.mean = {0.485F, 0.456F, 0.406F, 0.5F};
  form.deviation = {0.229F, 0.224F, 0.225F, 0.3F};
  return form;
}

std::array<std::uint8_t, 4> coloursOf(std::uint32_t fill) {
  return {byteAt(fill, 0), byteAt(fill, 1), byteAt(fill, 2), byteAt(fill, 3)};
}

/// The CPU's result: PixelPass, with pad() in between if there is padding.
std::vector<std::byte> byCpu(const Case& one, const OutputForm& form) {
  PixelPass pass;
  const Size cut = one.spec.cut.size();
  const int channels = one.picture.channels;
  if (!one.padding) {
    std::vector<std::byte> out(outputBytes(cut, channels, form));
    pass.run(one.picture.view(), one.spec, form, out.data());
    return out;
  }
  const PassPadding& padding = *one.padding;
  PixelPassSpec plain = one.spec;
  plain.flipX = plain.flipY = false;
  Picture inside(cut.width, cut.height, channels);
  inside.stride = cut.width * channels;
  pass.run(one.picture.view(), plain, {}, reinterpret_cast<std::byte*>(inside.bytes.data()));
  // A canvas that contains the placed cut and the view.
  const Size canvas{std::max(padding.placed.x + cut.width, padding.view.x + padding.view.width),
                    std::max(padding.placed.y + cut.height, padding.view.y + padding.view.height)};
  Picture padded(canvas.width, canvas.height, channels);
  pad(inside.view(), padding.placed.x, padding.placed.y, padding.border, coloursOf(padding.fill),
      padded.edit());
  PixelPassSpec last = wholeImage(canvas, canvas);
  last.cut = padding.view;
  last.flipX = one.spec.flipX;
  last.flipY = one.spec.flipY;
  std::vector<std::byte> out(outputBytes(padding.view.size(), channels, form));
  pass.run(padded.view(), last, form, out.data());
  return out;
}

Size resultSize(const Case& one) {
  return one.padding ? one.padding->view.size() : one.spec.cut.size();
}

/// The rows of a batch on the device, ready for a launch.
struct Launch {
  std::vector<PassRow> rows;
  std::vector<std::byte*> outs;
  DevicePassTables tables;
  DevicePass pass;
};

Launch prepare(OnDevice& on, const std::vector<Case>& cases, const OutputForm& form) {
  Launch launch;
  const int channels = cases.front().picture.channels;
  Size largest;
  for (const Case& one : cases) {
    const Size size = resultSize(one);
    largest = {std::max(largest.width, size.width), std::max(largest.height, size.height)};
    const ImageView source = one.picture.view();
    // Packed as in an arena, so that rows start at arbitrary addresses.
    std::vector<std::uint8_t> bytes(3, 0);
    for (int y = 0; y < source.height; ++y)
      bytes.insert(bytes.end(), source.row(y), source.row(y) + source.width * channels);
    const DevicePicture picture{deviceAddress(on.upload(bytes) + 3), source.size(), channels};
    launch.outs.push_back(on.memory(outputBytes(size, channels, form)));
    launch.rows.push_back(devicePassRow(picture, one.spec, one.padding ? &*one.padding : nullptr,
                                        deviceAddress(launch.outs.back()), launch.tables));
  }
  PixelTable table;
  table.compute(form, channels);
  launch.pass.form = deviceForm(form, channels, table);
  std::vector<float> values(static_cast<std::size_t>(channels) * 256);
  valuesOf(table, channels, values.data());
  launch.pass.form.values = on.upload(values);
  launch.pass.rows = on.upload(launch.rows);
  launch.pass.rowCount = static_cast<int>(cases.size());
  launch.pass.channels = channels;
  launch.pass.width = largest.width;
  launch.pass.height = largest.height;
  launch.pass.scratch = on.memory(launch.tables.bytes());
  return launch;
}

void compare(OnDevice& on, const Launch& launch, std::size_t row,
             const std::vector<std::byte>& wanted, const std::string& what) {
  const std::vector<std::byte> got = on.download(launch.outs[row], wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != wanted[i])
      QFAIL((what + ", row " + std::to_string(row) + ": byte " + std::to_string(i) + " is " +
             std::to_string(static_cast<int>(got[i])) + ", the CPU has " +
             std::to_string(static_cast<int>(wanted[i])))
                .c_str());
}

void sameAsCpu(OnDevice& on, const std::vector<Case>& cases, const OutputForm& form,
               const std::string& what) {
  const Launch launch = prepare(on, cases, form);
  VERIFY_OK(launchDevicePass(on.stream(), launch.pass, launch.tables));
  for (std::size_t i = 0; i < cases.size(); ++i)
    compare(on, launch, i, byCpu(cases[i], form), what);
}

Case resized(Size from, int channels, Box region, Size to, Rect cut,
             Filter filter = Filter::Bilinear, bool antialias = true) {
  Case made{Picture(from.width, from.height, channels), {}, {}};
  made.spec.source = region;
  made.spec.resized = to;
  made.spec.cut = cut;
  made.spec.filter = filter;
  made.spec.antialias = antialias;
  return made;
}

/// Pictures of different sizes to 37 x 21, each processed differently.
std::vector<Case> raggedBatch(int channels) {
  const Rect all{0, 0, 37, 21};
  std::vector<Case> cases;
  cases.push_back(resized({90, 70}, channels, {0, 0, 90, 70}, {37, 21}, all));
  cases.push_back(resized({90, 70}, channels, {3.25, 4.5, 60.75, 66}, {37, 21}, all));
  cases.push_back(resized({20, 9}, channels, {0, 0, 20, 9}, {37, 21}, all, Filter::Bicubic));
  cases.push_back(resized({130, 200}, channels, {10, 20, 120, 190}, {80, 60}, {12, 9, 37, 21},
                          Filter::Bicubic));
  cases.push_back(resized({90, 70}, channels, {0, 0, 90, 70}, {37, 21}, all, Filter::Nearest));
  cases.push_back(
      resized({90, 70}, channels, {0, 0, 90, 70}, {37, 21}, all, Filter::Bilinear, false));
  cases.push_back(resized({41, 30}, channels, {4, 9, 41, 30}, {37, 21}, all));  // a crop
  cases.push_back(resized({1, 1}, channels, {0, 0, 1, 1}, {37, 21}, all));
  cases.push_back(
      resized({9, 900}, channels, {0, 0, 9, 900}, {37, 21}, all));  // does not fit a tile
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].spec.flipX = i % 2 == 1;
    cases[i].spec.flipY = i % 3 == 2;
  }
  return cases;
}

}  // namespace

class TestDevicePass : public QObject {
  Q_OBJECT

 private slots:
  void aRaggedBatchHasTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    for (int channels = 1; channels <= 4; ++channels)
      sameAsCpu(on, raggedBatch(channels), formOf(DType::U8, Layout::Hwc, false),
                std::to_string(channels) + " channels");
  }

  void everyTypeAndLayoutHasTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    const std::vector<Case> cases = raggedBatch(3);
    for (const DType dtype : {DType::U8, DType::F32, DType::F16, DType::BF16})
      for (const Layout layout : {Layout::Hwc, Layout::Chw})
        for (const bool normalise : {false, true}) {
          if (normalise && dtype == DType::U8) continue;
          sameAsCpu(on, cases, formOf(dtype, layout, normalise), std::string(nameOf(dtype)));
        }
  }

  /// Results whose width is a multiple of four are stored four at a time.
  void widthsOfEveryRemainderHaveTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    for (int width = 1; width <= 70; width += width < 6 ? 1 : 32)
      for (const bool flip : {false, true})
        for (const Layout layout : {Layout::Hwc, Layout::Chw}) {
          Case copy = resized({90, 40}, 3, {5, 3, 5.0 + width, 38}, {width, 35}, {0, 0, width, 35});
          copy.spec.flipX = flip;
          Case shrunk = resized({90, 77}, 3, {0, 0, 90, 77}, {width, 35}, {0, 0, width, 35});
          shrunk.spec.flipX = flip;
          sameAsCpu(on, {copy, shrunk}, formOf(DType::F16, layout, true),
                    "width " + std::to_string(width));
        }
  }

  /// 38.5 * (5 / 77) is slightly below 2.5 in doubles; with a support of 2 it can reach 4.5. The
  /// last of five inputs then has weight 0.
  void anInputAtTheEdgeOfTheSupportIsNotCounted() {
    OPEN_DEVICE(on);
    for (const auto& [from, to] : {std::pair<Size, Size>{{20, 5}, {37, 77}}, {{5, 20}, {77, 37}}})
      for (const Layout layout : {Layout::Hwc, Layout::Chw})
        sameAsCpu(
            on,
            {resized(from, 3,
                     {0, 0, static_cast<double>(from.width), static_cast<double>(from.height)}, to,
                     {0, 0, to.width, to.height}, Filter::Bicubic)},
            formOf(DType::U8, layout, false), "width " + std::to_string(to.width));
  }

  void aTallPictureTakesLowerTiles() {
    OPEN_DEVICE(on);
    for (const int height : {300, 900, 2500})
      sameAsCpu(on,
                {resized({70, height}, 3, {0, 0, 70, static_cast<double>(height)}, {66, 70},
                         {0, 0, 66, 70})},
                formOf(DType::U8, Layout::Chw, false), "height " + std::to_string(height));
  }

  void resultsOfDifferentSizesHaveTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    std::vector<Case> cases = raggedBatch(3);
    for (int i = 0; i < 5; ++i)
      cases.push_back(
          resized({90, 120}, 3, {0, 0, 90, 120}, {70, 40 * i + 3}, {i, 0, 70 - 9 * i, 40 * i + 3}));
    sameAsCpu(on, cases, formOf(DType::F16, Layout::Chw, true), "sizes");
  }

  void paddingByEveryBorderHasTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    for (const Border border :
         {Border::Constant, Border::Edge, Border::Symmetric, Border::Reflect, Border::Wrap})
      for (const bool resize : {false, true}) {
        const Size to = resize ? Size{20, 15} : Size{33, 27};
        Case one = resized({33, 27}, 3, {0, 0, 33, 27}, to, {0, 0, to.width, to.height});
        one.padding = PassPadding{{5, 9, to.width, to.height}, {2, 3, 40, 41}, border, 0x00112233};
        Case cut = one;
        cut.padding->view = {0, 12, 40, 41};
        cut.spec.flipX = true;
        sameAsCpu(on, {one, cut}, formOf(DType::F32, Layout::Chw, true),
                  std::to_string(static_cast<int>(border)));
      }
  }

  void coloursHaveTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    for (const int channels : {1, 3, 4}) colours(on, channels);
  }

  void aTableStandsInWhereNoMultiplicationIsExact() {
    OPEN_DEVICE(on);
    const std::vector<Case> cases = raggedBatch(3);
    OutputForm form = formOf(DType::F32, Layout::Hwc, true);
    Launch launch = prepare(on, cases, form);
    launch.pass.form.exact = false;
    VERIFY_OK(launchDevicePass(on.stream(), launch.pass, launch.tables));
    compare(on, launch, 0, byCpu(cases[0], form), "table");
  }

 private:
  /// A jitter whose contrast needs the mean of the previous operations' result, so two launches.
  void colours(OnDevice& on, int channels) {
    const Case one = resized({90, 70}, channels, {0, 0, 90, 70}, {67, 45}, {0, 0, 67, 45});
    const std::array<int, 4> offsets{20, -300, 7, 0};
    Picture wanted(67, 45, channels);
    wanted.stride = 67 * channels;
    PixelPass pass;
    pass.run(one.picture.view(), one.spec, {}, reinterpret_cast<std::byte*>(wanted.bytes.data()));
    ColourFactors factors;
    factors.brightness = 1.3F;
    factors.contrast = 0.7F;
    factors.saturation = 1.4F;
    factors.hue = 0.2F;
    factors.order = {ColourStep::Brightness, ColourStep::Hue, ColourStep::Contrast,
                     ColourStep::Saturation};
    adjustColour(wanted.edit(), factors);
    shiftChannels(wanted.edit(), offsets);

    std::vector<ColourAct> first{{ColourKind::Blend, 1.3F, 0, {}},
                                 {ColourKind::TurnHue, 0.2F, 0, {}}};
    std::vector<ColourAct> second{
        {ColourKind::Contrast, 0.7F, static_cast<float>(1.0 - static_cast<double>(0.7F)), {}},
        {ColourKind::Saturate, 1.4F, static_cast<float>(1.0 - static_cast<double>(1.4F)), {}},
        {ColourKind::Shift, 0, 0, {20, -255, 7, 0}}};
    const OutputForm bytes;
    Launch before = prepare(on, {one}, bytes);
    before.pass.acts = on.upload(first);
    before.pass.actsEach = 2;
    before.pass.greySumsOut = reinterpret_cast<std::uint64_t*>(on.memory(8));
    VERIFY_OK(launchDevicePass(on.stream(), before.pass, before.tables));

    Launch after;
    const DevicePicture middle{deviceAddress(before.outs[0]), {67, 45}, channels};
    after.outs.push_back(on.memory(67 * 45 * static_cast<std::size_t>(channels)));
    after.rows.push_back(devicePassRow(middle, wholeImage({67, 45}, {67, 45}), nullptr,
                                       deviceAddress(after.outs[0]), after.tables));
    after.pass = before.pass;
    after.pass.rows = on.upload(after.rows);
    after.pass.acts = on.upload(second);
    after.pass.actsEach = 3;
    after.pass.greySums = before.pass.greySumsOut;
    after.pass.greySumsOut = nullptr;
    VERIFY_OK(launchDevicePass(on.stream(), after.pass, after.tables));
    const auto* data = reinterpret_cast<const std::byte*>(wanted.bytes.data());
    compare(on, after, 0, {data, data + 67 * 45 * channels}, std::to_string(channels));
  }
};

}  // namespace millrace

using millrace::TestDevicePass;
MILLRACE_TEST_CASE(TestDevicePass)
#include "tst_device_pass.moc"
