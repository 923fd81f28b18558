// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gif_lib.h>

#include "core/codecs/animation_canvas.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/gif_blocks.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"

namespace millrace {
namespace {

/// A code of 12 bits decodes to at most 4 096 pixels.
constexpr std::int64_t kGifPixelsPerByte = 4096 * 8 / 12;

struct CloseGif {
  void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
};

class GifCodec final : public Codec {
 public:
  explicit GifCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<ImageInfo> openPicture(std::span<const std::byte> file, std::uint32_t picture) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  static int read(GifFileType* gif, GifByteType* to, int bytes);
  Error failure(int code) const;
  Result<ImageInfo> openUpTo(std::span<const std::byte> file, std::uint32_t frames);
  Status findFrame(GifFileType& gif, const Rect& place) const;
  Status readRows(GifFileType& gif, std::uint8_t* first, int stride) const;
  Status skipRows(GifFileType& gif) const;
  Status unpackFirst(GifFileType& gif);
  Status drawFrames(GifFileType& gif);
  Status unpack();

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::size_t m_at = 0;
  GifBlocks m_blocks;
  bool m_isFrame = false;  ///< the last frame of m_blocks is meant, drawn on the others
  bool m_isUnpacked = false;
  WholePicture m_whole;  ///< the first frame, with its palette
  AnimationCanvas m_canvas;
  Buffer m_indices;  ///< of one frame
  Buffer m_frame;    ///< its colours
};

int GifCodec::read(GifFileType* gif, GifByteType* to, int bytes) {
  auto& self = *static_cast<GifCodec*>(gif->UserData);
  const std::size_t count =
      std::min(self.m_file.size() - self.m_at, static_cast<std::size_t>(std::max(bytes, 0)));
  if (count > 0) std::memcpy(to, self.m_file.data() + self.m_at, count);
  self.m_at += count;
  return static_cast<int>(count);
}

Error GifCodec::failure(int code) const {
  // The library reads exactly what it needs, so at the end it lacked something.
  if (m_at == m_file.size() && (code == D_GIF_ERR_READ_FAILED || code == D_GIF_ERR_EOF_TOO_SOON))
    return truncatedAfter(m_file.size());
  const char* const why = GifErrorString(code);
  return {fmt::format("damaged GIF: {}", why == nullptr ? "giflib rejects it" : why)};
}

Result<ImageInfo> GifCodec::openUpTo(std::span<const std::byte> file, std::uint32_t frames) {
  m_file = file;
  m_isUnpacked = false;
  m_blocks = readGifBlocks(bytesOf(file), frames);
  if (m_blocks.isCut) return truncatedAfter(file.size());
  if (m_blocks.frames.empty()) return Error{"damaged GIF: it has no picture"};
  if (m_blocks.canvas.width == 0 || m_blocks.canvas.height == 0)
    return Error{"damaged GIF: a size of 0 pixels"};
  ImageInfo info;
  info.format = "GIF";
  info.storedSize = m_blocks.canvas;
  info.size = info.storedSize;
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kGifPixelsPerByte));
  return info;
}

Result<ImageInfo> GifCodec::open(std::span<const std::byte> file) {
  m_isFrame = false;
  MILLRACE_ASSIGN_OR_RETURN(ImageInfo info, openUpTo(file, 2));
  info.storedChannels = 1;
  info.isPalette = true;
  info.reduced.addIf(m_blocks.frames.size() > 1, Reduction::Frames);
  info.reduced.addIf(m_blocks.frames.front().transparent >= 0, Reduction::Alpha);
  return info;
}

Result<ImageInfo> GifCodec::openPicture(std::span<const std::byte> file, std::uint32_t picture) {
  m_isFrame = true;
  MILLRACE_ASSIGN_OR_RETURN(ImageInfo info, openUpTo(file, picture + 1));
  const std::vector<GifFrame>& frames = m_blocks.frames;
  if (frames.size() <= picture)
    return Error{fmt::format("it has no frame {}; the file has changed", picture)};
  for (const GifFrame& frame : frames)
    MILLRACE_TRY(checkPlausible(frame.step.place.size(), file.size(), m_limits, kGifPixelsPerByte));
  const Rect all{0, 0, info.size.width, info.size.height};
  const bool clears = std::any_of(frames.begin(), frames.end() - 1, [](const GifFrame& before) {
    return before.step.disposal == Disposal::Clear;
  });
  info.reduced.addIf(clears || frames.front().transparent >= 0 || frames.front().step.place != all,
                     Reduction::Alpha);
  info.storedChannels = info.reduced.has(Reduction::Alpha) ? 4 : 3;
  return info;
}

/// Reads up to the head of the next frame, which is at this place.
Status GifCodec::findFrame(GifFileType& gif, const Rect& place) const {
  while (true) {
    GifRecordType kind = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(&gif, &kind) == GIF_ERROR) return failure(gif.Error);
    if (kind == IMAGE_DESC_RECORD_TYPE) {
      if (DGifGetImageDesc(&gif) == GIF_ERROR) return failure(gif.Error);
      const GifImageDesc& found = gif.Image;
      if (Rect{found.Left, found.Top, found.Width, found.Height} != place || place.width == 0 ||
          place.height == 0)
        return Error{"damaged GIF: a frame has no size"};
      return {};
    }
    if (kind != EXTENSION_RECORD_TYPE) return Error{"damaged GIF: it has no picture"};
    int code = 0;
    GifByteType* data = nullptr;
    if (DGifGetExtension(&gif, &code, &data) == GIF_ERROR) return failure(gif.Error);
    while (data != nullptr)
      if (DGifGetExtensionNext(&gif, &data) == GIF_ERROR) return failure(gif.Error);
  }
}

/// Reads the frame's indices; `first` is its top left one.
Status GifCodec::readRows(GifFileType& gif, std::uint8_t* first, int stride) const {
  const GifImageDesc& frame = gif.Image;
  struct Pass {
    int first;
    int step;
  };
  std::vector<Pass> passes{{0, 1}};
  if (frame.Interlace) passes = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  for (const Pass pass : passes)
    for (int y = pass.first; y < frame.Height; y += pass.step)
      if (DGifGetLine(&gif, first + std::ptrdiff_t{y} * stride, frame.Width) == GIF_ERROR)
        return failure(gif.Error);
  return {};
}

/// Passes a frame whose data is not needed.
Status GifCodec::skipRows(GifFileType& gif) const {
  int codeSize = 0;
  GifByteType* data = nullptr;
  if (DGifGetCode(&gif, &codeSize, &data) == GIF_ERROR) return failure(gif.Error);
  while (data != nullptr)
    if (DGifGetCodeNext(&gif, &data) == GIF_ERROR) return failure(gif.Error);
  return {};
}

WholePicture::Palette paletteOf(const GifFileType& gif) {
  WholePicture::Palette palette{};
  const ColorMapObject* map = gif.Image.ColorMap != nullptr ? gif.Image.ColorMap : gif.SColorMap;
  // Without colours, other readers take the indices for grey values.
  for (std::size_t i = 0; map == nullptr && i < palette.size(); ++i)
    palette[i].fill(static_cast<std::uint8_t>(i));
  for (std::size_t i = 0; map != nullptr && i < static_cast<std::size_t>(map->ColorCount); ++i)
    palette[i] = {map->Colors[i].Red, map->Colors[i].Green, map->Colors[i].Blue};
  return palette;
}

Status GifCodec::unpackFirst(GifFileType& gif) {
  const Rect place = m_blocks.frames.front().step.place;
  MILLRACE_TRY(findFrame(gif, place));
  const int width = m_blocks.canvas.width;
  std::uint8_t* canvas = m_whole.reserve(m_blocks.canvas, 1);
  std::memset(canvas, m_blocks.background, m_whole.bytes());
  MILLRACE_TRY(readRows(gif, canvas + std::ptrdiff_t{place.y} * width + place.x, width));
  m_whole.setPalette(paletteOf(gif), m_blocks.frames.front().transparent);
  return {};
}

Status GifCodec::drawFrames(GifFileType& gif) {
  const std::size_t drawn = m_canvas.drawn(m_file, m_blocks.frames.size());
  for (std::size_t i = 0; i < m_blocks.frames.size(); ++i) {
    const GifFrame& frame = m_blocks.frames[i];
    const Rect place = frame.step.place;
    MILLRACE_TRY(findFrame(gif, place));
    if (i < drawn) {
      MILLRACE_TRY(skipRows(gif));
      continue;
    }
    const WholePicture::Palette palette = paletteOf(gif);
    if (i == 0)
      m_canvas.begin(m_blocks.canvas, palette[static_cast<std::size_t>(m_blocks.background)]);
    const std::size_t pixels =
        static_cast<std::size_t>(place.width) * static_cast<std::size_t>(place.height);
    auto* const indices = reinterpret_cast<std::uint8_t*>(m_indices.reserve(pixels));
    MILLRACE_TRY(readRows(gif, indices, place.width));
    auto* const colours = reinterpret_cast<std::uint8_t*>(m_frame.reserve(4 * pixels));
    for (std::size_t k = 0; k < pixels; ++k) {
      std::ranges::copy(palette[indices[k]], colours + 4 * k);
      colours[4 * k + 3] = indices[k] == frame.transparent ? 0 : 255;
    }
    m_canvas.draw(frame.step, {colours, place.width, place.height, 4, 4 * place.width});
  }
  return {};
}

Status GifCodec::unpack() {
  m_at = 0;
  int code = 0;
  const std::unique_ptr<GifFileType, CloseGif> gif(DGifOpen(this, read, &code));
  if (!gif) return failure(code);
  MILLRACE_TRY(m_isFrame ? drawFrames(*gif) : unpackFirst(*gif));
  m_isUnpacked = true;
  return {};
}

Result<DecodedImage> GifCodec::decode(const StoredRequest& request) {
  if (!m_isUnpacked) MILLRACE_TRY(unpack());
  return m_isFrame ? m_canvas.part(request.region, request.form)
                   : m_whole.part(request.region, request.form);
}

}  // namespace

CodecLibrary gifLibrary() {
  return {"gif", fmt::format("{}.{}.{}", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)};
}

std::unique_ptr<Codec> makeGifDecoder(const DecodeLimits& limits) {
  return std::make_unique<GifCodec>(limits);
}

}  // namespace millrace
