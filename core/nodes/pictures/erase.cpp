// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/kernels/device/device_erase.h"
#include "core/kernels/erase.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/torch_text.h"
#include "core/pass/device_fields.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::erase {

namespace {

enum class Filling : std::uint8_t { Colour, Noise };

struct Params {
  double probability = 0.5;
  double scaleMin = 0.02;
  double scaleMax = 0.33;
  double ratioMin = 0.3;
  double ratioMax = 3.3;
  Filling filling = Filling::Colour;
  RealList value{124, 116, 104};
  TextList fields;
};

/// torchvision's RandomErasing.get_params: after ten attempts the picture stays unchanged.
std::optional<Rect> chooseRect(const Params& params, int width, int height, Draw& draw) {
  const double area = static_cast<double>(width) * height;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double wanted = area * draw.uniform(params.scaleMin, params.scaleMax);
    const double ratio =
        std::exp(draw.uniform(std::log(params.ratioMin), std::log(params.ratioMax)));
    const auto h = static_cast<int>(std::nearbyint(std::sqrt(wanted * ratio)));
    const auto w = static_cast<int>(std::nearbyint(std::sqrt(wanted / ratio)));
    if (h < 1 || w < 1 || h >= height || w >= width) continue;
    const auto y = static_cast<int>(draw.integer(0, height - h));
    const auto x = static_cast<int>(draw.integer(0, width - w));
    return Rect{x, y, w, h};
  }
  return std::nullopt;
}

class Erase final : public SampleOp {
 public:
  Erase(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(imageFields(in, params.fields)),
        m_colour(padFill(Border::Constant, params.value, {}).colour) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability)) return {};
    for (const std::size_t i : m_fields) {
      const MutableImageView image = pixelsOf(sample.writable(i));
      const std::optional<Rect> rect = chooseRect(m_params, image.width, image.height, draw);
      if (!rect) continue;
      if (m_params.filling == Filling::Noise)
        eraseWithNoise(image, *rect, draw);
      else
        eraseWithColour(image, *rect, m_colour);
    }
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
  std::array<std::uint8_t, 4> m_colour;
};

/// The device side, with a colour.
class EraseOnDevice final : public DeviceOp {
 public:
  EraseOnDevice(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(imageFields(in, params.fields)),
        m_colour(padFill(Border::Constant, params.value, {}).colour) {}

  std::size_t paramBytes(std::size_t rows) const override {
    return rows * m_fields.size() * sizeof(DeviceEraseRow);
  }

  Status prepare(const DeviceWork& work) override {
    auto* const rows = reinterpret_cast<DeviceEraseRow*>(work.hostParams);
    m_largest.assign(m_fields.size(), Size{});
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      Draw draw = work.nodes.front().draw(work.in.keys[r]);
      const bool erased = draw.bernoulli(m_params.probability);
      for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const TensorView& picture = work.in.fields[m_fields[f]].rows[r];
        const auto width = static_cast<int>(picture.width());
        const auto height = static_cast<int>(picture.height());
        Rect rect;
        if (erased) rect = chooseRect(m_params, width, height, draw).value_or(Rect{});
        rows[f * work.in.rows + r] = {deviceAddress(picture.data), width, rect};
        m_largest[f] = {std::max(m_largest[f].width, rect.width),
                        std::max(m_largest[f].height, rect.height)};
      }
    }
    return {};
  }

  Status launch(Stream& stream, const DeviceWork& work) override {
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
      DeviceErase erase;
      erase.rows = reinterpret_cast<const DeviceEraseRow*>(work.deviceParams) + f * work.in.rows;
      erase.rowCount = static_cast<int>(work.in.rows);
      erase.channels = static_cast<int>(work.in.fields[m_fields[f]].spec.channels());
      erase.largest = m_largest[f];
      std::copy(m_colour.begin(), m_colour.end(), erase.colour);
      MILLRACE_TRY(launchErase(stream, erase));
    }
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
  std::array<std::uint8_t, 4> m_colour;
  std::vector<Size> m_largest;  ///< for the current batch, between `prepare` and `launch`
};

Result<std::unique_ptr<DeviceOp>> eraseOnDevice(const Params& p, const BuildContext& context) {
  MILLRACE_TRY(checkChannelsOnDevice(context.in, imageFields(context.in, p.fields)));
  if (p.filling == Filling::Noise)
    return Error{
        "noise can only be drawn on the CPU; set fill to colour, or move this node before the "
        "transfer"};
  return std::unique_ptr<DeviceOp>(std::make_unique<EraseOnDevice>(p, context.in));
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.scaleMin > p.scaleMax)
    context.error("scale_min", "it is larger than scale_max", "swap the two");
  if (p.ratioMin > p.ratioMax)
    context.error("ratio_min", "it is larger than ratio_max", "swap the two");
  const std::vector<std::size_t> acted = imageFields(in, p.fields);
  checkChannels(in, acted, p.value, "value", context);
  return inPlaceStream(in, acted, p.fields, p.probability > 0, context);
}

void describeRectangle(Describe<Params>& d) {
  d.real("scale_min", &Params::scaleMin)
      .label("Smallest area")
      .help("Minimum fraction of the picture's area that is erased.")
      .range(0.0001, 1)
      .live();
  d.real("scale_max", &Params::scaleMax)
      .label("Largest area")
      .help("Maximum fraction of the picture's area that is erased.")
      .range(0.0001, 1)
      .live();
  d.real("ratio_min", &Params::ratioMin)
      .label("Flattest")
      .help("Minimum height divided by width.")
      .range(0.01, 100)
      .live();
  d.real("ratio_max", &Params::ratioMax)
      .label("Tallest")
      .help("Maximum height divided by width.")
      .range(0.01, 100)
      .live();
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = imageFields(context.in, p.fields);
  const double chance = context.chance(p.probability);
  ExportText text;
  if (chance == 0) return text;
  const double scale[] = {p.scaleMin, p.scaleMax};
  const double ratio[] = {p.ratioMin, p.ratioMax};
  return text.needs("erase").step(
      fmt::format("Erase({}, p={}, scale={}, ratio={}, value={}{})",
                  pythonTexts(context.names(acted)), pythonReal(chance), pythonReals(scale),
                  pythonReals(ratio), p.filling == Filling::Noise ? "None" : torchColour(p.value),
                  context.noRandom ? ", random=False" : ""));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.chance(p.probability) == 0) return text;
  const std::string draw = drawIn(context, text);
  return text.needs("random_erase")
      .step(fmt::format("random_erase(sample, {}, {}, scale={}, ratio={}, probability={}, fill={})",
                        fieldList(context, imageFields(context.in, p.fields)), draw,
                        realPair(p.scaleMin, p.scaleMax), realPair(p.ratioMin, p.ratioMax),
                        pythonReal(context.chance(p.probability)),
                        p.filling == Filling::Noise ? "None" : pythonReals(p.value)));
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context);
  if (p.filling == Filling::Noise)
    text.missing = "DALI cannot fill a rectangle with noise; set fill to colour.";
  if (!text.steps.empty())
    text.limit(
        "A rectangle that does not fit is not drawn again, so a few more samples than with "
        "Millrace stay unchanged.");
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("erase", Category::Colour, NodeRole::Sample);
  d.label("Erase").help(
      "Covers a random rectangle of the picture, so that a network learns from more than one spot "
      "(RandomErasing, Zhong et al. 2017). Only the image is changed; an unchanged target can be "
      "used to train inpainting.");
  d.example(R"({"probability": 0.5, "scale_max": 0.33})");
  d.tags({"RandomErasing", "cutout", "coarse dropout", "occlusion", "inpainting", "augmentation"});
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples in which a rectangle is erased.")
      .range(0, 1)
      .live();
  describeRectangle(d);
  d.choice<Filling>("fill", &Params::filling,
                    {{Filling::Colour, "colour", "one colour"},
                     {Filling::Noise, "noise", "a random colour per pixel"}})
      .label("Filling")
      .help("Content of the rectangle.");
  d.reals("value", &Params::value)
      .usedWith("fill", {"colour"})
      .label("Colour")
      .help(
          "0 to 255: one value, or one per channel. The default is the ImageNet mean, which "
          "normalise maps to 0.")
      .range(0, 255);
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<Erase>(d, imageFields);
  d.deviceOp(eraseOnDevice);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("grain", arrays);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::erase
