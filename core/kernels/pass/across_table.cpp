// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/across_table.h"

#include <algorithm>
#include <cstring>

namespace millrace::planes {

namespace {

std::size_t size(int value) { return static_cast<std::size_t>(value); }

int roundedUp(int value, int step) { return (value + step - 1) / step * step; }

/// The index of an output; padding repeats the last output.
int outputOf(const PlaneAxis& axis, int i) { return std::min(i, axis.outputs() - 1); }

struct Firsts {
  int lowest = 0;
  int highest = 0;
};

/// The smallest and largest first sample of `count` outputs. They are sorted like the outputs, or
/// in reverse order if flipped.
Firsts firstsOf(const PlaneAxis& axis, int output, int count) {
  const int a = axis.first(outputOf(axis, output));
  const int b = axis.first(outputOf(axis, output + count - 1));
  return {std::min(a, b), std::max(a, b)};
}

/// Whether every `count` outputs have their first samples within `spare` of each other.
bool fits(const PlaneAxis& axis, int count, int spare) {
  for (int output = 0; output < axis.outputs(); output += count) {
    const Firsts firsts = firstsOf(axis, output, count);
    if (firsts.highest - firsts.lowest > spare) return false;
  }
  return true;
}

}  // namespace

void AcrossTable::arrange(const PlaneAxis& axis) {
  m_plan = {};
  m_plan.axis = &axis;
  m_plan.groups = roundedUp(axis.outputs(), kWideOutputs) / kGroupOutputs;
  const bool windows = fits(axis, kGroupOutputs, kWindowSamples - 2);
  const bool wide = fits(axis, kWideOutputs, kWideSamples - 2 * axis.pairs());
  if (windows || wide) arrangeWeights();
  if (windows) arrangeWindows();
  if (wide) arrangeWideWindows();
  if (!windows) arrangeRuns();
}

void AcrossTable::arrangeWeights() {
  const PlaneAxis& axis = *m_plan.axis;
  const std::size_t bytes = size(axis.pairs()) * size(m_plan.groups) * 16;
  auto* const weights = reinterpret_cast<std::int16_t*>(m_weights.reserve(bytes));
  std::memset(weights, 0, bytes);
  for (int pair = 0; pair < axis.pairs(); ++pair)
    for (int i = 0; i < axis.outputs(); ++i)
      std::memcpy(weights + size(pair * m_plan.groups * kGroupOutputs + i) * 2,
                  axis.weights(i) + 2 * pair, 2 * sizeof(*weights));
  m_plan.weights = weights;
}

void AcrossTable::arrangeWindows() {
  const PlaneAxis& axis = *m_plan.axis;
  m_offsets.resize(size(m_plan.groups));
  auto* order = reinterpret_cast<std::uint8_t*>(m_order.reserve(size(m_plan.groups) * 16));
  m_plan.order = order;
  for (int group = 0; group < m_plan.groups; ++group) {
    const int lowest = firstsOf(axis, group * kGroupOutputs, kGroupOutputs).lowest;
    m_offsets[size(group)] = lowest - axis.low();
    for (int i = 0; i < kGroupOutputs; ++i) {
      // A pair takes four bytes of the window.
      const int byte = 2 * (axis.first(outputOf(axis, group * kGroupOutputs + i)) - lowest);
      for (int b = 0; b < 4; ++b) *order++ = static_cast<std::uint8_t>(byte + b);
    }
  }
  m_plan.offsets = m_offsets.data();
}

void AcrossTable::arrangeWideWindows() {
  const PlaneAxis& axis = *m_plan.axis;
  const int windows = m_plan.groups / kMostGroups;
  m_wideOffsets.resize(size(windows));
  auto* order = reinterpret_cast<std::uint16_t*>(
      m_wideOrder.reserve(size(windows) * 2 * kWideOutputs * sizeof(std::uint16_t)));
  m_plan.wideOrder = order;
  for (int window = 0; window < windows; ++window) {
    const int lowest = firstsOf(axis, window * kWideOutputs, kWideOutputs).lowest;
    m_wideOffsets[size(window)] = lowest - axis.low();
    for (int i = 0; i < kWideOutputs; ++i) {
      const int sample = axis.first(outputOf(axis, window * kWideOutputs + i)) - lowest;
      *order++ = static_cast<std::uint16_t>(sample);
      *order++ = static_cast<std::uint16_t>(sample + 1);
    }
  }
  m_plan.wideOffsets = m_wideOffsets.data();
}

void AcrossTable::arrangeRuns() {
  const PlaneAxis& axis = *m_plan.axis;
  m_plan.run = roundedUp(2 * axis.pairs(), kWindowSamples);
  m_runOffsets.resize(size(axis.outputs()));
  const std::size_t bytes = size(axis.outputs()) * size(m_plan.run) * sizeof(std::int16_t);
  auto* weights = reinterpret_cast<std::int16_t*>(m_runWeights.reserve(bytes));
  m_plan.runWeights = weights;
  std::memset(weights, 0, bytes);
  for (int i = 0; i < axis.outputs(); ++i, weights += m_plan.run) {
    m_runOffsets[size(i)] = axis.first(i) - axis.low();
    std::copy_n(axis.weights(i), 2 * axis.pairs(), weights);
  }
  m_plan.runOffsets = m_runOffsets.data();
}

}  // namespace millrace::planes
