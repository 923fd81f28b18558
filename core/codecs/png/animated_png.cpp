// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/png/animated_png.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/codecs/png/png_head.h"
#include "core/codecs/several_pictures.h"

namespace millrace::png {

namespace {

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kHeadBytes = 13;
constexpr std::size_t kFrameControlBytes = 26;
constexpr std::size_t kSequenceBytes = 4;

std::array<std::byte, 4> bytesOfNumber(std::uint32_t number) {
  return {std::byte(number >> 24U), std::byte(number >> 16U & 0xffU),
          std::byte(number >> 8U & 0xffU), std::byte(number & 0xffU)};
}

/// The content of fcTL; false if it is invalid.
bool readControl(std::span<const std::byte> data, FrameStep& step) {
  if (data.size() != kFrameControlBytes) return false;
  const std::uint32_t width = numberAt(data, 4);
  const std::uint32_t height = numberAt(data, 8);
  const std::uint32_t left = numberAt(data, 12);
  const std::uint32_t top = numberAt(data, 16);
  constexpr std::uint32_t kLargest = 1U << 30U;
  if (width == 0 || height == 0 || width > kLargest || height > kLargest || left > kLargest ||
      top > kLargest)
    return false;
  step.place = {static_cast<int>(left), static_cast<int>(top), static_cast<int>(width),
                static_cast<int>(height)};
  const auto disposal = std::to_integer<unsigned>(data[24]);
  step.disposal = disposal > 2 ? Disposal::Keep : static_cast<Disposal>(disposal);
  step.blends = data[25] == std::byte{1};
  return true;
}

}  // namespace

std::uint32_t countFrames(const ReadBytes& read) {
  std::uint32_t frames = 0;
  bool isAnimated = false;
  std::array<std::byte, 8> head{};
  std::uint64_t at = kSignatureBytes;
  while (read(at, head) == head.size() && frames < kMostPictures) {
    const std::uint32_t type = numberAt(head, 4);
    isAnimated = isAnimated || type == chunkType("acTL");
    if (type == chunkType("IEND") || (type == chunkType("IDAT") && !isAnimated)) break;
    if (type == chunkType("fcTL")) ++frames;
    at += std::uint64_t{numberAt(head, 0)} + kSignatureBytes + 4;
  }
  return isAnimated ? frames : 0;
}

void AnimatedPng::putChunk(const char* type, std::span<const std::byte> data) {
  const auto put = [this](std::span<const std::byte> bytes) {
    m_made.insert(m_made.end(), bytes.begin(), bytes.end());
  };
  put(bytesOfNumber(static_cast<std::uint32_t>(data.size())));
  const std::size_t first = m_made.size();
  put(std::as_bytes(std::span(type, 4)));
  put(data);
  const auto* summed = reinterpret_cast<const std::uint8_t*>(m_made.data()) + first;
  put(bytesOfNumber(crc32_gzip_refl(0, summed, m_made.size() - first)));
}

/// Finds the data of the first `count` frames; the last may be incomplete.
Status AnimatedPng::readFrames(std::uint32_t count) {
  m_frames.clear();
  m_shared.clear();
  m_isCut = false;
  Chunk chunk;
  bool hasPicture = false;
  for (std::size_t at = kSignatureBytes; chunkAt(m_file, at, chunk); at = chunk.end + 4) {
    const bool isData = chunk.type == chunkType("IDAT");
    const bool isFrameData = chunk.type == chunkType("fdAT");
    hasPicture = hasPicture || isData;
    const bool isShared =
        !hasPicture && (chunk.type == chunkType("PLTE") || chunk.type == chunkType("tRNS"));
    if (isShared) {
      const auto whole = m_file.subspan(at, std::min(chunk.end + 4, m_file.size()) - at);
      m_shared.insert(m_shared.end(), whole.begin(), whole.end());
    }
    if ((isFrameData || chunk.type == chunkType("fcTL")) && !hasRightSum(m_file, chunk))
      return Error{"damaged PNG: the sum of a frame's chunk is wrong"};
    if (chunk.type == chunkType("fcTL")) {
      if (m_frames.size() == count) return {};
      if (!readControl(chunk.data, m_frames.emplace_back().step))
        return Error{
            fmt::format("damaged PNG: the head of frame {} is invalid", m_frames.size() - 1)};
    } else if (!m_frames.empty() && isData) {
      m_frames.back().data.push_back(chunk.data);
    } else if (!m_frames.empty() && isFrameData && chunk.data.size() >= kSequenceBytes) {
      m_frames.back().data.push_back(chunk.data.subspan(kSequenceBytes));
    }
  }
  m_isCut = chunk.type != chunkType("IEND");
  return {};
}

Status AnimatedPng::open(std::span<const std::byte> file, std::uint32_t frame, ImageInfo& info) {
  m_file = file;
  m_size = info.storedSize;
  m_isDrawn = false;
  MILLRACE_TRY(readFrames(frame + 1));
  if (m_frames.size() <= frame)
    return Error{fmt::format("it has no frame {}; the file has changed", frame)};
  const Rect all{0, 0, m_size.width, m_size.height};
  const bool clears = std::any_of(m_frames.begin(), m_frames.end() - 1, [](const Frame& before) {
    return before.step.disposal == Disposal::Clear;
  });
  info.reduced.addIf(clears || m_frames.front().step.place != all, Reduction::Alpha);
  info.isPalette = false;
  info.storedChannels = info.reduced.has(Reduction::Alpha) ? 4 : 3;
  return {};
}

/// Like the whole file, with the frame as its still picture.
std::span<const std::byte> AnimatedPng::fileOf(const Frame& frame) {
  m_made.assign(m_file.begin(), m_file.begin() + kSignatureBytes);
  std::array<std::byte, kHeadBytes> head{};
  std::ranges::copy(m_file.subspan(kSignatureBytes + 8, kHeadBytes), head.begin());
  std::ranges::copy(bytesOfNumber(static_cast<std::uint32_t>(frame.step.place.width)),
                    head.begin());
  std::ranges::copy(bytesOfNumber(static_cast<std::uint32_t>(frame.step.place.height)),
                    head.begin() + 4);
  putChunk("IHDR", head);
  m_made.insert(m_made.end(), m_shared.begin(), m_shared.end());
  for (const std::span<const std::byte> data : frame.data) putChunk("IDAT", data);
  putChunk("IEND", {});
  return m_made;
}

Status AnimatedPng::drawFrame(const Frame& frame) {
  MILLRACE_TRY(m_still->open(fileOf(frame)));
  StoredRequest whole;
  whole.region = {0, 0, frame.step.place.width, frame.step.place.height};
  whole.form = PixelForm::Rgba;
  MILLRACE_ASSIGN_OR_RETURN(const DecodedImage pixels, m_still->decode(whole));
  m_canvas.draw(frame.step, pixels.pixels);
  return {};
}

Status AnimatedPng::draw() {
  const std::size_t first = m_canvas.drawn(m_file, m_frames.size());
  if (first == 0) m_canvas.begin(m_size, {});
  for (std::size_t i = first; i < m_frames.size(); ++i)
    if (const Status drawn = drawFrame(m_frames[i]); !drawn)
      return m_isCut ? Status(truncatedAfter(m_file.size())) : drawn;
  m_isDrawn = true;
  return {};
}

Result<DecodedImage> AnimatedPng::decode(const StoredRequest& request) {
  if (!m_isDrawn) MILLRACE_TRY(draw());
  return m_canvas.part(request.region, request.form);
}

}  // namespace millrace::png
