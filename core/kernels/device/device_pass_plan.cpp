// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/kernels/device/device_pass_tiling.h"
#include "core/kernels/pass/pixel_pass_spec.h"

namespace millrace {

namespace {

bool isMonotone(Border border) { return border == Border::Constant || border == Border::Edge; }

/// The largest number of inputs of an output.
std::int32_t mostTaps(const AxisSpec& spec) {
  if (isSingle(spec)) return 1;
  const AxisScale scale = axisScale(spec);
  return std::min(static_cast<std::int32_t>(std::ceil(2 * scale.support)), scale.inputs);
}

AxisTaps tapsOfOutput(const AxisSpec& spec, int i) {
  if (isSingle(spec)) return {singleInput(spec, spec.first + i), 1};
  const AxisScale scale = axisScale(spec);
  const AxisTaps taps = tapsAround(scale, centreOf(scale, spec.first + i));
  return {taps.first + scale.origin, taps.count};
}

bool within(const AxisSpec& spec, int inputs) {
  const AxisTaps last = tapsOfOutput(spec, spec.count - 1);
  return tapsOfOutput(spec, 0).first >= 0 && last.first + last.count <= inputs;
}

PassAxis axisOf(const AxisSpec& spec, bool flip) {
  PassAxis axis;
  axis.spec = spec;
  axis.spec.flip = false;
  axis.flip = flip;
  return axis;
}

void placeTables(PassAxis& axis, bool filtered, DevicePassTables& tables) {
  axis.taps = tables.taps;
  tables.taps += axis.spec.count;
  tables.longest = std::max(tables.longest, axis.spec.count);
  if (!filtered) return;
  axis.quads = tables.quads;
  axis.quadsEach = quadsFor(mostTaps(axis.spec));
  tables.quads += std::int64_t{axis.spec.count} * axis.quadsEach;
}

PassKind kindOf(const PassRow& row, bool padded) {
  if (isCopy(row.x.spec) && isCopy(row.y.spec)) return PassKind::Copy;
  if (isSingle(row.x.spec) && isSingle(row.y.spec)) return PassKind::Gather;
  const bool fits = fitsTile(rowsOfTile(row.y.spec, tileHeight(kTileHeights - 1)));
  return fits && (!padded || isMonotone(row.border)) ? PassKind::Tiled : PassKind::Direct;
}

void place(const PassPadding& padding, PassRow& row) {
  row.width = padding.view.width;
  row.height = padding.view.height;
  row.x.shift = padding.view.x - padding.placed.x;
  row.y.shift = padding.view.y - padding.placed.y;
  row.border = padding.border;
  row.fill = padding.fill;
}

}  // namespace

std::int32_t rowsOfTile(const AxisSpec& spec, int outputs) {
  if (isSingle(spec)) {
    const int last = std::min(outputs, spec.count) - 1;
    return singleInput(spec, spec.first + last) - singleInput(spec, spec.first) + 2;
  }
  const AxisScale scale = axisScale(spec);
  return static_cast<std::int32_t>(std::ceil((outputs - 1) * scale.scale + 2 * scale.support)) + 2;
}

std::size_t DevicePassTables::bytes() const {
  return static_cast<std::size_t>(quads) * sizeof(TapQuad) +
         static_cast<std::size_t>(taps) * sizeof(AxisTaps);
}

PassRow devicePassRow(const DevicePicture& source, const PixelPassSpec& spec,
                      const PassPadding* padding, std::uint64_t out, DevicePassTables& tables) {
  checkPixelPass(source.channels, DType::U8, spec, {});
  PassRow row;
  row.source = source.address;
  row.stride = std::int64_t{source.size.width} * source.channels;
  row.end = source.address + static_cast<std::uint64_t>(row.stride * source.size.height);
  row.out = out;
  row.x = axisOf(horizontalAxis(spec), spec.flipX);
  row.y = axisOf(verticalAxis(spec), spec.flipY);
  MILLRACE_CHECK(within(row.x.spec, source.size.width) && within(row.y.spec, source.size.height),
                 "the part that the cut needs must be inside the image");
  row.width = spec.cut.width;
  row.height = spec.cut.height;
  if (padding != nullptr) place(*padding, row);
  row.kind = kindOf(row, padding != nullptr);
  if (row.kind == PassKind::Copy) {
    row.x.origin = singleInput(row.x.spec, row.x.spec.first);
    row.y.origin = singleInput(row.y.spec, row.y.spec.first);
    return row;
  }
  const bool filtered = row.kind != PassKind::Gather;
  placeTables(row.x, filtered, tables);
  placeTables(row.y, filtered, tables);
  if (row.kind == PassKind::Tiled)
    for (int i = 0; i < kTileHeights; ++i)
      tables.tileRows[i] = std::max(tables.tileRows[i], rowsOfTile(row.y.spec, tileHeight(i)));
  return row;
}

DeviceForm deviceForm(const OutputForm& form, int channels, const PixelTable& table) {
  DeviceForm made;
  made.dtype = form.dtype;
  made.planar = isPlanar(form, channels);
  made.normalise = form.normalise;
  made.exact = form.dtype == DType::U8 || table.exact();
  if (form.dtype == DType::U8) return made;
  for (int c = 0; c < channels; ++c) {
    made.mean[c] = table.affine(c).mean;
    made.high[c] = table.affine(c).high;
    made.low[c] = table.affine(c).low;
  }
  return made;
}

void valuesOf(const PixelTable& table, int channels, float* values) {
  for (int c = 0; c < channels; ++c)
    for (int v = 0; v < 256; ++v) *values++ = table.value(c, static_cast<std::uint8_t>(v));
}

}  // namespace millrace
