// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/codec.h"
#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/kernels/pass/pixel_pass.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// How pictures are changed and stored.
struct PictureOptions {
  enum class Form : std::uint8_t {
    Keep,  ///< the file's bytes; changed pictures are encoded as JPEG or PNG again
    Jpeg,  ///< masks become PNG
    Png,
    Raw,  ///< u8, or f32 if `decode` keeps the numbers; height x width x channels
  };
  Form form = Form::Keep;
  /// How files are decoded; nullopt: in RGB or, where a file is grey, in one channel.
  std::optional<DecodeStep> decode;
  int jpegQuality = 90;
  std::optional<Size> size;  ///< of the image field; other pictures are resized by the same ratio
  int shorterSide = 0;       ///< 0: no change; keeps the aspect ratio
  /// Side of square patches cut on a grid; 0: none. With `downscale` above 1, each patch becomes
  /// the target, and the patch reduced by that factor the image.
  int patch = 0;
  int stride = 0;
  int downscale = 1;
  /// Decodes pictures that are copied unchanged, to find damaged ones.
  bool check = true;

  bool resizes() const { return size.has_value() || shorterSide > 0; }
  bool changesPixels() const { return resizes() || patch > 0; }
  /// Whether images and targets become the numbers of their files, of any count of channels.
  bool keepsNumbers() const { return decode && decode->form == DecodeForm::Stored; }
};

/// A tensor that owns its bytes.
struct MadeValue {
  DType dtype = DType::Encoded;
  Layout layout = Layout::Plain;
  Shape shape;
  std::vector<std::byte> bytes;

  static MadeValue copyOf(const TensorView& view);
  TensorView view() const;
};

/// Decoded pixels of a field, and what they were stored as.
struct Pixels {
  ImageView image;
  Role role = Role::Image;
  bool wasJpeg = false;
  bool wasFile = false;
  ValueView values{};  ///< set instead of `image` with PictureOptions::keepsNumbers()

  Size size() const { return values.data != nullptr ? values.size() : image.size(); }
};

/// How many pictures have lost what.
using ReductionCounts = std::array<std::uint64_t, kReductions>;

/// Processes the pictures of one field. One thread; returned views are valid until the next call.
class PictureWork {
 public:
  explicit PictureWork(const PictureOptions& options) : m_options(options) {}

  /// Decodes the whole picture file; the error says why that fails.
  Status check(std::span<const std::byte> file, Role role);
  /// From the file's header, or the tensor's shape.
  Result<Size> sizeOf(const TensorView& value, const FieldSpec& field);
  /// Decodes a file, or returns raw u8 pixels unchanged.
  Result<Pixels> pixels(const TensorView& value, const FieldSpec& field);
  /// The picture in another size; masks use the nearest pixel.
  Pixels resized(const Pixels& from, Size to, Filter filter);
  /// Encodes the picture as the options say.
  Result<MadeValue> stored(const Pixels& pixels) const;
  /// What the pixels that were decoded since the last call lack.
  ReductionCounts takeReductions() { return std::exchange(m_reduced, {}); }

 private:
  Result<DecodeRequest> requestFor(const ImageInfo& file, Role role) const;

  const PictureOptions m_options;
  ImageDecoder m_decoder;
  PixelPass m_pass;
  Buffer m_interleaved;
  Buffer m_resized;
  ReductionCounts m_reduced{};
};

/// The size that the options ask for, given the image's size; at least 1 x 1.
Size wantedSize(const PictureOptions& options, Size image);

}  // namespace millrace
