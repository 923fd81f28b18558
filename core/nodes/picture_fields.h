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

/// What the nodes that work on pictures share while they infer their stream.

/// Which pictures a node can work on.
enum class PictureNeed : std::uint8_t {
  U8,       ///< u8 hwc: as decoded
  U8OrF32,  ///< that, or f32 of either layout
};

/// The fields that geometry acts on: those named, else image, target and mask.
std::vector<std::size_t> geometryFields(const StreamType& in, const TextList& named);
/// The same for colour and tensor nodes: image and target.
std::vector<std::size_t> colourFields(const StreamType& in, const TextList& named);
/// The same for degradations: image alone.
std::vector<std::size_t> imageFields(const StreamType& in, const TextList& named);

/// Reports pictures among `acted` that do not fit, each with a remedy.
bool checkPictures(const StreamType& in, const std::vector<std::size_t>& acted, PictureNeed need,
                   InferContext& context);

/// checkFields for geometry, checkPictures, and the new size. `size` is in pixels of the image
/// field, kUnknown where the samples decide; the other fields' follow from FieldSpec::scale.
StreamType resizedStream(const StreamType& in, const TextList& named, std::int64_t height,
                         std::int64_t width, PictureNeed need, InferContext& context);

/// The field whose pixels parameters count: the first image, else the first acted.
/// nullptr for no fields.
const FieldSpec* referenceField(const StreamType& in, const std::vector<std::size_t>& acted);

/// From parameters: colour in 0 to 255 by channel (one entry counts for all) and a mask index.
PadFill padFill(Border border, const RealList& colour, std::int64_t mask);

/// `in` as it is, with what does not fit a node in place reported: no field to act on, or pictures
/// other than u8 hwc. `random`: the result depends on a draw.
StreamType inPlaceStream(const StreamType& in, const std::vector<std::size_t>& acted,
                         const TextList& named, bool random, InferContext& context);

/// Views of a u8 hwc value.
MutableImageView pixelsOf(const TensorView& value);

/// Reports lists whose length fits no picture of the stream.
void checkChannels(const StreamType& in, const std::vector<std::size_t>& acted,
                   const RealList& list, const std::string& param, InferContext& context);

/// padFill's colour as exported code writes it: whole levels, one for all channels alike or one for
/// each channel of the first picture acted on that is no mask.
RealList fillLevels(const StreamType& in, const std::vector<std::size_t>& acted,
                    const RealList& colour);

}  // namespace millrace
