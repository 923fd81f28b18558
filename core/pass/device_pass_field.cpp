// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/device_pass_field.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/pass/device_pass_op.h"

namespace millrace {

DevicePassField::DevicePassField(PassField passField, const std::vector<DevicePassStep>& steps)
    : plan(std::move(passField)) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const DevicePassStep& step = steps[s];
    if (!step.colour || !hasField(step.fields, plan.index)) continue;
    colours.push_back(s);
    actsEach += step.colour->mostActs();
    byteTablesEach += step.colour->mostTables();
    launches += step.colour->hasContrast() ? 1 : 0;
  }
  table.compute(plan.form, plan.channels);
  form = deviceForm(plan.form, plan.channels, table);
  tables.resize(launches);
}

void DevicePassField::beginBatch(std::size_t at) {
  begin = at;
  largest = {};
  halfBytes = 0;
  for (DevicePassTables& each : tables) each = {};
}

std::size_t DevicePassField::aligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t DevicePassField::rowBytes() const {
  return fromFloat() ? sizeof(FloatFormRow) : launches * sizeof(PassRow);
}

std::size_t DevicePassField::tableBytes() const {
  std::size_t most = 0;
  for (const DevicePassTables& each : tables) most = std::max(most, each.bytes());
  return aligned(most);
}

std::size_t DevicePassField::scratchBytes(std::size_t rows) const {
  return sumsAt() + aligned(rows * launches * sizeof(std::uint64_t));
}

Status DevicePassField::launch(Stream& stream, const DeviceWork& work) const {
  return fromFloat() ? launchFloats(stream, work) : launchPixels(stream, work);
}

Status DevicePassField::launchFloats(Stream& stream, const DeviceWork& work) const {
  FloatFormPass pass;
  pass.rows = reinterpret_cast<const FloatFormRow*>(work.deviceParams + rowsAt());
  pass.rowCount = static_cast<std::int32_t>(work.in.rows);
  pass.channels = plan.channels;
  for (std::size_t r = 0; r < work.in.rows; ++r)
    pass.mostElements =
        std::max(pass.mostElements, work.in.fields[plan.index].rows[r].shape.elements());
  pass.fromPlanar = plan.fromLayout == Layout::Chw;
  pass.toPlanar = plan.form.layout == Layout::Chw;
  pass.form = plan.form;
  return launchFloatForm(stream, pass);
}

Status DevicePassField::launchPixels(Stream& stream, const DeviceWork& work) const {
  const std::size_t rows = work.in.rows;
  auto* const sums = reinterpret_cast<std::uint64_t*>(work.scratch + sumsAt());
  if (launches > 1) MILLRACE_TRY(stream.fill(sums, 0, rows * launches * sizeof(std::uint64_t)));
  for (std::size_t k = 0; k < launches; ++k) {
    const bool last = k + 1 == launches;
    DevicePass pass;
    pass.rows = reinterpret_cast<const PassRow*>(work.deviceParams + rowsAt()) + k * rows;
    pass.rowCount = static_cast<std::int32_t>(rows);
    pass.channels = plan.channels;
    pass.width = largest.width;
    pass.height = largest.height;
    pass.scratch = work.scratch;
    if (last) pass.form = form;
    pass.form.values = reinterpret_cast<const float*>(work.deviceParams + valuesAt());
    pass.actsEach = static_cast<std::int32_t>(actsEach);
    pass.acts =
        reinterpret_cast<const ColourAct*>(work.deviceParams + actsAt(rows)) + k * rows * actsEach;
    pass.actTables = reinterpret_cast<const std::uint8_t*>(work.deviceParams + byteTablesAt(rows));
    if (k > 0) {
      pass.sourceBase = deviceAddress(work.scratch + halfAt(k - 1));
      pass.greySums = sums + (k - 1) * rows;
    }
    if (!last) {
      pass.outBase = deviceAddress(work.scratch + halfAt(k));
      pass.greySumsOut = sums + k * rows;
    }
    MILLRACE_TRY(launchDevicePass(stream, pass, tables[k]));
  }
  return {};
}

}  // namespace millrace
