// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/codec.h"
#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/kernels/pixel_pass.h"

namespace millrace {

/// What becomes of the pictures on their way.
struct PictureOptions {
  enum class Form : std::uint8_t {
    Keep,  ///< the file's own bytes; what has to be encoded anew stays JPEG or PNG
    Jpeg,  ///< masks become PNG
    Png,
    Raw,  ///< u8, height x width x channels
  };
  Form form = Form::Keep;
  int jpegQuality = 90;
  std::optional<Size> size;  ///< of the image field; the others follow by their ratio
  int shorterSide = 0;       ///< 0: as it is; keeps the shape
  /// Squares cut on a grid; 0: none. With `downscale` above 1 the image becomes the square made so
  /// many times smaller, and the square itself its target.
  int patch = 0;
  int stride = 0;
  int downscale = 1;
  /// Decodes pictures that are copied as they are, to find the damaged ones.
  bool check = true;

  bool resizes() const { return size.has_value() || shorterSide > 0; }
  bool changesPixels() const { return resizes() || patch > 0; }
};

/// A value that owns its bytes.
struct MadeValue {
  DType dtype = DType::Encoded;
  Layout layout = Layout::Plain;
  Shape shape;
  std::vector<std::byte> bytes;

  static MadeValue copyOf(const TensorView& view);
  TensorView view() const;
};

/// Pixels of one field, with what is needed to write them as what they were.
struct Pixels {
  ImageView image;
  Role role = Role::Image;
  bool wasJpeg = false;
  bool wasFile = false;
};

/// The picture work of one field. One thread; what it lends is good until it is asked again.
class PictureWork {
 public:
  explicit PictureWork(const PictureOptions& options) : m_options(options) {}

  /// Whether a picture file can be read to its end.
  Status check(std::span<const std::byte> file, Role role);
  /// By the head of a file, or the shape.
  Result<Size> sizeOf(const TensorView& value, const FieldSpec& field);
  /// Decodes a file, or takes raw u8 pixels as they are.
  Result<Pixels> pixels(const TensorView& value, const FieldSpec& field);
  /// The same picture in another size; masks by the nearest pixel.
  Pixels resized(const Pixels& from, Size to, Filter filter);
  /// As the options want it stored.
  Result<MadeValue> stored(const Pixels& pixels) const;

 private:
  const PictureOptions m_options;
  ImageDecoder m_decoder;
  PixelPass m_pass;
  Buffer m_interleaved;
  Buffer m_resized;
};

/// The size that the options ask for where the image has `image`; never empty.
Size wantedSize(const PictureOptions& options, Size image);

}  // namespace millrace
