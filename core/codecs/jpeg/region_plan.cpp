// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/region_plan.h"

#include <algorithm>
#include <limits>

namespace millrace::jpeg {
namespace {

int roundedUp(int value, int step) { return (value + step - 1) / step; }

/// As in jpeg_calc_output_dimensions: a component with fewer samples is scaled down less, as long
/// as the ratios are whole.
int blockSizeOf(const Head& head, const Component& component, int smallest) {
  int size = smallest;
  while (size < 8 && head.maxHorizontal * smallest % (component.horizontal * size * 2) == 0 &&
         head.maxVertical * smallest % (component.vertical * size * 2) == 0)
    size *= 2;
  return size;
}

/// Chooses like jinit_upsampler.
void chooseUpsampling(ComponentPlan& plan, int smallest) {
  const bool smooth = smallest > 1;
  const bool wideEnough = plan.columns > 2;
  if (plan.widening == 4) plan.across = Upsampling::Repeat4;
  if (plan.widening == 2)
    plan.across = smooth && wideEnough ? Upsampling::SmoothAcross : Upsampling::Repeat2;
  plan.smoothsDown =
      smooth && plan.heightening == 2 && (plan.widening == 1 || plan.across != Upsampling::Repeat2);
}

/// Without the additional samples that upsampling needs around the region.
ComponentPlan planComponent(const Head& head, const Component& component, int smallest) {
  ComponentPlan plan;
  plan.horizontal = component.horizontal;
  plan.vertical = component.vertical;
  plan.blockSize = blockSizeOf(head, component, smallest);
  plan.widening = head.maxHorizontal * smallest / plan.mcuColumns();
  plan.heightening = head.maxVertical * smallest / plan.mcuRows();
  plan.columns = roundedUp(head.width * plan.mcuColumns(), head.maxHorizontal * 8);
  plan.rows = roundedUp(head.height * plan.mcuRows(), head.maxVertical * 8);
  return plan;
}

void chooseSamples(const RegionPlan& region, ComponentPlan& plan) {
  const int beside = plan.across == Upsampling::SmoothAcross ? 1 : 0;
  const int above = plan.smoothsDown ? 1 : 0;
  plan.firstColumn = std::max(region.left / plan.widening - beside, 0);
  plan.lastColumn = std::min((region.right - 1) / plan.widening + beside, plan.columns - 1);
  plan.firstRow = std::max(region.top / plan.heightening - above, 0);
  plan.lastRow = std::min((region.bottom - 1) / plan.heightening + above, plan.rows - 1);
}

}  // namespace

RegionPlan planRegion(const Head& head, Rect region, int scale, bool grey, ChromaUse chroma) {
  RegionPlan plan;
  plan.left = region.x / scale;
  plan.top = region.y / scale;
  plan.right = roundedUp(region.x + region.width, scale);
  plan.bottom = roundedUp(region.y + region.height, scale);
  plan.components = grey ? 1 : head.components;
  const int smallest = 8 / scale;
  plan.linesPerMcuRow = head.maxVertical * smallest;
  plan.mcusAcross = roundedUp(head.width, head.maxHorizontal * 8);
  plan.firstMcu = plan.firstMcuRow = std::numeric_limits<int>::max();
  for (std::size_t c = 0; c < static_cast<std::size_t>(head.components); ++c) {
    ComponentPlan& component = plan.component[c];
    component = planComponent(head, head.component[c], smallest);
    if (chroma == ChromaUse::Widened) chooseUpsampling(component, smallest);
    if (c >= static_cast<std::size_t>(plan.components)) continue;
    chooseSamples(plan, component);
    plan.smoothsDown = plan.smoothsDown || component.smoothsDown;
    plan.firstMcu = std::min(plan.firstMcu, component.firstColumn / component.mcuColumns());
    plan.lastMcu = std::max(plan.lastMcu, component.lastColumn / component.mcuColumns());
    plan.firstMcuRow = std::min(plan.firstMcuRow, component.firstRow / component.mcuRows());
    plan.lastMcuRow = std::max(plan.lastMcuRow, component.lastRow / component.mcuRows());
  }
  return plan;
}

}  // namespace millrace::jpeg
