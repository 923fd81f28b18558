// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "core/node_parts/degradation.h"
#include "core/node_parts/degradation_text.h"

namespace millrace::nodes::jpeg_artefacts {

namespace {

struct Params : DegradationParams {
  std::int64_t qualityMin = 50;
  std::int64_t qualityMax = 95;
};

class Work {
 public:
  explicit Work(const Params& params) : m_params(params) {}

  Status run(MutableImageView picture, Draw& draw) {
    if (picture.channels != 1 && picture.channels != 3)
      return Error{
          fmt::format("the picture has {} channels, but a JPEG file has 1 or 3", picture.channels)};
    JpegSettings settings;
    settings.quality = static_cast<int>(draw.integer(m_params.qualityMin, m_params.qualityMax));
    MILLRACE_ASSIGN_OR_RETURN(const auto file, encodeJpeg(readOnly(picture), settings));
    MILLRACE_TRY(m_decoder.open(file));
    DecodeRequest request;
    request.form = picture.channels == 1 ? PixelForm::Grey : PixelForm::Rgb;
    MILLRACE_ASSIGN_OR_RETURN(const DecodedImage decoded, m_decoder.decode(request));
    for (int y = 0; y < picture.height; ++y)
      std::copy_n(decoded.pixels.row(y), picture.width * picture.channels, picture.row(y));
    return {};
  }

 private:
  Params m_params;
  ImageDecoder m_decoder;
};

void check(const Params& p, const StreamType& in, InferContext& context) {
  if (p.qualityMin > p.qualityMax)
    context.error("quality_min", "it is larger than quality_max", "swap the two");
  for (const std::size_t i : imageFields(in, p.fields))
    if (const std::int64_t channels = in.fields[i].channels(); channels == 2 || channels == 4)
      context.error("",
                    fmt::format("field `{}` has {} channels, but a JPEG file has 1 or 3",
                                in.fields[i].name, channels),
                    "keep 1 or 3 channels");
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::int64_t middle = (p.qualityMin + p.qualityMax) / 2;
  return randomly(fmt::format("v2.JPEG(quality=({}, {}))", context.noRandom ? middle : p.qualityMin,
                              context.noRandom ? middle : p.qualityMax),
                  p.probability, imageFields(context.in, p.fields), context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("jpeg_artefacts", Category::Colour, NodeRole::Sample);
  d.label("JPEG artefacts")
      .help(
          "Writes the image as a JPEG file of random quality and reads it again, like "
          "torchvision's JPEG: blocks and lost colours appear. A target stays clean, so that a "
          "network can learn to undo it. About as expensive as decoding.");
  d.example(R"({"quality_min": 20, "quality_max": 80})");
  d.cpuOnly();
  d.tags({"JPEG", "ImageCompression", "compression", "degradation", "augmentation"});
  d.integer("quality_min", &Params::qualityMin)
      .label("Worst")
      .help("Lowest quality, on libjpeg's scale from 1 to 100.")
      .range(1, 100)
      .live();
  d.integer("quality_max", &Params::qualityMax)
      .label("Best")
      .help("Highest quality.")
      .range(1, 100)
      .live();
  degradationNode<Work>(d, check);
  d.exporter("pytorch", pytorch);
  d.exporters({"tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::jpeg_artefacts
