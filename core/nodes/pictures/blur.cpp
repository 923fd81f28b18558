// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/kernels/colour/blur.h"
#include "core/kernels/device/device_blur.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/picture_op.h"
#include "core/pass/device_fields.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::blur {

namespace {

struct Params {
  std::int64_t kernel = 5;
  double sigmaMin = 0.1;
  double sigmaMax = 2.0;
  double probability = 1.0;
  TextList fields;
};

/// The strength of a sample's blur, or nullopt if it is not blurred.
std::optional<double> drawSigma(const Params& params, Draw draw) {
  if (!draw.bernoulli(params.probability)) return std::nullopt;
  return draw.uniform(params.sigmaMin, params.sigmaMax);
}

class Blur final : public SampleOp {
 public:
  Blur(const Params& params, const StreamType& in)
      : m_params(params), m_fields(imageFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    const std::optional<double> sigma = drawSigma(m_params, context.draw(sample.key()));
    if (!sigma) return {};
    GaussianSpec spec;
    spec.size = {static_cast<int>(m_params.kernel), static_cast<int>(m_params.kernel)};
    spec.sigmaX = *sigma;
    spec.sigmaY = *sigma;
    for (const std::size_t i : m_fields) m_blur.run(pixelsOf(sample.writable(i)), spec);
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
  GaussianBlur m_blur;
};

/// The device side.
class BlurOnDevice final : public DeviceOp {
 public:
  BlurOnDevice(const Params& params, const StreamType& in)
      : m_params(params), m_fields(imageFields(in, params.fields)) {}

  std::size_t paramBytes(std::size_t rows) const override {
    return rows * (m_fields.size() * sizeof(DeviceBlurRow) + taps() * sizeof(float));
  }
  std::size_t scratchBytes(const Batch& in) const override {
    std::size_t most = 0;
    for (const std::size_t i : m_fields) {
      std::size_t elements = 0;
      for (std::size_t r = 0; r < in.rows; ++r) elements += in.fields[i].rows[r].bytes;
      most = std::max(most, elements);
    }
    return most * sizeof(float);
  }

  Status prepare(const DeviceWork& work) override {
    auto* const rows = reinterpret_cast<DeviceBlurRow*>(work.hostParams);
    auto* const weights = reinterpret_cast<float*>(rows + m_fields.size() * work.in.rows);
    m_largest.assign(m_fields.size(), Size{});
    std::vector<std::uint64_t> sums(m_fields.size(), 0);
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      const auto sigma = drawSigma(m_params, work.nodes.front().draw(work.in.keys[r]));
      if (sigma) gaussianWeights(static_cast<int>(m_params.kernel), *sigma, m_weights);
      if (sigma) std::copy(m_weights.begin(), m_weights.end(), weights + r * taps());
      for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const TensorView& picture = work.in.fields[m_fields[f]].rows[r];
        const Size size{static_cast<int>(picture.width()), static_cast<int>(picture.height())};
        rows[f * work.in.rows + r] = {deviceAddress(picture.data), sums[f], size.width, size.height,
                                      sigma ? 1 : 0};
        sums[f] += picture.bytes;
        m_largest[f] = {std::max(m_largest[f].width, size.width),
                        std::max(m_largest[f].height, size.height)};
      }
    }
    return {};
  }

  Status launch(Stream& stream, const DeviceWork& work) override {
    const auto* const rows = reinterpret_cast<const DeviceBlurRow*>(work.deviceParams);
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
      DeviceBlur blur;
      blur.rows = rows + f * work.in.rows;
      blur.weights = reinterpret_cast<const float*>(rows + m_fields.size() * work.in.rows);
      blur.scratch = reinterpret_cast<float*>(work.scratch);
      blur.rowCount = static_cast<int>(work.in.rows);
      blur.taps = static_cast<int>(m_params.kernel);
      blur.channels = static_cast<int>(work.in.fields[m_fields[f]].spec.channels());
      blur.width = m_largest[f].width;
      blur.height = m_largest[f].height;
      MILLRACE_TRY(launchBlur(stream, blur));
    }
    return {};
  }

 private:
  std::size_t taps() const { return static_cast<std::size_t>(m_params.kernel); }

  Params m_params;
  std::vector<std::size_t> m_fields;
  std::vector<float> m_weights;
  std::vector<Size> m_largest;  ///< for the current batch, between `prepare` and `launch`
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.kernel % 2 == 0)
    context.error("kernel", "the kernel must have an odd size, so that it has a centre",
                  "choose an odd number");
  if (p.sigmaMin > p.sigmaMax)
    context.error("sigma_min", "it is larger than sigma_max", "swap the two");
  const bool random = p.probability > 0 && (p.probability < 1 || p.sigmaMin < p.sigmaMax);
  return inPlaceStream(in, imageFields(in, p.fields), p.fields, random, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const double chance = context.chance(p.probability);
  const double middle = (p.sigmaMin + p.sigmaMax) / 2;
  ExportText text;
  if (chance == 0) return text;
  const double sigma[] = {context.noRandom ? middle : p.sigmaMin,
                          context.noRandom ? middle : p.sigmaMax};
  std::string code = fmt::format("v2.GaussianBlur({}, sigma={})", p.kernel, pythonReals(sigma));
  if (chance < 1) code = fmt::format("v2.RandomApply([{}], p={})", code, pythonReal(chance));
  text.limit("Blurred pictures differ by up to one level of 255, because of rounding.");
  return text.import("from torchvision.transforms import v2")
      .step(code, context.only(imageFields(context.in, p.fields), {Role::Image, Role::Target}));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.chance(p.probability) == 0) return text;
  const std::string draw = drawIn(context, text);
  return text.needs("random_blur")
      .step(fmt::format("random_blur(sample, {}, {}, kernel={}, sigma={}, probability={})",
                        fieldList(context, imageFields(context.in, p.fields)), draw, p.kernel,
                        realPair(p.sigmaMin, p.sigmaMax),
                        pythonReal(context.chance(p.probability))));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("blur", Category::Colour, NodeRole::Sample);
  d.label("Blur").help(
      "Applies a Gaussian blur of random strength. Only the image is blurred and a target stays "
      "sharp, so that a network can learn to undo it. The cost grows with the kernel size.");
  d.example(R"({"kernel": 5, "sigma_min": 0.1, "sigma_max": 2.0})");
  d.tags({"GaussianBlur", "smooth", "defocus", "deblurring", "degradation", "augmentation"});
  d.integer("kernel", &Params::kernel)
      .label("Kernel")
      .help(
          "Width of the kernel in pixels, an odd number. About six sigmas cover the whole "
          "Gaussian.")
      .range(1, 101)
      .unit("pixels");
  d.real("sigma_min", &Params::sigmaMin)
      .label("Weakest")
      .help("Minimum standard deviation.")
      .range(0.01, 50)
      .unit("pixels")
      .live();
  d.real("sigma_max", &Params::sigmaMax)
      .label("Strongest")
      .help("Maximum standard deviation.")
      .range(0.01, 50)
      .unit("pixels")
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are blurred.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<Blur>(d, imageFields);
  d.deviceOp([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<DeviceOp>> {
    MILLRACE_TRY(checkChannelsOnDevice(context.in, imageFields(context.in, p.fields)));
    return std::unique_ptr<DeviceOp>(std::make_unique<BlurOnDevice>(p, context.in));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  return d.take();
}

}  // namespace millrace::nodes::blur
