// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/codec.h"
#include "core/kernels/pass/pixel_pass.h"
#include "core/pass/image_pass_plan.h"
#include "core/pass/side_indices.h"
#include "core/spec/image_steps.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// Pixels for a pass: one of the views, and the region of it that is used.
struct PassPixels {
  std::optional<FloatImageView> f32;
  ImageView u8;
  SampledPlanes planes;  ///< each plane has its own region
  Box region;            ///< for planes: that of luma
  int channels = 0;      ///< of the result
};

/// The part of a picture that a field uses; as in DecodeRequest, in pixels of the picture.
struct PassPart {
  Rect region;
  Size cover{};
  Rect wanted{};
  bool planes = false;
};

/// A picture as a pass gets it: a file, which is decoded once for all fields that are views of it,
/// or pixels. For use by one thread.
class PassInput {
 public:
  /// `decode`: the pass's step, for files. `indices`: nullptr if none are kept. Both must outlive
  /// the input.
  PassInput(const PassField& field, std::string name, const DecodeStep* decode,
            SideIndices* indices);

  /// The field before the pass.
  std::size_t index() const { return m_field.input; }
  const std::string& name() const { return m_name; }
  bool isFile() const { return m_decoder.has_value(); }

  /// Reads the header, or the size of the pixels.
  Status open(const Sample& sample);
  /// Of the sample opened last.
  const TensorView& value() const { return m_value; }
  const ImageInfo& head() const { return m_head; }
  Size size() const { return m_size; }
  /// Whether width and height are exchanged, as its EXIF orientation says.
  bool turned() const { return isFile() && m_size != m_head.storedSize; }

  /// Decodes what `parts` need together; a picture of pixels stays.
  Status read(std::span<const PassPart> parts, const SampleKey& key, const OpContext& context);
  /// The pixels of one of these parts, until the next open() or read().
  PassPixels pixelsOf(const PassPart& part) const;

 private:
  Result<DecodedImage> decode(DecodeRequest& request, const SampleKey& key,
                              const OpContext& context);
  Status checkDecoded() const;

  PassField m_field;
  std::string m_name;
  const DecodeStep* m_decode;
  SideIndices* m_indices;
  std::optional<ImageDecoder> m_decoder;
  TensorView m_value;
  ImageInfo m_head;
  Size m_size;
  DecodedImage m_decoded;
  Rect m_region;                       ///< that was decoded
  std::vector<std::byte> m_sideIndex;  ///< of the current picture
};

}  // namespace millrace
