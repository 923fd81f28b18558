// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/pass_input.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/pass/image_pass_counts.h"
#include "core/pass/picture_window.h"

namespace millrace {

namespace {

Rect usedPart(const PassPart& part) { return part.wanted == Rect{} ? part.region : part.wanted; }

Rect around(const Rect& a, const Rect& b) {
  const int x = std::min(a.x, b.x);
  const int y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
          std::max(a.y + a.height, b.y + b.height) - y};
}

/// Everything that several parts use, at the largest scale that one of them needs.
PassPart together(std::span<const PassPart> parts) {
  PassPart all{usedPart(parts.front())};
  int scale = 8;
  for (const PassPart& part : parts) {
    all.region = around(all.region, usedPart(part));
    scale = std::min(scale, scaleCovering(part.region.size(), part.cover));
  }
  if (scale > 1) all.cover = {all.region.width / scale, all.region.height / scale};
  return all;
}

}  // namespace

PassInput::PassInput(const PassField& field, std::string name, const DecodeStep* decode,
                     SideIndices* indices)
    : m_field(field), m_name(std::move(name)), m_decode(decode), m_indices(indices) {
  if (field.from == DType::Encoded) m_decoder.emplace();
}

Status PassInput::open(const Sample& sample) {
  m_value = sample[m_field.input];
  if (!m_decoder) {
    MILLRACE_CHECK(m_value.dtype == m_field.from && m_value.layout == m_field.fromLayout,
                   "a value must match its stream's type");
    m_size = {static_cast<int>(m_value.width()), static_cast<int>(m_value.height())};
    return {};
  }
  const Result<ImageInfo> info = m_decoder->open(m_value.content());
  if (!info) return info.error();
  const bool isSeveral =
      info->reduced.has(Reduction::Pages) || info->reduced.has(Reduction::Frames);
  if (isSeveral && m_decode->refuseSeveral)
    return Error{"it has several pages or frames, which decode.several = refuse does not allow"};
  m_head = *info;
  m_size = m_decode->applyOrientation ? info->size : info->storedSize;
  return {};
}

Status PassInput::read(std::span<const PassPart> parts, const SampleKey& key,
                       const OpContext& context) {
  if (!m_decoder) return {};
  const PassPart part = parts.size() == 1 ? parts.front() : together(parts);
  const bool isMask = m_field.role == Role::Mask;
  DecodeRequest request;
  request.region = part.region;
  request.cover = part.cover;
  request.wanted = part.wanted;
  request.planes = part.planes;
  request.form = m_field.decodeForm;
  request.applyOrientation = m_decode->applyOrientation;
  request.ownDecoder = m_decode->ownDecoder;
  request.fillTruncated = m_decode->fillTruncated && !isMask;
  if (!isMask) request.background = m_decode->background;
  request.cmykProfile = m_decode->cmykProfile && !isMask;
  MILLRACE_ASSIGN_OR_RETURN(m_decoded, decode(request, key, context));
  m_region = part.region;
  return checkDecoded();
}

Result<DecodedImage> PassInput::decode(DecodeRequest& request, const SampleKey& key,
                                       const OpContext& context) {
  const bool indexed =
      m_indices != nullptr && m_decode->ownDecoder && m_head.route == DecodeRoute::Own;
  const PictureKey picture{key.index, static_cast<std::uint32_t>(m_field.input)};
  if (indexed) {
    m_indices->load(picture, m_sideIndex);
    request.sideIndex = &m_sideIndex;
  }
  Result<DecodedImage> decoded = m_decoder->decode(request);
  if (!decoded) return decoded;
  countRoute(decoded->route, context);
  if (m_head.reduced.any()) countReductions(lostBy(request, m_head.reduced), context);
  if (indexed) {
    m_indices->keep(picture, m_sideIndex, decoded->sideIndex);
    countIndex(decoded->sideIndex, context);
  }
  if (decoded->planes.count > 0) countPlanes(context);
  return decoded;
}

/// Whether it has the channels that the stream promises.
Status PassInput::checkDecoded() const {
  if (m_decoded.planes.count > 0) return {};
  const bool stored = m_field.decodeForm == PixelForm::Stored;
  const int channels = stored ? m_decoded.values.channels : m_decoded.pixels.channels;
  if (channels == m_field.channels) return {};
  if (stored)
    return Error{fmt::format("it has {}, but decode.channels is {}",
                             counted(static_cast<std::uint64_t>(channels), "channel"),
                             m_field.channels)};
  return Error{
      fmt::format("the mask holds colours, not class indices ({} channels); set decode.mask to "
                  "rgb and map the colours with one_hot",
                  channels)};
}

PassPixels PassInput::pixelsOf(const PassPart& part) const {
  PassPixels from;
  from.region = boxOf(part.region);
  if (!m_decoder) {
    const auto channels = static_cast<int>(m_value.channels());
    from.channels = channels;
    if (m_value.dtype == DType::F32 && m_value.layout == Layout::Chw)
      from.f32 = FloatImageView::chw(m_value.as<const float>(), m_size, channels);
    else if (m_value.dtype == DType::F32)
      from.f32 = FloatImageView::hwc(m_value.as<const float>(), m_size, channels);
    else
      from.u8 = {m_value.as<const std::uint8_t>(), m_size.width, m_size.height, channels,
                 std::ptrdiff_t{m_size.width} * channels};
    return from;
  }
  from.channels = m_field.channels;
  from.planes = m_decoded.planes;
  if (from.planes.count > 0) {
    from.region = from.planes.plane[0].region;
    return from;
  }
  const ValueView& values = m_decoded.values;
  if (m_field.decodeForm == PixelForm::Stored)
    from.f32 = FloatImageView::hwc(values.data, values.size(), values.channels);
  else
    from.u8 = m_decoded.pixels;
  from.region = boxOf(part.region, m_region, m_decoded.region);
  return from;
}

}  // namespace millrace
