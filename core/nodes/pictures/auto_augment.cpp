// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/node_parts/change_text.h"
#include "core/node_parts/policy.h"

namespace millrace::nodes::auto_augment {

namespace {

enum class Learned : std::uint8_t { ImageNet, Cifar10, Svhn };

struct Params : PolicyParams {
  Learned policy = Learned::ImageNet;
};

/// An operation, how often it is applied, and its magnitude of 10.
struct Step {
  ChangeKind kind;
  double probability;
  std::int64_t bin;
};
using Policy = std::array<std::array<Step, 2>, 25>;

// The tables of transforms/v2/_auto_augment.py in torchvision 0.29, after Cubuk et al.,
// "AutoAugment: Learning Augmentation Strategies from Data", 2019.
constexpr Policy kImageNet = {{
    {{{ChangeKind::Posterize, 0.4, 8}, {ChangeKind::Rotate, 0.6, 9}}},
    {{{ChangeKind::Solarize, 0.6, 5}, {ChangeKind::AutoContrast, 0.6, 0}}},
    {{{ChangeKind::Equalize, 0.8, 0}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Posterize, 0.6, 7}, {ChangeKind::Posterize, 0.6, 6}}},
    {{{ChangeKind::Equalize, 0.4, 0}, {ChangeKind::Solarize, 0.2, 4}}},
    {{{ChangeKind::Equalize, 0.4, 0}, {ChangeKind::Rotate, 0.8, 8}}},
    {{{ChangeKind::Solarize, 0.6, 3}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Posterize, 0.8, 5}, {ChangeKind::Equalize, 1.0, 0}}},
    {{{ChangeKind::Rotate, 0.2, 3}, {ChangeKind::Solarize, 0.6, 8}}},
    {{{ChangeKind::Equalize, 0.6, 0}, {ChangeKind::Posterize, 0.4, 6}}},
    {{{ChangeKind::Rotate, 0.8, 8}, {ChangeKind::Saturation, 0.4, 0}}},
    {{{ChangeKind::Rotate, 0.4, 9}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Equalize, 0.0, 0}, {ChangeKind::Equalize, 0.8, 0}}},
    {{{ChangeKind::Invert, 0.6, 0}, {ChangeKind::Equalize, 1.0, 0}}},
    {{{ChangeKind::Saturation, 0.6, 4}, {ChangeKind::Contrast, 1.0, 8}}},
    {{{ChangeKind::Rotate, 0.8, 8}, {ChangeKind::Saturation, 1.0, 2}}},
    {{{ChangeKind::Saturation, 0.8, 8}, {ChangeKind::Solarize, 0.8, 7}}},
    {{{ChangeKind::Sharpness, 0.4, 7}, {ChangeKind::Invert, 0.6, 0}}},
    {{{ChangeKind::ShearX, 0.6, 5}, {ChangeKind::Equalize, 1.0, 0}}},
    {{{ChangeKind::Saturation, 0.4, 0}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Equalize, 0.4, 0}, {ChangeKind::Solarize, 0.2, 4}}},
    {{{ChangeKind::Solarize, 0.6, 5}, {ChangeKind::AutoContrast, 0.6, 0}}},
    {{{ChangeKind::Invert, 0.6, 0}, {ChangeKind::Equalize, 1.0, 0}}},
    {{{ChangeKind::Saturation, 0.6, 4}, {ChangeKind::Contrast, 1.0, 8}}},
    {{{ChangeKind::Equalize, 0.8, 0}, {ChangeKind::Equalize, 0.6, 0}}},
}};

constexpr Policy kCifar10 = {{
    {{{ChangeKind::Invert, 0.1, 0}, {ChangeKind::Contrast, 0.2, 6}}},
    {{{ChangeKind::Rotate, 0.7, 2}, {ChangeKind::TranslateX, 0.3, 9}}},
    {{{ChangeKind::Sharpness, 0.8, 1}, {ChangeKind::Sharpness, 0.9, 3}}},
    {{{ChangeKind::ShearY, 0.5, 8}, {ChangeKind::TranslateY, 0.7, 9}}},
    {{{ChangeKind::AutoContrast, 0.5, 0}, {ChangeKind::Equalize, 0.9, 0}}},
    {{{ChangeKind::ShearY, 0.2, 7}, {ChangeKind::Posterize, 0.3, 7}}},
    {{{ChangeKind::Saturation, 0.4, 3}, {ChangeKind::Brightness, 0.6, 7}}},
    {{{ChangeKind::Sharpness, 0.3, 9}, {ChangeKind::Brightness, 0.7, 9}}},
    {{{ChangeKind::Equalize, 0.6, 0}, {ChangeKind::Equalize, 0.5, 0}}},
    {{{ChangeKind::Contrast, 0.6, 7}, {ChangeKind::Sharpness, 0.6, 5}}},
    {{{ChangeKind::Saturation, 0.7, 7}, {ChangeKind::TranslateX, 0.5, 8}}},
    {{{ChangeKind::Equalize, 0.3, 0}, {ChangeKind::AutoContrast, 0.4, 0}}},
    {{{ChangeKind::TranslateY, 0.4, 3}, {ChangeKind::Sharpness, 0.2, 6}}},
    {{{ChangeKind::Brightness, 0.9, 6}, {ChangeKind::Saturation, 0.2, 8}}},
    {{{ChangeKind::Solarize, 0.5, 2}, {ChangeKind::Invert, 0.0, 0}}},
    {{{ChangeKind::Equalize, 0.2, 0}, {ChangeKind::AutoContrast, 0.6, 0}}},
    {{{ChangeKind::Equalize, 0.2, 0}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Saturation, 0.9, 9}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::AutoContrast, 0.8, 0}, {ChangeKind::Solarize, 0.2, 8}}},
    {{{ChangeKind::Brightness, 0.1, 3}, {ChangeKind::Saturation, 0.7, 0}}},
    {{{ChangeKind::Solarize, 0.4, 5}, {ChangeKind::AutoContrast, 0.9, 0}}},
    {{{ChangeKind::TranslateY, 0.9, 9}, {ChangeKind::TranslateY, 0.7, 9}}},
    {{{ChangeKind::AutoContrast, 0.9, 0}, {ChangeKind::Solarize, 0.8, 3}}},
    {{{ChangeKind::Equalize, 0.8, 0}, {ChangeKind::Invert, 0.1, 0}}},
    {{{ChangeKind::TranslateY, 0.7, 9}, {ChangeKind::AutoContrast, 0.9, 0}}},
}};

constexpr Policy kSvhn = {{
    {{{ChangeKind::ShearX, 0.9, 4}, {ChangeKind::Invert, 0.2, 0}}},
    {{{ChangeKind::ShearY, 0.9, 8}, {ChangeKind::Invert, 0.7, 0}}},
    {{{ChangeKind::Equalize, 0.6, 0}, {ChangeKind::Solarize, 0.6, 6}}},
    {{{ChangeKind::Invert, 0.9, 0}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Equalize, 0.6, 0}, {ChangeKind::Rotate, 0.9, 3}}},
    {{{ChangeKind::ShearX, 0.9, 4}, {ChangeKind::AutoContrast, 0.8, 0}}},
    {{{ChangeKind::ShearY, 0.9, 8}, {ChangeKind::Invert, 0.4, 0}}},
    {{{ChangeKind::ShearY, 0.9, 5}, {ChangeKind::Solarize, 0.2, 6}}},
    {{{ChangeKind::Invert, 0.9, 0}, {ChangeKind::AutoContrast, 0.8, 0}}},
    {{{ChangeKind::Equalize, 0.6, 0}, {ChangeKind::Rotate, 0.9, 3}}},
    {{{ChangeKind::ShearX, 0.9, 4}, {ChangeKind::Solarize, 0.3, 3}}},
    {{{ChangeKind::ShearY, 0.8, 8}, {ChangeKind::Invert, 0.7, 0}}},
    {{{ChangeKind::Equalize, 0.9, 0}, {ChangeKind::TranslateY, 0.6, 6}}},
    {{{ChangeKind::Invert, 0.9, 0}, {ChangeKind::Equalize, 0.6, 0}}},
    {{{ChangeKind::Contrast, 0.3, 3}, {ChangeKind::Rotate, 0.8, 4}}},
    {{{ChangeKind::Invert, 0.8, 0}, {ChangeKind::TranslateY, 0.0, 2}}},
    {{{ChangeKind::ShearY, 0.7, 6}, {ChangeKind::Solarize, 0.4, 8}}},
    {{{ChangeKind::Invert, 0.6, 0}, {ChangeKind::Rotate, 0.8, 4}}},
    {{{ChangeKind::ShearY, 0.3, 7}, {ChangeKind::TranslateX, 0.9, 3}}},
    {{{ChangeKind::ShearX, 0.1, 6}, {ChangeKind::Invert, 0.6, 0}}},
    {{{ChangeKind::Solarize, 0.7, 2}, {ChangeKind::TranslateY, 0.6, 7}}},
    {{{ChangeKind::ShearY, 0.8, 4}, {ChangeKind::Invert, 0.8, 0}}},
    {{{ChangeKind::ShearX, 0.7, 9}, {ChangeKind::TranslateY, 0.8, 3}}},
    {{{ChangeKind::ShearY, 0.8, 5}, {ChangeKind::AutoContrast, 0.7, 0}}},
    {{{ChangeKind::ShearX, 0.7, 2}, {ChangeKind::Invert, 0.1, 0}}},
}};

constexpr std::int64_t kBins = 10;

const Policy& policyOf(Learned learned) {
  return learned == Learned::ImageNet ? kImageNet : learned == Learned::Cifar10 ? kCifar10 : kSvhn;
}

/// AutoAugment has the magnitudes of RandAugment, and inverts as well.
PolicyOp operationOf(ChangeKind kind) {
  const auto space = randAugmentSpace();
  const auto found = std::ranges::find(space, kind, &PolicyOp::kind);
  return found == space.end() ? PolicyOp{kind, {}} : *found;
}

void draws(const Params& p, Draw& draw, Size image, std::vector<PictureChange>& into) {
  const Policy& policy = policyOf(p.policy);
  const std::int64_t chosen = draw.integer(0, static_cast<std::int64_t>(policy.size()) - 1);
  for (const Step& step : policy.at(static_cast<std::size_t>(chosen)))
    if (draw.bernoulli(step.probability))
      into.push_back(changeOf(operationOf(step.kind), step.bin, kBins, image, draw));
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  return policyStream(in, p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("auto_augment", Category::Geometry, NodeRole::Sample);
  d.label("AutoAugment")
      .help(
          "Applies one of 25 pairs of operations that were learned for a data set, with tables and "
          "pixels of torchvision's AutoAugment. Geometry moves masks, boxes and keypoints with the "
          "picture; colours change image and target alike.");
  d.example(R"({"policy": "imagenet"})");
  d.cpuOnly();
  d.tags({"AutoAugment", "policy", "automatic augmentation", "augmentation"});
  d.choice<Learned>("policy", &Params::policy,
                    {{Learned::ImageNet, "imagenet", "photos of ImageNet"},
                     {Learned::Cifar10, "cifar10", "small photos of CIFAR-10"},
                     {Learned::Svhn, "svhn", "house numbers of SVHN"}})
      .label("Policy")
      .help("The data set that the pairs were learned for.");
  d.infer(infer);
  policyNode(d, draws);
  policyExports(d, [](const Params& p) {
    return fmt::format("AutoAugment(policy=v2.AutoAugmentPolicy.{}, ",
                       p.policy == Learned::ImageNet  ? "IMAGENET"
                       : p.policy == Learned::Cifar10 ? "CIFAR10"
                                                      : "SVHN");
  });
  return d.take();
}

}  // namespace millrace::nodes::auto_augment
