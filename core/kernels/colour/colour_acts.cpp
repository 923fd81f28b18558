// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/colour_acts.h"

#include "core/kernels/colour/colour.h"

namespace millrace {

void appendActs(const ColourFactors& factors, std::vector<ColourAct>& acts) {
  const auto add = [&acts](ColourKind kind, double ratio, float other) {
    acts.push_back({kind, static_cast<float>(ratio), other, {}});
  };
  for (const ColourStep step : factors.order) {
    if (step == ColourStep::Brightness && factors.brightness != 1)
      add(ColourKind::Blend, factors.brightness, 0);
    else if (step == ColourStep::Contrast && factors.contrast != 1)
      add(ColourKind::Contrast, factors.contrast, restOf(factors.contrast));
    else if (step == ColourStep::Saturation && factors.saturation != 1)
      add(ColourKind::Saturate, factors.saturation, restOf(factors.saturation));
    else if (step == ColourStep::Hue && factors.hue != 0)
      add(ColourKind::TurnHue, factors.hue, 0);
  }
}

}  // namespace millrace
