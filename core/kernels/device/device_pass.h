// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/border.h"
#include "core/kernels/colour/colour_acts.h"
#include "core/kernels/device/device_address.h"
#include "core/kernels/pass/axis_rules.h"
#include "core/kernels/pass/pass_rules.h"
#include "core/kernels/pass/pixel_pass.h"
#include "core/kernels/pass/pixel_table.h"

namespace millrace {

/// The pixel pass of pixel_pass.h for a whole batch in device memory. Pictures of any sizes become
/// pictures of one size (or of any sizes): crop, resize, cut, pad, flip, colours, normalise, type
/// and layout in one kernel, after a small kernel that computes the weights if anything is
/// resampled. The results are identical to those of PixelPass, pad() and adjustColour() in
/// succession.
///
///   DevicePassTables tables;
///   for each row: rows[i] = devicePassRow(picture, spec, padding, out, tables);   // host
///   (rows, acts and the values of `form` are uploaded; scratch holds tables.bytes())
///   launchDevicePass(stream, pass, tables);

/// One axis of a batch row: maps pixels of the result to pixels of the source.
struct PassAxis {
  AxisSpec spec;           ///< never flipped; `count` is that of the cut
  std::int64_t taps = 0;   ///< offset of its first output in the tables
  std::int64_t quads = 0;  ///< the same for the quads
  std::int32_t quadsEach = 0;
  std::int32_t origin = 0;  ///< for a copy: the input of the cut's first pixel
  std::int32_t shift = 0;   ///< pixel v of the result is pixel v + shift of the cut, or padding
  bool flip = false;        ///< the whole result, including padding, is mirrored
};

/// How the pixels of a picture are computed.
enum class PassKind : std::int32_t {
  Copy,    ///< nothing is resampled
  Gather,  ///< one input per output: nearest
  Tiled,   ///< rows, then columns, through shared memory
  Direct,  ///< the same without shared memory, for pictures that do not fit a tile; slow
};

struct PassRow {
  std::uint64_t source = 0;  ///< first pixel, channels interleaved; relative to
                             ///< DevicePass::sourceBase
  std::uint64_t end = 0;     ///< after the picture's last byte; relative to sourceBase
  std::uint64_t out = 0;     ///< relative to DevicePass::outBase
  std::int64_t stride = 0;
  PassAxis x;
  PassAxis y;
  std::int32_t width = 0;  ///< of the result
  std::int32_t height = 0;
  PassKind kind = PassKind::Copy;
  Border border = Border::Constant;
  std::uint32_t fill = 0;  ///< for Border::Constant, one byte per channel
};

/// An OutputForm for the device. `values` are 256 floats per channel in device memory; only used if
/// `exact` is false.
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

/// The form without `values`; `table` must have been computed for the same form. valuesOf() fills
/// channels * 256 floats.
DeviceForm deviceForm(const OutputForm& form, int channels, const PixelTable& table);
void valuesOf(const PixelTable& table, int channels, float* values);

/// Size of the weight tables and tiles that the rows need; grows with each devicePassRow().
struct DevicePassTables {
  std::int64_t taps = 0;
  std::int64_t quads = 0;
  std::int32_t longest = 0;  ///< most outputs of any axis
  /// Most source rows that a tile of a Tiled row covers, by the index of the tile's height
  /// (tileHeight()).
  std::int32_t tileRows[4] = {};

  std::size_t bytes() const;
};

/// A picture in a canvas, as in Window: where the cut is placed, and which part of the canvas is
/// kept.
struct PassPadding {
  Rect placed;
  Rect view;
  Border border = Border::Constant;
  std::uint32_t fill = 0;
};

/// u8 pixels in device memory, rows packed; the allocation starts at a multiple of four. `address`
/// is relative to DevicePass::sourceBase.
struct DevicePicture {
  std::uint64_t address = 0;
  Size size;
  std::int32_t channels = 3;
};

/// Computes the parameters of one row. `padding` null: the result is the cut. CHECKs like
/// PixelPass.
PassRow devicePassRow(const DevicePicture& source, const PixelPassSpec& spec,
                      const PassPadding* padding, std::uint64_t out, DevicePassTables& tables);

/// Everything that the kernels read, passed by value; pointers are device addresses.
struct DevicePass {
  const PassRow* rows = nullptr;
  std::uint64_t sourceBase = 0;  ///< base of the rows' addresses; 0: they are absolute
  std::uint64_t outBase = 0;
  std::int32_t rowCount = 0;
  std::int32_t channels = 3;  ///< 1 to 4
  std::int32_t width = 0;     ///< of the widest result
  std::int32_t height = 0;
  DeviceForm form;
  std::byte* scratch = nullptr;  ///< tables.bytes() bytes, aligned to 16
  /// Colour operations, `actsEach` per row. If there is a Contrast it is the first of them, and
  /// takes its mean from `greySums`.
  const ColourAct* acts = nullptr;
  std::int32_t actsEach = 0;
  const std::uint8_t* actTables = nullptr;  ///< 256 bytes for each ColourAct::table
  const std::uint64_t* greySums = nullptr;
  /// If not null: receives each row's sum of the greys that it writes. Must be zeroed before.
  std::uint64_t* greySumsOut = nullptr;
};

/// Enqueues the kernels. Allocates nothing.
Status launchDevicePass(Stream& stream, const DevicePass& pass, const DevicePassTables& tables);

}  // namespace millrace
