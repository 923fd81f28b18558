// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/picture_changes.h"

#include <algorithm>

namespace millrace::nodes {

namespace {

Size sizeOf(const TensorView& picture) {
  return {static_cast<int>(picture.width()), static_cast<int>(picture.height())};
}

/// Where the pixels of the picture go: the inverse of `back`, in pixels from the top left corner.
PointMap forward(const CentredMap& back, Size size) {
  const double determinant = back.xx * back.yy - back.xy * back.yx;
  const double centreX = 0.5 * size.width;
  const double centreY = 0.5 * size.height;
  PointMap map;
  map.xx = back.yy / determinant;
  map.xy = -back.xy / determinant;
  map.yx = -back.yx / determinant;
  map.yy = back.xx / determinant;
  map.x0 = centreX - map.xx * (centreX + back.x0) - map.xy * (centreY + back.y0);
  map.y0 = centreY - map.yx * (centreX + back.x0) - map.yy * (centreY + back.y0);
  map.shown = {0, 0, static_cast<double>(size.width), static_cast<double>(size.height)};
  return map;
}

}  // namespace

ChangedFields::ChangedFields(const StreamType& in, const TextList& named) : m_objects({}, {}) {
  for (const std::size_t i : colourFields(in, named)) m_fields.push_back({i, {}});
  if (!m_fields.empty()) m_image = m_fields.front().index;
}

ChangedFields::ChangedFields(const StreamType& in, const PolicyParams& params)
    : m_objects(in.fields, geometryFields(in, params.fields)) {
  const std::vector<std::size_t> acted = geometryFields(in, params.fields);
  const FieldSpec* const image = referenceField(in, acted);
  for (const std::size_t i : acted) {
    ChangeRules rules;
    rules.sampling = samplingOf(params, in.fields[i].role);
    rules.colours = in.fields[i].role != Role::Mask;
    m_fields.push_back({i, rules});
    if (&in.fields[i] == image) m_image = i;
  }
}

Size ChangedFields::imageSize(const Sample& sample) const { return sizeOf(sample[m_image]); }

void ChangedFields::moveObjects(Sample& sample, std::span<const PictureChange> changes) const {
  if (m_objects.empty()) return;
  const Size size = sizeOf(sample[m_objects.image()]);
  for (const PictureChange& change : changes)
    if (const auto map = mapOf(change, size, 1)) m_objects.apply(forward(*map, size), sample);
}

Status ChangedFields::apply(Sample& sample, std::span<const PictureChange> changes) {
  const Size image = imageSize(sample);
  for (Field& field : m_fields) {
    const MutableImageView picture = pixelsOf(sample.writable(field.index));
    if (field.rules.colours && picture.channels == 2)
      return Error{"the picture has 2 channels, but colours need 1, 3 or 4"};
    field.rules.scale = static_cast<double>(picture.width) / image.width;
    m_changer.run(picture, changes, field.rules);
  }
  moveObjects(sample, changes);
  return {};
}

StreamType changedStream(const StreamType& in, const ChangeParams& params, InferContext& context) {
  const std::vector<std::size_t> acted = colourFields(in, params.fields);
  checkColours(in, acted, context);
  return inPlaceStream(in, acted, params.fields, params.probability > 0, context);
}

StreamType warpedStream(const StreamType& in, const PolicyParams& params, bool random,
                        InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, params.fields, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  const std::vector<std::size_t> acted = geometryFields(in, params.fields);
  checkPictures(in, acted, PictureNeed::U8, context);
  checkFill(in, acted, params.fill, params.maskFill, context);
  if (random) out.randomFrom = context.node();
  return out;
}

StreamType policyStream(const StreamType& in, const PolicyParams& params, InferContext& context) {
  checkColours(in, geometryFields(in, params.fields), context);
  return warpedStream(in, params, true, context);
}

}  // namespace millrace::nodes
