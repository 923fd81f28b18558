// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/crop_size.h"
#include "core/node_parts/short_text.h"
#include "core/node_parts/torch_text.h"
#include "core/pass/device_side.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::random_resized_crop {

namespace {

struct Params {
  std::int64_t height = 224;
  std::int64_t width = 224;
  double scaleMin = 0.08;
  double scaleMax = 1.0;
  double ratioMin = 3.0 / 4.0;
  double ratioMax = 4.0 / 3.0;
  Filter filter = Filter::Bilinear;
  bool antialias = true;
  TextList fields;
};

/// Rounds halves to even, like Python.
int rounded(double x) { return static_cast<int>(std::nearbyint(x)); }

/// torchvision's RandomResizedCrop.get_params (transforms.py, 0.2 and later).
class RandomResizedCrop final : public WindowStep {
 public:
  explicit RandomResizedCrop(const Params& params)
      : m_params(params),
        m_logRatioMin(std::log(params.ratioMin)),
        m_logRatioMax(std::log(params.ratioMax)) {}

  bool resizes() const override { return true; }

  Status apply(Window& window, Draw& draw) const override {
    const Result<Size> to = cropSize(window, m_params.height, m_params.width);
    if (!to) return to.error();
    window.crop(choose(window.size(), draw));
    window.resize(*to, m_params.filter, m_params.antialias);
    return {};
  }

 private:
  Rect choose(Size picture, Draw& draw) const {
    const double area = static_cast<double>(picture.width) * picture.height;
    for (int attempt = 0; attempt < 10; ++attempt) {
      const double wanted = area * draw.uniform(m_params.scaleMin, m_params.scaleMax);
      const double ratio = std::exp(draw.uniform(m_logRatioMin, m_logRatioMax));
      const int width = rounded(std::sqrt(wanted * ratio));
      const int height = rounded(std::sqrt(wanted / ratio));
      if (width <= 0 || height <= 0 || width > picture.width || height > picture.height) continue;
      const auto y = static_cast<int>(draw.integer(0, picture.height - height));
      const auto x = static_cast<int>(draw.integer(0, picture.width - width));
      return {x, y, width, height};
    }
    return centre(picture);
  }

  Rect centre(Size picture) const {
    const double ratio = static_cast<double>(picture.width) / picture.height;
    Size size = picture;
    if (ratio < m_params.ratioMin)
      size.height = std::clamp(rounded(picture.width / m_params.ratioMin), 1, picture.height);
    else if (ratio > m_params.ratioMax)
      size.width = std::clamp(rounded(picture.height * m_params.ratioMax), 1, picture.width);
    return {(picture.width - size.width) / 2, (picture.height - size.height) / 2, size.width,
            size.height};
  }

  Params m_params;
  double m_logRatioMin;
  double m_logRatioMax;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.scaleMin > p.scaleMax)
    context.error("scale_min", "it is larger than scale_max", "swap the two");
  if (p.ratioMin > p.ratioMax)
    context.error("ratio_min", "it is larger than ratio_max", "swap the two");
  StreamType out = resizedStream(in, p.fields, p.height, p.width, PictureNeed::U8OrF32, context);
  out.randomFrom = context.node();
  return out;
}

void describeDraws(Describe<Params>& d) {
  d.real("scale_min", &Params::scaleMin)
      .label("Smallest area")
      .help("Minimum area of the part, as a fraction of the picture's area.")
      .range(0.0001, 1)
      .live();
  d.real("scale_max", &Params::scaleMax)
      .label("Largest area")
      .help("Maximum area of the part, as a fraction of the picture's area.")
      .range(0.0001, 1)
      .live();
  d.real("ratio_min", &Params::ratioMin)
      .label("Narrowest")
      .help("Minimum width divided by height.")
      .range(0.01, 100)
      .live();
  d.real("ratio_max", &Params::ratioMax)
      .label("Widest")
      .help("Maximum width divided by height.")
      .range(0.01, 100)
      .live();
}

void describeFilter(Describe<Params>& d) {
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
          "the "
          "default in OpenCV and tf.image; JPEG is then decoded at full scale.");
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  text.import("from torchvision.transforms import v2");
  const Params usual;
  const bool isOne = acted.size() == 1 && !context.noRandom;
  std::string rest = fmt::format("({}, {})", p.height, p.width);
  // torchvision has the same defaults.
  if (!isOne || p.scaleMin != usual.scaleMin || p.scaleMax != usual.scaleMax)
    rest += ", scale=" + realPair(p.scaleMin, p.scaleMax);
  if (!isOne || p.ratioMin != usual.ratioMin || p.ratioMax != usual.ratioMax)
    rest += ", ratio=" + realPair(p.ratioMin, p.ratioMax);
  rest += ", " + torchResampling(p.filter, p.antialias, text);
  if (isOne)
    return text.step("v2.RandomResizedCrop(" + rest + ")",
                     context.only(acted, {Role::Image, Role::Target, Role::Mask}));
  return text.needs("resized_crop")
      .step(fmt::format("ResizedCrop({}, {}{})", pythonTexts(context.names(acted)), rest,
                        context.noRandom ? ", random=False" : ""));
}

ExportText arrays(const Params& p, const ExportContext& context, const char* definition) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  const std::string draw = drawIn(context, text);
  return text.needs(definition)
      .step(fmt::format("random_resized_crop(sample, {}, {}, {}, {}, scale={}, ratio={}, {})",
                        fieldList(context, acted), draw, p.height, p.width,
                        realPair(p.scaleMin, p.scaleMax), realPair(p.ratioMin, p.ratioMax),
                        resampling(p.filter, p.antialias)));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  return arrays(p, context, "random_resized_crop");
}

ExportText dali(const Params& p, const ExportContext& context) {
  return arrays(p, context,
                context.noRandom ? "random_resized_crop_centred" : "random_resized_crop");
}

/// The short form in tf.data, of one picture. `encoded`: only the part of the JPEG file is decoded.
ExportText shortTf(const Params& p, const ExportContext& context, bool encoded) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.filter == Filter::Nearest || !isOnePicture(context.in, acted))
    return longForm("it crops several pictures, or no bytes, or takes the nearest pixel");
  const std::int64_t channels = context.in.fields[acted.front()].channels();
  const TextList names = context.names(acted);
  ExportText text;
  if (encoded) text.needs("decoded_window");
  text.needs(context.noRandom ? "centre_window" : "random_window")
      .step(fmt::format("shape = {}(sample[{}])", encoded ? "tf.io.extract_jpeg_shape" : "tf.shape",
                        pythonText(names.front())),
            names)
      .local(fmt::format("window = random_window(shape, {}, {}, {})", drawText(context.node),
                         realPair(p.scaleMin, p.scaleMax), realPair(p.ratioMin, p.ratioMax)));
  text.value(names, encoded
                        ? fmt::format("decoded_window({{}}, shape, window, {})", channels)
                        : std::string("tf.image.crop_to_bounding_box({}, *tf.unstack(window))"));
  return resizeInTf(names, p.height, p.width, p.filter, p.antialias, text);
}

/// In DALI: the crop is part of the decoder.
ExportText decodingInDali(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const bool colour = acted.size() == 1 && context.in.fields[acted.front()].channels() == 3;
  if (!colour || p.filter != Filter::Bilinear)
    return longForm("it crops several pictures, or is not bilinear");
  const TextList names = context.names(acted);
  const std::string scale = realPair(p.scaleMin, p.scaleMax);
  const std::string ratio = realPair(p.ratioMin, p.ratioMax);
  ExportText text;
  if (context.noRandom)
    text.needs("centre_part")
        .value(names, "fn.decoders.image({}, device=DECODER, jpeg_fancy_upsampling=True)")
        .value(names, fmt::format("centre_part({{}}, {}, {})", scale, ratio));
  else
    text.value(names, fmt::format("fn.decoders.image_random_crop({{}}, device=DECODER, "
                                  "random_area={}, random_aspect_ratio={}, "
                                  "jpeg_fancy_upsampling=True)",
                                  scale, ratio));
  return text.value(names, fmt::format("fn.resize({{}}, size=[{}, {}], antialias={})", p.height,
                                       p.width, pythonBool(p.antialias)));
}

/// Pillow always weights as many pixels as the size needs.
ExportText grain(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context, "random_resized_crop");
  if (!p.antialias && p.filter != Filter::Nearest)
    text.missing = "Pillow always resizes with antialiasing: set antialias to true.";
  return text;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const bool colour =
      isOnePicture(context.in, acted) && context.in.fields[acted.front()].channels() == 3;
  if (!colour || (!p.antialias && p.filter != Filter::Nearest))
    return longForm("it crops several pictures, or not in colour");
  const TextList names = context.names(acted);
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  const std::string shape = fmt::format("sample[{}].shape", pythonText(names.front()));
  const std::string rest =
      fmt::format("{}, {}", realPair(p.scaleMin, p.scaleMax), realPair(p.ratioMin, p.ratioMax));
  if (context.noRandom)
    text.needs("centre_window")
        .step(fmt::format("rows, columns = centre_window({}, {})", shape, rest));
  else
    text.needs("random_window")
        .step(fmt::format("rows, columns = random_window({}, {}, {})", shape,
                          drawText(context.node), rest));
  text.value(names, "{}[rows, columns]");
  return resizeInPillow(names, p.height, p.width, p.filter, text);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("random_resized_crop", Category::Geometry, NodeRole::Image);
  d.label("Random resized crop")
      .help(
          "Cuts out a part with random area, shape and position and resizes it, as is usual for "
          "ImageNet training. The draws follow torchvision (ten attempts, then the centre). "
          "Directly after decode, only the rows and columns of the part are decoded.");
  d.example(R"({"height": 224, "width": 224, "scale_min": 0.08})");
  d.tags({"RandomResizedCrop", "inception crop", "imagenet", "augmentation"});
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
  describeDraws(d);
  describeFilter(d);
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<RandomResizedCrop>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", grain);
  d.exporter("tfdata.short", [](const Params& p, const ExportContext& context) {
    return shortTf(p, context, false);
  });
  d.exporter("tfdata.decoding", [](const Params& p, const ExportContext& context) {
    return shortTf(p, context, true);
  });
  d.exporter("grain.short", shortGrain);
  d.exporter("dali.decoding", decodingInDali);
  return d.take();
}

}  // namespace millrace::nodes::random_resized_crop
