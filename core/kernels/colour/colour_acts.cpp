// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/colour_acts.h"

#include "core/kernels/colour/colour.h"

namespace millrace {

namespace {

float rest(float ratio) { return static_cast<float>(1.0 - static_cast<double>(ratio)); }

}  // namespace

void appendActs(const ColourFactors& factors, std::vector<ColourAct>& acts) {
  for (const ColourStep step : factors.order) {
    if (step == ColourStep::Brightness && factors.brightness != 1)
      acts.push_back({ColourKind::Blend, factors.brightness, 0, {}});
    else if (step == ColourStep::Contrast && factors.contrast != 1)
      acts.push_back({ColourKind::Contrast, factors.contrast, rest(factors.contrast), {}});
    else if (step == ColourStep::Saturation && factors.saturation != 1)
      acts.push_back({ColourKind::Saturate, factors.saturation, rest(factors.saturation), {}});
    else if (step == ColourStep::Hue && factors.hue != 0)
      acts.push_back({ColourKind::TurnHue, factors.hue, 0, {}});
  }
}

}  // namespace millrace
