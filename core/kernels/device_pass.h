// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/border.h"
#include "core/kernels/axis_rules.h"
#include "core/kernels/colour_acts.h"
#include "core/kernels/device_address.h"
#include "core/kernels/pass_rules.h"
#include "core/kernels/pixel_pass.h"
#include "core/kernels/pixel_table.h"

namespace millrace {

/// The pixel pass of pixel_pass.h for a whole batch in device memory: pictures of any sizes to
/// pictures of one size (or of any, too), crop, resize, cut, pad, flip, colours, normalise, type
/// and layout in one kernel, behind a small one that computes the weights where anything is
/// resampled. Every bit is that of PixelPass, pad and adjustColour, one after the other.
///
///   DevicePassTables tables;
///   for each row: rows[i] = devicePassRow(picture, spec, padding, out, tables);   // host
///   (rows, acts and the values of `form` are uploaded; scratch holds tables.bytes())
///   launchDevicePass(stream, pass, tables);

/// One axis of a row, from a pixel of the result back to pixels of the source.
struct PassAxis {
  AxisSpec spec;           ///< not flipped; its `count` is the cut's
  std::int64_t taps = 0;   ///< place of its first output in the tables
  std::int64_t quads = 0;  ///< likewise
  std::int32_t quadsEach = 0;
  std::int32_t origin = 0;  ///< of a copy: the input of the cut's first pixel
  std::int32_t shift = 0;   ///< pixel v of the result is pixel v + shift of the cut, or padding
  bool flip = false;        ///< the result is mirrored, padding and all
};

/// How a row's pixels are made; the same for all of a picture.
enum class PassKind : std::int32_t {
  Copy,    ///< nothing is resampled
  Gather,  ///< one input each: nearest
  Tiled,   ///< rows, then columns, by way of shared memory
  Direct,  ///< the same without: for what no tile holds, slow
};

struct PassRow {
  std::uint64_t source = 0;  ///< first pixel, channels interleaved, from DevicePass::sourceBase on
  std::uint64_t end = 0;     ///< behind the picture's last byte, likewise
  std::uint64_t out = 0;     ///< from DevicePass::outBase on
  std::int64_t stride = 0;
  PassAxis x;
  PassAxis y;
  std::int32_t width = 0;  ///< of the result
  std::int32_t height = 0;
  PassKind kind = PassKind::Copy;
  Border border = Border::Constant;
  std::uint32_t fill = 0;  ///< of Border::Constant, a byte a channel
};

/// An OutputForm for the device. `values` is 256 floats a channel in device memory; only looked at
/// where `exact` is false.
struct DeviceForm {
  DType dtype = DType::U8;
  bool planar = false;
  bool normalise = false;
  bool exact = true;
  float mean[4] = {};
  float high[4] = {1, 1, 1, 1};
  float low[4] = {};
  const float* values = nullptr;
};

/// The form without `values`; `table` is of the same form. `valuesOf` fills channels * 256 floats.
DeviceForm deviceForm(const OutputForm& form, int channels, const PixelTable& table);
void valuesOf(const PixelTable& table, int channels, float* values);

/// What rows need of the tables of weights, and of tiles; grows with each devicePassRow.
struct DevicePassTables {
  std::int64_t taps = 0;
  std::int64_t quads = 0;
  std::int32_t longest = 0;  ///< most outputs of any axis
  /// Most source rows that a tile of a Tiled row is made of, by the tile's height (tileHeight).
  std::int32_t tileRows[4] = {};

  std::size_t bytes() const;
};

/// A picture in a canvas, as Window has it: where the cut lies on it and what is kept of it.
struct PassPadding {
  Rect placed;
  Rect view;
  Border border = Border::Constant;
  std::uint32_t fill = 0;
};

/// u8 pixels in device memory whose allocation starts at a multiple of four, rows packed. `address`
/// counts from DevicePass::sourceBase on.
struct DevicePicture {
  std::uint64_t address = 0;
  Size size;
  std::int32_t channels = 3;
};

/// The row's numbers. `padding` null: the result is the cut. CHECKs as PixelPass does.
PassRow devicePassRow(const DevicePicture& source, const PixelPassSpec& spec,
                      const PassPadding* padding, std::uint64_t out, DevicePassTables& tables);

/// Everything that the kernels read, by value; pointers are the device's.
struct DevicePass {
  const PassRow* rows = nullptr;
  std::uint64_t sourceBase = 0;  ///< what addresses of rows count from; 0: they are whole
  std::uint64_t outBase = 0;
  std::int32_t rowCount = 0;
  std::int32_t channels = 3;  ///< 1 to 4
  std::int32_t width = 0;     ///< of the largest result
  std::int32_t height = 0;
  DeviceForm form;
  std::byte* scratch = nullptr;  ///< tables.bytes(), aligned to 16
  /// Changes of colour, `actsEach` for each row; a Contrast, first among them, takes its mean from
  /// `greySums`.
  const ColourAct* acts = nullptr;
  std::int32_t actsEach = 0;
  const std::uint64_t* greySums = nullptr;
  /// Where not null: gets each row's sum of grey of what it writes. Zero before.
  std::uint64_t* greySumsOut = nullptr;
};

/// Enqueues the kernels. Nothing is allocated.
Status launchDevicePass(Stream& stream, const DevicePass& pass, const DevicePassTables& tables);

}  // namespace millrace
