// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "core/kernels/change/noise.h"
#include "core/node_parts/degradation.h"
#include "core/node_parts/degradation_text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::noise {

namespace {

enum class Distribution : std::uint8_t { Gaussian, SaltAndPepper };

struct Params : DegradationParams {
  Distribution distribution = Distribution::Gaussian;
  double mean = 0;
  double sigmaMin = 0.02;
  double sigmaMax = 0.1;
  double amountMin = 0.01;
  double amountMax = 0.06;
  double salt = 0.5;
};

class Work {
 public:
  explicit Work(const Params& params) : m_params(params) {}
  Status run(MutableImageView picture, Draw& draw) const {
    if (m_params.distribution == Distribution::Gaussian)
      addGaussianNoise(picture, m_params.mean, draw.uniform(m_params.sigmaMin, m_params.sigmaMax),
                       draw);
    else
      addSaltAndPepper(picture, draw.uniform(m_params.amountMin, m_params.amountMax), m_params.salt,
                       draw);
    return {};
  }

 private:
  Params m_params;
};

void check(const Params& p, const StreamType&, InferContext& context) {
  if (p.sigmaMin > p.sigmaMax)
    context.error("sigma_min", "it is larger than sigma_max", "swap the two");
  if (p.amountMin > p.amountMax)
    context.error("amount_min", "it is larger than amount_max", "swap the two");
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  if (p.distribution != Distribution::Gaussian)
    return onlyEngine("torchvision has no salt and pepper noise");
  // Without the rounding of a sum in binary: 0.06, not 0.060000000000000005.
  const double middle = std::round((p.sigmaMin + p.sigmaMax) / 2 * 1e9) / 1e9;
  ExportText text = randomly(
      fmt::format("v2.GaussianNoise(mean={}, sigma={})", pythonReal(p.mean), pythonReal(middle)),
      p.probability, imageFields(context.in, p.fields), context);
  if (p.sigmaMin < p.sigmaMax)
    text.limit("The strength of noise is the middle of its range: torchvision does not draw it.");
  return text;
}

void describeParams(Describe<Params>& d) {
  d.choice<Distribution>(
       "distribution", &Params::distribution,
       {{Distribution::Gaussian, "gaussian", "added to every value; of sensors in little light"},
        {Distribution::SaltAndPepper, "salt_and_pepper", "some pixels become white or black"}})
      .label("Distribution")
      .help("What kind of noise.");
  d.real("mean", &Params::mean)
      .label("Mean")
      .help("Mean of the noise, where white is 1.")
      .range(-1, 1)
      .usedWith("distribution", {"gaussian"})
      .live();
  d.real("sigma_min", &Params::sigmaMin)
      .label("Weakest")
      .help("Smallest standard deviation, where white is 1.")
      .range(0, 1)
      .usedWith("distribution", {"gaussian"})
      .live();
  d.real("sigma_max", &Params::sigmaMax)
      .label("Strongest")
      .help("Largest standard deviation, where white is 1.")
      .range(0, 1)
      .usedWith("distribution", {"gaussian"})
      .live();
  d.real("amount_min", &Params::amountMin)
      .label("Fewest")
      .help("Smallest fraction of the pixels that become white or black.")
      .range(0, 1)
      .usedWith("distribution", {"salt_and_pepper"})
      .live();
  d.real("amount_max", &Params::amountMax)
      .label("Most")
      .help("Largest fraction of the pixels that become white or black.")
      .range(0, 1)
      .usedWith("distribution", {"salt_and_pepper"})
      .live();
  d.real("salt", &Params::salt)
      .label("Salt")
      .help("Fraction of those pixels that become white.")
      .range(0, 1)
      .usedWith("distribution", {"salt_and_pepper"})
      .live();
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("noise", Category::Colour, NodeRole::Sample);
  d.label("Noise").help(
      "Adds noise of random strength, like torchvision's GaussianNoise on bytes or Albumentations' "
      "SaltAndPepper. Only the image gets it and a target stays clean, so that a network can learn "
      "to remove it.");
  d.example(R"({"sigma_min": 0.02, "sigma_max": 0.1})");
  d.cpuOnly();
  d.tags(
      {"GaussianNoise", "GaussNoise", "SaltAndPepper", "denoising", "degradation", "augmentation"});
  describeParams(d);
  degradationNode<Work>(d, check);
  d.exporter("pytorch", pytorch);
  d.exporters({"tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::noise
