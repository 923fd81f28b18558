// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/sample_examiner.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/codec_entry.h"
#include "core/inspect/data_survey.h"
#include "core/inspect/folder_probe.h"
#include "core/kernels/numbers.h"
#include "core/kernels/picture_figures.h"

namespace millrace {

namespace {

constexpr std::size_t kMostReason = 300;

/// Processor time of this thread, so that other programs on the machine do not make a picture slow.
double threadMicros() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

std::uint64_t contentHash(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

template <class To>
To clamped(double value) {
  constexpr auto most = static_cast<double>(std::numeric_limits<To>::max());
  return static_cast<To>(std::clamp(value, 0.0, most));
}

double whiteOf(DType type) {
  if (type == DType::U8) return 255;
  return type == DType::U16 ? 65535 : 1;
}

/// Adds a raw picture of any type and layout on the scale of `normalise`. False: a value is not
/// finite.
bool addValues(const TensorView& view, ChannelSums& sums) {
  const auto channels = static_cast<std::size_t>(view.channels());
  const auto pixels = static_cast<std::size_t>(view.width() * view.height());
  if (channels == 0 || channels > ChannelSums::kMost || pixels == 0) return true;
  sums.pictures = 1;
  sums.channels = channels;
  const double white = whiteOf(view.dtype);
  const std::size_t size = sizeOf(view.dtype);
  std::vector<double> values(std::min<std::size_t>(pixels * channels, 4096));
  bool finite = true;
  for (std::size_t at = 0; at < pixels * channels; at += values.size()) {
    const std::size_t count = std::min(values.size(), pixels * channels - at);
    toDoubles(view.dtype, view.data + at * size, count, values.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t c = view.layout == Layout::Chw ? (at + i) / pixels : (at + i) % channels;
      const double value = values[i] / white;
      finite = finite && std::isfinite(value);
      sums.mean[c] += value;
      sums.meanSquare[c] += value * value;
    }
  }
  for (std::size_t c = 0; c < channels; ++c) {
    sums.mean[c] /= static_cast<double>(pixels);
    sums.meanSquare[c] /= static_cast<double>(pixels);
  }
  if (!finite) sums = {};
  return finite;
}

/// Numbers of a file, whose rows follow each other.
TensorView tensorOf(const ValueView& values) {
  if (values.data == nullptr) return {};
  const Shape shape{values.height, values.width, values.channels};
  auto* const data = reinterpret_cast<std::byte*>(const_cast<float*>(values.data));
  return {DType::F32, Layout::Hwc, shape, data,
          static_cast<std::size_t>(shape.elements()) * sizeof(float)};
}

}  // namespace

struct SampleExaminer::Picture {
  ImageView pixels;   ///< without data: not 8 bits, or not decoded
  TensorView values;  ///< instead of `pixels`, or without data: not decoded
  Size size;
  std::optional<Finding> finding;
  std::uint8_t channels = 0;
  std::uint8_t bits = 8;
  std::uint8_t orientation = 1;
  std::string_view format = "raw";
  double micros = 0;
};

SampleExaminer::SampleExaminer(std::shared_ptr<const Source> source)
    : m_source(std::move(source)), m_fields(m_source->fields()), m_reader(m_source->reader()) {}

SampleExaminer::Picture SampleExaminer::decoded(std::size_t field, std::string& reason) {
  Picture picture;
  const double begun = threadMicros();
  const auto failed = [&](const Error& error) {
    picture.finding = isTruncation(error) ? Finding::Truncated : Finding::Broken;
    picture.micros = threadMicros() - begun;
    reason = reasonIn(m_fields[field], error.message);
    return picture;
  };
  const auto info = m_decoder.open(m_sample[field].content());
  if (!info) return failed(info.error());
  picture.size = info->size;
  picture.channels = clamped<std::uint8_t>(info->storedChannels);
  picture.bits = clamped<std::uint8_t>(info->bitDepth);
  picture.orientation = clamped<std::uint8_t>(info->orientation);
  picture.format = info->format;
  DecodeRequest request;
  const bool isMask = m_fields[field].role == Role::Mask;
  const bool numbers = !isMask && (!info->onlyStored.empty() || storedChannelsOf(*info) > 0);
  request.form = numbers ? PixelForm::Stored : isMask ? PixelForm::Index : PixelForm::Rgb;
  const auto image = m_decoder.decode(request);
  if (!image) return failed(image.error());
  picture.pixels = image->pixels;
  picture.values = tensorOf(image->values);
  picture.micros = threadMicros() - begun;
  if (image->warnings > 0) {
    picture.finding = Finding::Damaged;
    reason = counted(static_cast<std::uint64_t>(image->warnings), "damaged place");
  }
  return picture;
}

SampleExaminer::Picture SampleExaminer::raw(std::size_t field) const {
  const TensorView& view = m_sample[field];
  Picture picture;
  picture.size = {clamped<int>(static_cast<double>(view.width())),
                  clamped<int>(static_cast<double>(view.height()))};
  picture.channels = clamped<std::uint8_t>(static_cast<double>(view.channels()));
  picture.bits = static_cast<std::uint8_t>(8 * sizeOf(view.dtype));
  picture.values = view;
  const auto channels = static_cast<int>(view.channels());
  if (view.dtype == DType::U8 && view.layout == Layout::Hwc && channels >= 1 && channels <= 4)
    picture.pixels = {view.as<std::uint8_t>(), picture.size.width, picture.size.height, channels,
                      std::ptrdiff_t{picture.size.width} * channels};
  return picture;
}

void SampleExaminer::take(const Picture& picture, SampleRecord& record, ChannelSums& sums) const {
  record.width = clamped<std::uint32_t>(picture.size.width);
  record.height = clamped<std::uint32_t>(picture.size.height);
  record.channels = picture.channels;
  record.bits = picture.bits;
  record.orientation = picture.orientation;
  picture.format.copy(record.format.data(), record.format.size() - 1);
  if (record.width > 0 && std::min(record.width, record.height) < kTinySide)
    record.add(Finding::Tiny);
  if (picture.pixels.data == nullptr || picture.size.width < 1 || picture.size.height < 1) return;
  const PictureFigures figures = figuresOf(picture.pixels);
  double widest = 0;
  sums.pictures = 1;
  sums.channels = static_cast<std::uint64_t>(figures.channels);
  for (int c = 0; c < figures.channels; ++c) {
    const auto at = static_cast<std::size_t>(c);
    sums.mean[at] = figures.mean(c) / 255;
    sums.meanSquare[at] = figures.meanSquare(c) / (255.0 * 255.0);
    widest = std::max(widest, figures.deviation(c));
    if (at < record.colour.size()) record.colour[at] = clamped<std::uint8_t>(figures.mean(c));
  }
  if (figures.isConstant())
    record.add(Finding::Constant);
  else if (widest < kBlankDeviation)
    record.add(Finding::Blank);
  if (widest < kBlankDeviation) return;  // In a flat picture, noise decides every bit.
  record.look = differenceHash(picture.pixels);
  record.hasLook = 1;
}

void SampleExaminer::labelled(std::uint32_t index, SampleRecord& record) const {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  std::int64_t label = m_source->labelOf(index);
  for (std::size_t f = 0; f < m_fields.size() && label < 0; ++f) {
    const FieldSpec& field = m_fields[f];
    if (field.role != Role::Label || field.oneHot || field.dtype == DType::Encoded ||
        m_sample[f].bytes != sizeOf(m_sample[f].dtype))
      continue;
    double value = -1;
    toDoubles(m_sample[f].dtype, m_sample[f].data, 1, &value);
    if (value >= 0 && value <= kMost && value == std::floor(value))
      label = static_cast<std::int64_t>(value);
  }
  if (label >= 0 && label <= kMost) record.label = static_cast<std::int32_t>(label);
}

void SampleExaminer::examineFields(SampleRecord& record, ChannelSums& sums, std::string& reason) {
  std::optional<Size> first;
  bool measured = false;
  const bool images = std::ranges::any_of(
      m_fields, [](const FieldSpec& field) { return field.role == Role::Image; });
  for (std::size_t f = 0; f < m_fields.size(); ++f) {
    const FieldSpec& field = m_fields[f];
    if (!isPicture(field.role)) continue;
    const bool encoded = m_sample[f].dtype == DType::Encoded;
    const Picture picture = encoded ? decoded(f, reason) : raw(f);
    record.decodeMicros = clamped<std::uint32_t>(record.decodeMicros + picture.micros);
    if (picture.finding) record.add(*picture.finding);
    if (!measured && (field.role == Role::Image || !images)) {
      measured = true;
      record.content = contentHash(m_sample[f].content());
      record.bytes = clamped<std::uint32_t>(static_cast<double>(m_sample[f].bytes));
      take(picture, record, sums);
      if (picture.pixels.data == nullptr && picture.values.data != nullptr &&
          !addValues(picture.values, sums))
        record.add(Finding::NotFinite);
    }
    if (picture.size.width == 0) continue;
    if (field.role == Role::Mask && first && *first != picture.size) {
      record.add(Finding::Mismatched);
      reason = fmt::format("picture {}x{}, mask {}x{}", first->width, first->height,
                           picture.size.width, picture.size.height);
    }
    if (field.role == Role::Image && !first) first = picture.size;
  }
  if (measured) return;
  double bytes = 0;
  for (std::size_t f = 0; f < m_fields.size(); ++f) {
    record.content = contentHash(m_sample[f].content(), record.content);
    bytes += static_cast<double>(m_sample[f].bytes);
  }
  record.bytes = clamped<std::uint32_t>(bytes);
}

void SampleExaminer::examine(std::uint32_t index, ExaminedBlock& block) {
  SampleRecord record;
  ChannelSums sums;
  std::string reason;
  m_sample.reset({0, index, 0}, m_fields.size());
  if (const Status read = m_reader->read(index, m_sample, m_counters); !read) {
    record.add(Finding::Unreadable);
    const std::int64_t label = m_source->labelOf(index);
    record.label = label <= INT32_MAX ? static_cast<std::int32_t>(label) : -1;
    reason = read.error().message;
  } else {
    examineFields(record, sums, reason);
    labelled(index, record);
  }
  record.examined = 1;
  block.records.push_back(record);
  block.sums.add(sums);
  if (!reason.empty()) block.reasons.emplace_back(index, reason.substr(0, kMostReason));
}

}  // namespace millrace
