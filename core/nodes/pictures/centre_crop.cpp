// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/fixed_crop.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::centre_crop {

namespace {

enum class Rounding : std::uint8_t { Floor, Even };

struct Params : FixedCrop {
  Rounding rounding = Rounding::Floor;
};

/// The margin on the left or at the top, of all pixels that are cut off.
int margin(int rest, Rounding rounding) {
  const bool up = rounding == Rounding::Even && rest % 4 == 3;  // 1.5 becomes 2, and 0.5 becomes 0
  return rest / 2 + (up ? 1 : 0);
}

class CentreCrop final : public WindowStep {
 public:
  explicit CentreCrop(const Params& crop) : m_crop(crop), m_border(crop.border()) {}

  bool pads() const override { return m_crop.pad; }

  Status apply(Window& window, Draw&) const override {
    const Result<Size> size = fitWindow(m_crop, m_border, window);
    if (!size) return size.error();
    const Size seen = window.size();
    const int x = margin(seen.width - size->width, m_crop.rounding);
    const int y = margin(seen.height - size->height, m_crop.rounding);
    window.crop({x, y, size->width, size->height});
    return {};
  }

 private:
  Params m_crop;
  PadFill m_border;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.pad) checkFill(in, geometryFields(in, p.fields), p.fill, p.maskFill, context);
  return croppedStream(in, p.fields, p.height, p.width, p.pad, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  const std::string size = fmt::format("({}, {})", p.height, p.width);
  const std::string fields = pythonTexts(context.names(acted));
  if (p.pad) text.missing = floatsToFill(context, acted);
  torchPadStep(p, fillLevels(context.in, acted, p.fill), fields, text);
  return text.needs("crop").step(
      fmt::format("Crop({}, {}, at=\"{}\")", fields, size,
                  p.rounding == Rounding::Even ? "even_centre" : "centre"));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const std::string fields = fieldList(context, acted);
  ExportText text;
  text.missing = p.pad ? floatsToFill(context, acted) : planesInTheWay(context, acted);
  arrayPadStep(p, fillLevels(context.in, acted, p.fill), fields, text);
  return text.needs("centre_crop")
      .step(fmt::format("centre_crop(sample, {}, {}, {}{})", fields, p.height, p.width,
                        p.rounding == Rounding::Even ? ", even=True" : ""));
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.pad || p.rounding == Rounding::Even || !isOnePicture(context.in, acted))
    return longForm("it pads, rounds to even margins, or crops several pictures");
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  return text.value(
      context.names(acted),
      fmt::format("fn.crop({{}}, crop=[{}, {}], rounding=\"truncate\")", p.height, p.width));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("centre_crop", Category::Geometry, NodeRole::Image);
  d.label("Centre crop")
      .help(
          "Cuts the centre out of every picture, as is usual for validation. With `pad`, pictures "
          "that are too small get a border, like tf.image.resize_with_crop_or_pad.");
  d.example(R"({"height": 224, "width": 224})");
  d.tags({"center", "CenterCrop", "crop or pad", "validation"});
  describeFixedCrop(d);
  d.choice<Rounding>("rounding", &Params::rounding,
                     {{Rounding::Floor, "floor", "down, as Albumentations does"},
                      {Rounding::Even, "even", "to the even number, as torchvision does"}})
      .label("Rounding")
      .help("How the left and the upper margin are rounded if an odd number of pixels is cut off.");
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<CentreCrop>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  d.exporter("dali.short", shortDali);
  return d.take();
}

}  // namespace millrace::nodes::centre_crop
