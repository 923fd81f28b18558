// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <array>

#include "core/node_parts/array_text.h"
#include "core/node_parts/mask_fill.h"
#include "core/node_parts/short_text.h"
#include "core/node_parts/torch_text.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::resize {

namespace {

enum class Mode : std::uint8_t { Squash, Fit, Cover, AtLeast, AtMost };

bool isFree(Mode mode) { return mode == Mode::AtLeast || mode == Mode::AtMost; }

struct Params {
  std::int64_t height = 224;
  std::int64_t width = 224;
  Mode mode = Mode::Squash;
  Filter filter = Filter::Bilinear;
  bool antialias = true;
  RealList fill{0};
  RealList maskFill{0};
  TextList fields;
};

int rounded(double length) { return std::max(1, static_cast<int>(std::lround(length))); }

/// The size of a whole picture with its aspect ratio kept: one side has the length of `box`, the
/// other is cut to whole pixels, as in torchvision's Resize to a shorter side.
Size freeSize(Size from, Size box, Mode mode) {
  const auto side = [mode](std::int64_t other, std::int64_t along, std::int64_t across,
                           int wanted) {
    const auto kept = static_cast<int>(other * along / across);
    return mode == Mode::AtLeast ? std::max(kept, wanted) : std::max(1, std::min(kept, wanted));
  };
  return {side(box.height, from.width, from.height, box.width),
          side(box.width, from.height, from.width, box.height)};
}

class Resize final : public WindowStep {
 public:
  explicit Resize(const Params& params)
      : m_params(params), m_fill(padFill(Border::Constant, params.fill, params.maskFill)) {}

  bool resizes() const override { return true; }
  bool pads() const override { return m_params.mode == Mode::Fit; }

  Status apply(Window& window, Draw&) const override {
    const Result<int> width = window.fromImagePixels(m_params.width);
    if (!width) return width.error();
    const Result<int> height = window.fromImagePixels(m_params.height);
    if (!height) return height.error();
    const Size to{*width, *height};
    const Size from = window.size();
    const double acrossScale = static_cast<double>(to.width) / from.width;
    const double downScale = static_cast<double>(to.height) / from.height;
    if (m_params.mode == Mode::Squash)
      window.resize(to, m_params.filter, m_params.antialias);
    else if (isFree(m_params.mode))
      window.resize(freeSize(from, to, m_params.mode), m_params.filter, m_params.antialias);
    else if (m_params.mode == Mode::Fit)
      fit(window, to, std::min(acrossScale, downScale));
    else
      cover(window, to, std::max(acrossScale, downScale));
    return {};
  }

 private:
  void fit(Window& window, Size to, double scale) const {
    const Size from = window.size();
    const Size inside{std::min(to.width, rounded(from.width * scale)),
                      std::min(to.height, rounded(from.height * scale))};
    window.resize(inside, m_params.filter, m_params.antialias);
    if (inside == to) return;
    const int left = (to.width - inside.width) / 2;
    const int top = (to.height - inside.height) / 2;
    window.pad(left, top, to.width - inside.width - left, to.height - inside.height - top, m_fill);
  }

  void cover(Window& window, Size to, double scale) const {
    const Size from = window.size();
    const Size outside{std::max(to.width, rounded(from.width * scale)),
                       std::max(to.height, rounded(from.height * scale))};
    window.resize(outside, m_params.filter, m_params.antialias);
    window.crop(
        {(outside.width - to.width) / 2, (outside.height - to.height) / 2, to.width, to.height});
  }

  Params m_params;
  PadFill m_fill;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const bool fits = p.mode == Mode::Fit;
  const PictureNeed need = fits ? PictureNeed::Fillable : PictureNeed::U8OrF32;
  const std::vector<std::size_t> acted = geometryFields(in, p.fields);
  if (fits) checkFill(in, acted, p.fill, p.maskFill, context);
  if (!isFree(p.mode)) return resizedStream(in, p.fields, p.height, p.width, need, context);
  const FieldSpec* from = referenceField(in, acted);
  if (from == nullptr || !from->shape.known() || from->layout == Layout::Plain)
    return resizedStream(in, p.fields, Shape::kUnknown, Shape::kUnknown, need, context);
  const Size size = freeSize({static_cast<int>(from->width()), static_cast<int>(from->height())},
                             {static_cast<int>(p.width), static_cast<int>(p.height)}, p.mode);
  return resizedStream(in, p.fields, size.height, size.width, need, context);
}

void describeSize(Describe<Params>& d) {
  d.integer("height", &Params::height)
      .label("Height")
      .help("Height of the result, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.integer("width", &Params::width)
      .label("Width")
      .help("Width of the result, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.choice<Mode>(
       "mode", &Params::mode,
       {{Mode::Squash, "squash", "stretches both sides to the size"},
        {Mode::Fit, "fit", "keeps the aspect ratio, shows the whole picture and pads the rest"},
        {Mode::Cover, "cover", "keeps the aspect ratio, fills the size and cuts out the centre"},
        {Mode::AtLeast, "at_least",
         "keeps the aspect ratio and the whole picture; no side is shorter than the size, and "
         "pictures may differ in size, as with torchvision's Resize to one number"},
        {Mode::AtMost, "at_most",
         "keeps the aspect ratio and the whole picture; no side is longer than the size, and "
         "pictures may differ in size"}})
      .label("Mode")
      .help("What happens if the picture and the result have different aspect ratios.");
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  const std::string resampling = torchResampling(p.filter, p.antialias, text);
  if (p.mode == Mode::Squash && acted.size() == 1 && !hasMask(context.in, acted))
    return text.import("from torchvision.transforms import v2")
        .step(fmt::format("v2.Resize(({}, {}), {})", p.height, p.width, resampling),
              context.only(acted, {Role::Image, Role::Target, Role::Mask}));
  if (p.mode == Mode::AtLeast && p.height == p.width && acted.size() == 1 &&
      !hasMask(context.in, acted))
    return text.import("from torchvision.transforms import v2")
        .step(fmt::format("v2.Resize({}, {})", p.height, resampling),
              context.only(acted, {Role::Image, Role::Target, Role::Mask}));
  std::string rest;
  if (p.mode == Mode::Cover) rest = ", mode=\"cover\"";
  if (p.mode == Mode::AtLeast) rest = ", mode=\"at_least\"";
  if (p.mode == Mode::AtMost) rest = ", mode=\"at_most\"";
  if (p.mode == Mode::Fit) text.missing = floatsToFill(context, acted);
  if (p.mode == Mode::Fit)
    rest = fmt::format(", mode=\"fit\", fill={}, mask_fill={}",
                       torchColour(fillLevels(context.in, acted, p.fill)), torchColour(p.maskFill));
  return text.needs("resize_pictures")
      .step(fmt::format("ResizePictures({}, ({}, {}), {}{})", pythonTexts(context.names(acted)),
                        p.height, p.width, resampling, rest));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  constexpr std::array kFunctions = {"resize", "resize_to_fit", "resize_to_cover", "resize_freely",
                                     "resize_freely"};
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const std::string function = kFunctions.at(static_cast<std::size_t>(p.mode));
  std::string rest = resampling(p.filter, p.antialias);
  if (p.mode == Mode::Fit)
    rest +=
        fmt::format(", fill={}, mask_fill={}", pythonReals(fillLevels(context.in, acted, p.fill)),
                    pythonReals(p.maskFill));
  if (isFree(p.mode)) rest += p.mode == Mode::AtLeast ? ", at_least=True" : ", at_least=False";
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  if (p.mode == Mode::Fit) text.missing = floatsToFill(context, acted);
  return text.needs(function).step(fmt::format("{}(sample, {}, {}, {}, {})", function,
                                               fieldList(context, acted), p.height, p.width, rest));
}

ExportText shortTf(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.mode != Mode::Squash || p.filter == Filter::Nearest || !isOnePicture(context.in, acted))
    return longForm("it resizes several pictures, keeps their shape, or takes the nearest pixel");
  ExportText text;
  return resizeInTf(context.names(acted), p.height, p.width, p.filter, p.antialias, text);
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.mode != Mode::Squash || p.filter != Filter::Bilinear || !isOnePicture(context.in, acted))
    return longForm("it resizes several pictures, keeps their shape, or is not bilinear");
  ExportText text;
  return text.value(context.names(acted),
                    fmt::format("fn.resize({{}}, size=[{}, {}], antialias={})", p.height, p.width,
                                pythonBool(p.antialias)));
}

/// Pillow always weights as many pixels as the size needs.
ExportText grain(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context);
  if (!p.antialias && p.filter != Filter::Nearest)
    text.missing = "Pillow always resizes with antialiasing: set antialias to true.";
  return text;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const bool colour =
      isOnePicture(context.in, acted) && context.in.fields[acted.front()].channels() == 3;
  if (!colour || p.mode != Mode::Squash || (!p.antialias && p.filter != Filter::Nearest))
    return longForm("it resizes several pictures, keeps their shape, or not in colour");
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  return resizeInPillow(context.names(acted), p.height, p.width, p.filter, text);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("resize", Category::Geometry, NodeRole::Image);
  d.label("Resize").help(
      "Resizes all pictures, usually to one size. With `antialias` the result equals Pillow's and "
      "torchvision's antialias=True. In a pair the size is that of the image field, and the others "
      "follow by their ratio; masks use the nearest pixel.");
  d.example(R"({"height": 224, "width": 224, "mode": "cover"})");
  d.tags({"scale", "size", "letterbox", "thumbnail", "interpolate", "Resize"});
  describeSize(d);
  d.choice<Filter>("filter", &Params::filter,
                   {{Filter::Nearest, "nearest", "one pixel, hard edges"},
                    {Filter::Bilinear, "bilinear", "the usual choice"},
                    {Filter::Bicubic, "bicubic", "sharper, slower"}})
      .label("Filter")
      .help("Interpolation between pixels. Masks always use nearest.");
  d.boolean("antialias", &Params::antialias)
      .label("Antialias")
      .help(
          "Average over all pixels when shrinking. If off, only the nearest few are used, as is "
          "the default in OpenCV and tf.image; JPEG is then decoded at full scale.");
  d.reals("fill", &Params::fill)
      .usedWith("mode", {"fit"})
      .label("Fill")
      .help(
          "Colour of the padding: one value, or one per channel. 0 to 255 for pictures of bytes; "
          "on "
          "the scale of the values for f32.");
  describeMaskFill(d, &Params::maskFill).usedWith("mode", {"fit"});
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<Resize>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", grain);
  d.exporter("tfdata.short", shortTf);
  d.exporter("dali.short", shortDali);
  d.exporter("grain.short", shortGrain);
  return d.take();
}

}  // namespace millrace::nodes::resize
