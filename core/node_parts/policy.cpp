// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/policy.h"

#include <array>
#include <cmath>

namespace millrace::nodes {

namespace {

using Unit = MagnitudeRange::Unit;

constexpr double kShift = 150.0 / 331.0;

constexpr std::array<PolicyOp, 14> kRandAugment = {{
    {ChangeKind::None, {}},
    {ChangeKind::ShearX, {Unit::Plain, 0, 0.3, true}},
    {ChangeKind::ShearY, {Unit::Plain, 0, 0.3, true}},
    {ChangeKind::TranslateX, {Unit::OfWidth, 0, kShift, true}},
    {ChangeKind::TranslateY, {Unit::OfHeight, 0, kShift, true}},
    {ChangeKind::Rotate, {Unit::Plain, 0, 30, true}},
    {ChangeKind::Brightness, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Saturation, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Contrast, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Sharpness, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Posterize, {Unit::Bits, 8, 4, false}},
    {ChangeKind::Solarize, {Unit::Plain, 1, 0, false}},
    {ChangeKind::AutoContrast, {}},
    {ChangeKind::Equalize, {}},
}};

constexpr std::array<PolicyOp, 14> kTrivialAugment = {{
    {ChangeKind::None, {}},
    {ChangeKind::ShearX, {Unit::Plain, 0, 0.99, true}},
    {ChangeKind::ShearY, {Unit::Plain, 0, 0.99, true}},
    {ChangeKind::TranslateX, {Unit::Plain, 0, 32, true}},
    {ChangeKind::TranslateY, {Unit::Plain, 0, 32, true}},
    {ChangeKind::Rotate, {Unit::Plain, 0, 135, true}},
    {ChangeKind::Brightness, {Unit::Plain, 0, 0.99, true}},
    {ChangeKind::Saturation, {Unit::Plain, 0, 0.99, true}},
    {ChangeKind::Contrast, {Unit::Plain, 0, 0.99, true}},
    {ChangeKind::Sharpness, {Unit::Plain, 0, 0.99, true}},
    {ChangeKind::Posterize, {Unit::Bits, 8, 2, false}},
    {ChangeKind::Solarize, {Unit::Plain, 1, 0, false}},
    {ChangeKind::AutoContrast, {}},
    {ChangeKind::Equalize, {}},
}};

constexpr std::array<PolicyOp, 13> kAugMix = {{
    {ChangeKind::ShearX, {Unit::Plain, 0, 0.3, true}},
    {ChangeKind::ShearY, {Unit::Plain, 0, 0.3, true}},
    {ChangeKind::TranslateX, {Unit::OfWidth, 0, 1.0 / 3, true}},
    {ChangeKind::TranslateY, {Unit::OfHeight, 0, 1.0 / 3, true}},
    {ChangeKind::Rotate, {Unit::Plain, 0, 30, true}},
    {ChangeKind::Posterize, {Unit::Bits, 4, 0, false}},
    {ChangeKind::Solarize, {Unit::Plain, 1, 0, false}},
    {ChangeKind::AutoContrast, {}},
    {ChangeKind::Equalize, {}},
    {ChangeKind::Brightness, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Saturation, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Contrast, {Unit::Plain, 0, 0.9, true}},
    {ChangeKind::Sharpness, {Unit::Plain, 0, 0.9, true}},
}};
constexpr std::size_t kAugMixWithoutColours = 9;

/// torch.linspace(first, last, bins)[bin]: from the nearer end, in f32 with fused operations. The
/// product of two floats is exact in f64.
double linear(double first, double last, std::int64_t bin, std::int64_t bins) {
  const auto begin = static_cast<float>(first);
  const auto end = static_cast<float>(last);
  if (bins == 1) return static_cast<double>(begin);
  const float step = (end - begin) / static_cast<float>(bins - 1);
  const double each = static_cast<double>(step);
  const double exact = bin < bins / 2
                           ? static_cast<double>(begin) + each * static_cast<double>(bin)
                           : static_cast<double>(end) - each * static_cast<double>(bins - 1 - bin);
  return static_cast<double>(static_cast<float>(exact));
}

double magnitudeOf(const MagnitudeRange& range, std::int64_t bin, std::int64_t bins, Size size) {
  switch (range.unit) {
    case Unit::None: return 0;
    case Unit::Plain: return linear(range.first, range.last, bin, bins);
    case Unit::OfWidth: return linear(0, range.last * size.width, bin, bins);
    case Unit::OfHeight: return linear(0, range.last * size.height, bin, bins);
    case Unit::Bits: break;
  }
  const double each = static_cast<double>(bins - 1) / (range.first - range.last);
  const float down = static_cast<float>(bin) / static_cast<float>(each);
  return static_cast<double>(std::nearbyint(static_cast<float>(range.first) - down));
}

}  // namespace

std::span<const PolicyOp> randAugmentSpace() { return kRandAugment; }

std::span<const PolicyOp> trivialAugmentSpace() { return kTrivialAugment; }

std::span<const PolicyOp> augMixSpace(bool allOps) {
  return std::span(kAugMix).first(allOps ? kAugMix.size() : kAugMixWithoutColours);
}

PictureChange changeOf(const PolicyOp& op, std::int64_t bin, std::int64_t bins, Size size,
                       Draw& draw) {
  double magnitude = magnitudeOf(op.range, bin, bins, size);
  if (op.range.isSigned && draw.bernoulli(0.5)) magnitude = -magnitude;
  switch (op.kind) {
    case ChangeKind::Brightness:
    case ChangeKind::Saturation:
    case ChangeKind::Contrast:
    case ChangeKind::Sharpness: return {op.kind, 1 + magnitude};
    case ChangeKind::Solarize: return {op.kind, 255 * magnitude};
    default: return {op.kind, magnitude};
  }
}

PictureChange drawChange(std::span<const PolicyOp> space, std::int64_t bin, std::int64_t bins,
                         Size size, Draw& draw) {
  const std::int64_t chosen = draw.integer(0, static_cast<std::int64_t>(space.size()) - 1);
  return changeOf(space[static_cast<std::size_t>(chosen)], bin, bins, size, draw);
}

}  // namespace millrace::nodes
