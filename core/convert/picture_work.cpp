// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/picture_work.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "core/codecs/encode.h"

namespace millrace {

namespace {

int scaled(int side, double factor) {
  return std::max(1, static_cast<int>(std::lround(side * factor)));
}

/// The pixels as tightly packed rows, whatever the view's stride.
template <class T>
std::vector<std::byte> packed(const BasicImageView<T>& image) {
  const auto row =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * sizeof(T);
  std::vector<std::byte> bytes(row * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y)
    std::memcpy(bytes.data() + static_cast<std::size_t>(y) * row, image.row(y), row);
  return bytes;
}

}  // namespace

MadeValue MadeValue::copyOf(const TensorView& view) {
  MadeValue value{view.dtype, view.layout, view.shape, {}};
  value.bytes.assign(view.data, view.data + view.bytes);
  return value;
}

TensorView MadeValue::view() const {
  return {dtype, layout, shape, const_cast<std::byte*>(bytes.data()), bytes.size()};
}

Size wantedSize(const PictureOptions& options, Size image) {
  if (options.size) return *options.size;
  if (options.shorterSide == 0) return image;
  const double factor =
      static_cast<double>(options.shorterSide) / std::min(image.width, image.height);
  return {scaled(image.width, factor), scaled(image.height, factor)};
}

Status PictureWork::check(std::span<const std::byte> file, Role role) {
  MILLRACE_ASSIGN_OR_RETURN(const auto info, m_decoder.open(file));
  if (!m_options.check) return {};
  MILLRACE_ASSIGN_OR_RETURN(const auto request, requestFor(info, role));
  MILLRACE_TRY(m_decoder.decode(request));
  return {};
}

Result<Size> PictureWork::sizeOf(const TensorView& value, const FieldSpec& field) {
  if (field.dtype != DType::Encoded && value.layout == Layout::Plain)
    return Error{fmt::format("{}: the field is not a picture and has no size", field.name)};
  if (field.dtype != DType::Encoded)
    return Size{static_cast<int>(value.width()), static_cast<int>(value.height())};
  MILLRACE_ASSIGN_OR_RETURN(const auto info, m_decoder.open(value.content()));
  return m_options.decode && !m_options.decode->applyOrientation ? info.storedSize : info.size;
}

Result<DecodeRequest> PictureWork::requestFor(const ImageInfo& file, Role role) const {
  const DecodeStep step = m_options.decode.value_or(DecodeStep());
  if (step.refuseSeveral &&
      (file.reduced.has(Reduction::Pages) || file.reduced.has(Reduction::Frames)))
    return Error{"it has several pages or frames, which decode.several = refuse does not allow"};
  DecodeRequest request;
  request.applyOrientation = step.applyOrientation;
  request.ownDecoder = step.ownDecoder;
  if (role == Role::Mask) {
    request.form = step.colourMasks ? PixelForm::Rgb : PixelForm::Index;
    return request;
  }
  request.fillTruncated = step.fillTruncated;
  request.background = step.background;
  request.cmykProfile = step.cmykProfile;
  const bool grey = file.storedChannels == 1 && !file.isPalette;
  if (step.form == DecodeForm::Stored)
    request.form = PixelForm::Stored;
  else if (step.form == DecodeForm::Grey || (grey && m_options.form != PictureOptions::Form::Raw))
    request.form = PixelForm::Grey;
  return request;
}

Result<Pixels> PictureWork::pixels(const TensorView& value, const FieldSpec& field) {
  if (field.dtype != DType::Encoded) {
    if (value.dtype != DType::U8 || value.layout == Layout::Plain)
      return Error{fmt::format("{}: pictures of {} can only be copied unchanged", field.name,
                               nameOf(value.dtype))};
    const auto width = static_cast<int>(value.width());
    const auto height = static_cast<int>(value.height());
    const auto channels = static_cast<int>(value.channels());
    const std::byte* data = value.data;
    if (value.layout == Layout::Chw) {
      std::byte* to = m_interleaved.reserve(value.bytes);
      const std::size_t plane = value.bytes / static_cast<std::size_t>(std::max(channels, 1));
      for (std::size_t i = 0; i < value.bytes; ++i)
        to[i] = value.data[i % static_cast<std::size_t>(channels) * plane +
                           i / static_cast<std::size_t>(channels)];
      data = to;
    }
    return Pixels{{reinterpret_cast<const std::uint8_t*>(data), width, height, channels,
                   std::ptrdiff_t{width} * channels},
                  field.role};
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto info, m_decoder.open(value.content()));
  MILLRACE_ASSIGN_OR_RETURN(const auto request, requestFor(info, field.role));
  MILLRACE_ASSIGN_OR_RETURN(const auto decoded, m_decoder.decode(request));
  const Reductions lost = lostBy(request, info.reduced);
  for (std::size_t r = 0; r < kReductions; ++r)
    if (lost.has(static_cast<Reduction>(r))) ++m_reduced[r];
  return Pixels{decoded.pixels, field.role, info.format == "JPEG", true, decoded.values};
}

Pixels PictureWork::resized(const Pixels& from, Size to, Filter filter) {
  if (from.size() == to) return from;
  PixelPassSpec spec = wholeImage(from.size(), to);
  spec.filter = from.role == Role::Mask ? Filter::Nearest : filter;
  OutputForm form;
  if (from.values.data != nullptr) {
    form.dtype = DType::F32;
    const int channels = from.values.channels;
    std::byte* out = m_resized.reserve(outputBytes(to, channels, form));
    m_pass.run(FloatImageView::hwc(from.values.data, from.values.size(), channels), spec, form,
               out);
    Pixels pixels = from;
    pixels.values = {reinterpret_cast<const float*>(out), to.width, to.height, channels,
                     std::ptrdiff_t{to.width} * channels};
    return pixels;
  }
  std::byte* out = m_resized.reserve(outputBytes(to, from.image.channels, form));
  m_pass.run(from.image, spec, form, out);
  Pixels pixels = from;
  pixels.image = {reinterpret_cast<const std::uint8_t*>(out), to.width, to.height,
                  from.image.channels, std::ptrdiff_t{to.width} * from.image.channels};
  return pixels;
}

Result<MadeValue> PictureWork::stored(const Pixels& pixels) const {
  using Form = PictureOptions::Form;
  Form form = m_options.form;
  if (form == Form::Keep)
    form = !pixels.wasFile ? Form::Raw : pixels.wasJpeg ? Form::Jpeg : Form::Png;
  if (form == Form::Jpeg && pixels.role == Role::Mask) form = Form::Png;
  if (const ValueView& values = pixels.values; values.data != nullptr)
    return MadeValue{
        DType::F32, Layout::Hwc, {values.height, values.width, values.channels}, packed(values)};
  if (form == Form::Raw) {
    const ImageView& image = pixels.image;
    return MadeValue{
        DType::U8, Layout::Hwc, {image.height, image.width, image.channels}, packed(image)};
  }
  JpegSettings settings;
  settings.quality = m_options.jpegQuality;
  MILLRACE_ASSIGN_OR_RETURN(
      auto file, form == Form::Jpeg ? encodeJpeg(pixels.image, settings) : encodePng(pixels.image));
  const auto size = static_cast<std::int64_t>(file.size());
  return MadeValue{DType::Encoded, Layout::Plain, {size}, std::move(file)};
}

}  // namespace millrace
