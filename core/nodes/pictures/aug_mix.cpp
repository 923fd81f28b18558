// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/kernels/change/weighted_sum.h"
#include "core/node_parts/change_text.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/policy.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::aug_mix {

namespace {

struct Params {
  std::int64_t severity = 3;
  std::int64_t width = 3;
  std::int64_t depth = 0;
  double alpha = 1;
  bool allOps = true;
  Filter filter = Filter::Bilinear;
  RealList fill{0};
  TextList fields;
};

/// A picture that was changed, and its share of the mixture.
struct Chain {
  float share = 0;
  std::vector<PictureChange> changes;
};

/// The share of the unchanged picture and the chains, drawn like torchvision's AugMix. A Dirichlet
/// distribution is gamma variates divided by their sum.
float drawMixture(const Params& p, Draw& draw, Size image, std::vector<Chain>& chains) {
  constexpr std::int64_t kBins = 10;
  const double kept = draw.beta(p.alpha, p.alpha);
  std::vector<double> shares(chains.size());
  double sum = 0;
  for (double& share : shares) sum += share = draw.gamma(p.alpha);
  for (std::size_t i = 0; i < chains.size(); ++i) {
    chains[i].share = static_cast<float>(sum > 0 ? shares[i] / sum * (1 - kept) : 0);
    chains[i].changes.clear();
    const std::int64_t depth = p.depth > 0 ? p.depth : draw.integer(1, 3);
    for (std::int64_t k = 0; k < depth; ++k) {
      const std::int64_t bin = draw.integer(0, p.severity - 1);
      chains[i].changes.push_back(drawChange(augMixSpace(p.allOps), bin, kBins, image, draw));
    }
  }
  return static_cast<float>(sum > 0 ? kept : 1);
}

class AugMix final : public SampleOp {
 public:
  AugMix(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(colourFields(in, params.fields)),
        m_chains(static_cast<std::size_t>(params.width)) {
    m_rules.sampling.nearest = params.filter == Filter::Nearest;
    const PadFill fill = padFill(Border::Constant, params.fill, {});
    if (fill.colour != std::array<std::uint8_t, 4>{}) m_rules.sampling.fill = fill.colour;
  }

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (draw.centred() || m_fields.empty()) return {};
    const TensorView& first = sample[m_fields.front()];
    const Size image{static_cast<int>(first.width()), static_cast<int>(first.height())};
    const float kept = drawMixture(m_params, draw, image, m_chains);
    for (const std::size_t i : m_fields) {
      const MutableImageView picture = pixelsOf(sample.writable(i));
      if (picture.channels == 2)
        return Error{"the picture has 2 channels, but colours need 1, 3 or 4"};
      m_rules.scale = static_cast<double>(picture.width) / image.width;
      mix(picture, kept);
    }
    return {};
  }

 private:
  void mix(MutableImageView picture, float kept) {
    const auto count = static_cast<std::size_t>(picture.width) *
                       static_cast<std::size_t>(picture.height) *
                       static_cast<std::size_t>(picture.channels);
    m_sums.resize(std::max(m_sums.size(), count));
    m_changed.resize(std::max(m_changed.size(), count));
    std::fill_n(m_sums.begin(), count, 0.0F);
    addWeighted(picture.data, count, kept, m_sums.data());
    for (const Chain& chain : m_chains) {
      std::copy_n(picture.data, count, m_changed.begin());
      MutableImageView changed = picture;
      changed.data = m_changed.data();
      m_changer.run(changed, chain.changes, m_rules);
      addWeighted(m_changed.data(), count, chain.share, m_sums.data());
    }
    cutToBytes(m_sums.data(), count, picture.data);
  }

  Params m_params;
  std::vector<std::size_t> m_fields;
  std::vector<Chain> m_chains;
  ChangeRules m_rules;
  PictureChanger m_changer;
  std::vector<float> m_sums;
  std::vector<std::uint8_t> m_changed;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const std::vector<std::size_t> acted = colourFields(in, p.fields);
  checkColours(in, acted, context);
  checkFill(in, acted, p.fill, {0}, context);
  return inPlaceStream(in, acted, p.fields, true, context);
}

std::string transform(const Params& p) {
  return fmt::format("AugMix(severity={}, mixture_width={}, chain_depth={}, alpha={}, all_ops={}, ",
                     p.severity, p.width, p.depth > 0 ? p.depth : -1, pythonReal(p.alpha),
                     pythonBool(p.allOps));
}

void describeParams(Describe<Params>& d) {
  d.integer("severity", &Params::severity)
      .label("Severity")
      .help("The strongest magnitude that is drawn, of 10.")
      .range(1, 10)
      .live();
  d.integer("mixture_width", &Params::width)
      .label("Chains")
      .help("How many changed pictures are mixed.")
      .range(1, 16);
  d.integer("chain_depth", &Params::depth)
      .label("Depth")
      .help("Operations in each chain; 0 draws 1 to 3.")
      .range(0, 16)
      .live();
  d.real("alpha", &Params::alpha)
      .label("Alpha")
      .help("Of the distributions of the shares. 1: every share is as likely as another.")
      .range(0.01, 100)
      .live();
  d.boolean("all_ops", &Params::allOps)
      .label("All operations")
      .help("If off, brightness, colour, contrast and sharpness are left out.");
  describeSampling(d);
  d.fields(&Params::fields);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("aug_mix", Category::Colour, NodeRole::Sample);
  d.label("AugMix").help(
      "Mixes the picture with pictures that chains of random operations make of it, with "
      "operations, magnitudes and pixels of torchvision's AugMix. Image and target change alike; "
      "masks, boxes and keypoints stay, because the mixture shows every object in several places.");
  d.example(R"({"severity": 3, "mixture_width": 3})");
  d.cpuOnly();
  d.tags({"AugMix", "policy", "robustness", "augmentation"});
  describeParams(d);
  d.infer(infer);
  pictureOp<AugMix>(d, colourFields);
  policyExports(d, transform);
  return d.take();
}

}  // namespace millrace::nodes::aug_mix
