// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/picture_change.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/kernels/colour/colour.h"

namespace millrace {

namespace {

double degreesOf(double radians) { return radians * (180 / std::numbers::pi); }
double radiansOf(double degrees) { return degrees * (std::numbers::pi / 180); }
/// The angle of a slope, by torchvision's way through degrees.
double angleOf(double slope) { return radiansOf(degreesOf(std::atan(slope))); }

struct Motion {
  double angle = 0;  ///< clockwise; all three in radians
  double shearX = 0;
  double shearY = 0;
  double shiftX = 0;
  double shiftY = 0;
  double centreX = 0;  ///< the point that stays, relative to the centre of the picture
  double centreY = 0;
};

/// torchvision's _get_inverse_affine_matrix, in its order of operations.
CentredMap mapBack(const Motion& motion) {
  const double a = std::cos(motion.angle - motion.shearY) / std::cos(motion.shearY);
  const double b = -(a * std::tan(motion.shearX) + std::sin(motion.angle));
  const double c = std::sin(motion.angle - motion.shearY) / std::cos(motion.shearY);
  const double d = std::cos(motion.angle) - c * std::tan(motion.shearX);
  CentredMap map{d, -b, 0, -c, a, 0};
  const double x = motion.centreX + motion.shiftX;
  const double y = motion.centreY + motion.shiftY;
  map.x0 = motion.centreX - map.xx * x - map.xy * y;
  map.y0 = motion.centreY - map.yx * x - map.yy * y;
  return map;
}

/// A motion that leaves the top left corner.
Motion fromCorner(Size size) {
  Motion motion;
  motion.centreX = -0.5 * size.width;
  motion.centreY = -0.5 * size.height;
  return motion;
}

/// Degrees from 0 to 360, as Python's remainder.
double wholeTurn(double angle) {
  const double rest = std::fmod(angle, 360);
  return rest < 0 ? rest + 360 : rest;
}

using CountedTable = ByteTable (*)(const ByteCounts&);

/// A change of single values that depends on which values occur.
CountedTable countedTableOf(ChangeKind kind) {
  return kind == ChangeKind::AutoContrast ? stretched
         : kind == ChangeKind::Equalize   ? equalized
                                          : nullptr;
}

void appendCounted(const MutableImageView& picture, CountedTable make, ChannelTables& tables) {
  const std::array<ByteCounts, 3> counts = countBytes(readOnly(picture));
  for (int c = 0; c < tables.channels(); ++c)
    tables.append(c, make(tables.changedCounts(c, counts[static_cast<std::size_t>(c)])));
}

}  // namespace

std::optional<CentredMap> mapOf(const PictureChange& change, Size size, double scale) {
  Motion motion;
  switch (change.kind) {
    case ChangeKind::ShearX:
      motion = fromCorner(size);
      motion.shearX = angleOf(change.amount);
      break;
    case ChangeKind::ShearY:
      motion = fromCorner(size);
      motion.shearY = angleOf(change.amount);
      break;
    case ChangeKind::TranslateX: motion.shiftX = std::trunc(change.amount) * scale; break;
    case ChangeKind::TranslateY: motion.shiftY = std::trunc(change.amount) * scale; break;
    case ChangeKind::Rotate: motion.angle = radiansOf(-wholeTurn(change.amount)); break;
    default: return std::nullopt;
  }
  return mapBack(motion);
}

std::optional<ByteTable> tableOf(const PictureChange& change) {
  switch (change.kind) {
    case ChangeKind::Brightness: return brightened(static_cast<float>(change.amount));
    case ChangeKind::Posterize: return posterized(static_cast<int>(change.amount));
    case ChangeKind::Solarize: return solarized(static_cast<float>(change.amount));
    case ChangeKind::Gamma: return gammaChanged(change.amount);
    case ChangeKind::Invert: return inverted();
    default: return std::nullopt;
  }
}

void PictureChanger::move(MutableImageView picture, const CentredMap& map,
                          const GridSampling& sampling) {
  const auto rowBytes = static_cast<std::size_t>(picture.width * picture.channels);
  m_copy.resize(std::max(m_copy.size(), rowBytes * static_cast<std::size_t>(picture.height)));
  for (int y = 0; y < picture.height; ++y)
    std::copy_n(picture.row(y), rowBytes, m_copy.data() + static_cast<std::size_t>(y) * rowBytes);
  const ImageView from{m_copy.data(), picture.width, picture.height, picture.channels,
                       static_cast<std::ptrdiff_t>(rowBytes)};
  m_warp.run(from, map, sampling, picture);
}

void PictureChanger::run(MutableImageView picture, std::span<const PictureChange> changes,
                         const ChangeRules& rules) {
  std::optional<ChannelTables> tables;
  if (rules.colours) tables.emplace(picture.channels);
  const auto finishTables = [&] {
    if (!tables || tables->empty()) return;
    tables->apply(picture);
    tables.emplace(picture.channels);
  };
  for (const PictureChange& change : changes) {
    if (const auto map = mapOf(change, picture.size(), rules.scale)) {
      finishTables();
      move(picture, *map, rules.sampling);
      continue;
    }
    if (!rules.colours) continue;
    if (const auto table = tableOf(change)) {
      tables->append(*table);
    } else if (const CountedTable make = countedTableOf(change.kind)) {
      appendCounted(picture, make, *tables);
    } else if (change.kind != ChangeKind::None) {
      finishTables();
      ColourFactors factors;
      if (change.kind == ChangeKind::Sharpness) m_sharpness.run(picture, change.amount);
      if (change.kind == ChangeKind::Saturation) factors.saturation = change.amount;
      if (change.kind == ChangeKind::Contrast) factors.contrast = change.amount;
      adjustColour(picture, factors);
    }
  }
  finishTables();
}

}  // namespace millrace
