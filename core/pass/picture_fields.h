// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/image_view.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/spec/image_steps.h"
#include "core/spec/infer_context.h"
#include "core/spec/value.h"

namespace millrace {

/// Functions for the `infer` hooks of nodes that work on pictures.

/// Which pictures a node can process.
enum class PictureNeed : std::uint8_t {
  U8,        ///< u8 hwc, as decoded
  U8OrF32,   ///< u8 hwc, or f32 in either layout
  Fillable,  ///< the same, without masks of f32: they have no index to fill with
};

/// The fields that geometry acts on: the named ones, else image, target and mask.
std::vector<std::size_t> geometryFields(const StreamType& in, const TextList& named);
/// The same for colour and tensor nodes: image and target.
std::vector<std::size_t> colourFields(const StreamType& in, const TextList& named);
/// The same for degradations: image only.
std::vector<std::size_t> imageFields(const StreamType& in, const TextList& named);

/// Reports pictures among `acted` that the node cannot process, each with a remedy.
bool checkPictures(const StreamType& in, const std::vector<std::size_t>& acted, PictureNeed need,
                   InferContext& context);

/// checkFields() for geometry, checkPictures(), and the new size. `size` is in pixels of the image
/// field, kUnknown if it depends on the sample; the sizes of the other fields follow from
/// FieldSpec::scale.
StreamType resizedStream(const StreamType& in, const TextList& named, std::int64_t height,
                         std::int64_t width, PictureNeed need, InferContext& context);

/// The field in whose pixels parameters are measured: the first image, else the first field acted
/// on. nullptr if there are no fields.
const FieldSpec* referenceField(const StreamType& in, const std::vector<std::size_t>& acted);

/// From parameters: values per channel (one entry applies to all), limited to 0 to 255 for bytes
/// and masks.
PadFill padFill(Border border, const RealList& colour, const RealList& mask);

/// `in` unchanged, after reporting what an in-place node cannot process: no field to act on, or
/// pictures other than u8 hwc. `random`: the result depends on a draw.
StreamType inPlaceStream(const StreamType& in, const std::vector<std::size_t>& acted,
                         const TextList& named, bool random, InferContext& context);

/// Reports fills that pictures of bytes or masks cannot have.
void checkFill(const StreamType& in, const std::vector<std::size_t>& acted, const RealList& fill,
               const RealList& maskFill, InferContext& context);

/// Reports pictures of 2 channels among `acted`, masks apart: colours are changed in 1, 3 or 4.
void checkColours(const StreamType& in, const std::vector<std::size_t>& acted,
                  InferContext& context);

/// The pixels of a u8 hwc value.
MutableImageView pixelsOf(const TensorView& value);

/// Reports lists whose length matches no picture of the stream.
void checkChannels(const StreamType& in, const std::vector<std::size_t>& acted,
                   const RealList& list, const std::string& param, InferContext& context);

/// padFill()'s colour for exported code: whole levels, one value if all channels are equal, or one
/// for each channel of the first picture acted on that is not a mask.
RealList fillLevels(const StreamType& in, const std::vector<std::size_t>& acted,
                    const RealList& colour);

}  // namespace millrace
