// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/torch_text.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/text.h"
#include "core/spec/python_literal.h"

namespace millrace {

std::string torchResampling(Filter filter, bool antialias, ExportText& text) {
  std::string rest = "antialias=" + pythonBool(antialias);
  if (filter != Filter::Nearest)
    text.limit(
        "Resized pixels differ by up to one level of 255: Millrace and Pillow also round between "
        "the two passes.");
  if (filter == Filter::Bilinear) return rest;
  text.import("from torchvision.transforms import InterpolationMode");
  // NEAREST takes the pixel to the left of the nearest one; NEAREST_EXACT takes the nearest.
  return (filter == Filter::Nearest ? "interpolation=InterpolationMode.NEAREST_EXACT, "
                                    : "interpolation=InterpolationMode.BICUBIC, ") +
         rest;
}

std::string torchBorder(Border border) {
  switch (border) {
    case Border::Constant: return "constant";
    case Border::Edge: return "edge";
    case Border::Symmetric: return "symmetric";
    case Border::Reflect: return "reflect";
    case Border::Wrap: break;
  }
  return "wrap";
}

std::string torchColour(const RealList& colour) {
  std::vector<std::string> levels;
  for (const double level : colour)
    levels.push_back(std::to_string(std::lround(std::clamp(level, 0.0, 255.0))));
  if (levels.empty()) return "0";
  return levels.size() == 1 ? levels.front() : "(" + join(levels, ", ") + ")";
}

bool hasMask(const StreamType& in, const std::vector<std::size_t>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](std::size_t i) { return in.fields[i].role == Role::Mask; });
}

}  // namespace millrace
