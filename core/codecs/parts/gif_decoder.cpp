// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gif_lib.h>

#include "core/base/little_endian.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"

namespace millrace {
namespace {

/// A code of 12 bits decodes to at most 4 096 pixels.
constexpr std::int64_t kGifPixelsPerByte = 4096 * 8 / 12;

/// What the blocks of a GIF file say, read without its library: GIF89a, sections 18 to 24.
struct GifBlocks {
  Size canvas;             ///< the screen, extended to the first frame
  int background = 0;      ///< index of what the first frame does not cover
  bool hasAlpha = false;   ///< the first frame has a transparent index
  bool hasFrame = false;   ///< there is a first frame
  bool hasFrames = false;  ///< and another one
};

class GifBlockReader {
 public:
  explicit GifBlockReader(std::span<const std::byte> file) : m_file(file) {}

  /// `truncated`: the file ends before the first frame's data.
  GifBlocks read(bool& truncated) {
    truncated = m_file.size() < kScreenEnd;
    if (truncated) return m_blocks;
    m_blocks.canvas = {word(6), word(8)};
    m_blocks.background = byte(11);
    m_at = kScreenEnd + coloursAfter(byte(10));
    while (m_at < m_file.size() && !m_blocks.hasFrames && readBlock()) {
    }
    truncated = !m_blocks.hasFrame && m_at >= m_file.size();
    return m_blocks;
  }

 private:
  static constexpr std::size_t kScreenEnd = 13;
  static constexpr std::size_t kFrameHead = 10;

  int byte(std::size_t at) const { return std::to_integer<int>(m_file[at]); }
  int word(std::size_t at) const { return littleEndian<std::uint16_t>(m_file.data() + at); }
  static std::size_t coloursAfter(int flags) {
    return (flags & 0x80) == 0 ? 0 : std::size_t{3} << ((static_cast<unsigned>(flags) & 7U) + 1U);
  }

  /// False at the end, or at a byte that begins no block.
  bool readBlock() {
    const int kind = byte(m_at);
    if (kind == ',') return readFrame();
    if (kind != '!' || m_at + 2 > m_file.size()) return false;
    constexpr int kGraphicControl = 0xf9;
    if (!m_blocks.hasFrame && m_at + 7 <= m_file.size() && byte(m_at + 1) == kGraphicControl &&
        byte(m_at + 2) == 4) {
      m_blocks.hasAlpha = (byte(m_at + 3) & 1) != 0;
      if (m_blocks.hasAlpha) m_blocks.background = byte(m_at + 6);
    }
    m_at += 2;
    skipData();
    return true;
  }

  bool readFrame() {
    if (m_file.size() - m_at < kFrameHead) {
      m_at = m_file.size();
      return false;
    }
    m_blocks.hasFrames = m_blocks.hasFrame;
    if (m_blocks.hasFrame) return false;
    m_blocks.hasFrame = true;
    Size& canvas = m_blocks.canvas;
    canvas.width = std::max(canvas.width, word(m_at + 1) + word(m_at + 5));
    canvas.height = std::max(canvas.height, word(m_at + 3) + word(m_at + 7));
    m_at += kFrameHead + coloursAfter(byte(m_at + 9)) + 1;
    skipData();
    return true;
  }

  void skipData() {
    while (m_at < m_file.size() && byte(m_at) != 0)
      m_at += 1 + static_cast<std::size_t>(byte(m_at));
    ++m_at;
  }

  std::span<const std::byte> m_file;
  std::size_t m_at = 0;
  GifBlocks m_blocks;
};

struct CloseGif {
  void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
};

class GifCodec final : public Codec {
 public:
  explicit GifCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  static int read(GifFileType* gif, GifByteType* to, int bytes);
  Error failure(int code) const;
  Status unpack();
  Status findFrame(GifFileType& gif) const;
  Status readRows(GifFileType& gif, std::uint8_t* canvas);

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::size_t m_at = 0;
  GifBlocks m_blocks;
  bool m_isUnpacked = false;
  WholePicture m_whole;
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

Result<ImageInfo> GifCodec::open(std::span<const std::byte> file) {
  m_file = file;
  m_isUnpacked = false;
  bool truncated = false;
  m_blocks = GifBlockReader(file).read(truncated);
  if (truncated) return truncatedAfter(file.size());
  if (!m_blocks.hasFrame) return Error{"damaged GIF: it has no picture"};
  if (m_blocks.canvas.width == 0 || m_blocks.canvas.height == 0)
    return Error{"damaged GIF: a size of 0 pixels"};
  ImageInfo info;
  info.format = "GIF";
  info.storedSize = m_blocks.canvas;
  info.size = info.storedSize;
  info.storedChannels = 1;
  info.isPalette = true;
  info.reduced.addIf(m_blocks.hasFrames, Reduction::Frames);
  info.reduced.addIf(m_blocks.hasAlpha, Reduction::Alpha);
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kGifPixelsPerByte));
  return info;
}

/// Reads up to the head of the first frame.
Status GifCodec::findFrame(GifFileType& gif) const {
  while (true) {
    GifRecordType kind = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(&gif, &kind) == GIF_ERROR) return failure(gif.Error);
    if (kind == IMAGE_DESC_RECORD_TYPE)
      return DGifGetImageDesc(&gif) == GIF_ERROR ? Status(failure(gif.Error)) : Status();
    if (kind != EXTENSION_RECORD_TYPE) return Error{"damaged GIF: it has no picture"};
    int code = 0;
    GifByteType* data = nullptr;
    if (DGifGetExtension(&gif, &code, &data) == GIF_ERROR) return failure(gif.Error);
    while (data != nullptr)
      if (DGifGetExtensionNext(&gif, &data) == GIF_ERROR) return failure(gif.Error);
  }
}

Status GifCodec::readRows(GifFileType& gif, std::uint8_t* canvas) {
  const GifImageDesc& frame = gif.Image;
  const Size size = m_blocks.canvas;
  if (frame.Left < 0 || frame.Top < 0 || frame.Width <= 0 || frame.Height <= 0 ||
      frame.Left > size.width - frame.Width || frame.Top > size.height - frame.Height)
    return Error{"damaged GIF: its first frame has no size"};
  struct Pass {
    int first;
    int step;
  };
  std::vector<Pass> passes{{0, 1}};
  if (frame.Interlace) passes = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  for (const Pass pass : passes)
    for (int y = pass.first; y < frame.Height; y += pass.step) {
      std::uint8_t* row = canvas + static_cast<std::ptrdiff_t>(frame.Top + y) * size.width;
      if (DGifGetLine(&gif, row + frame.Left, frame.Width) == GIF_ERROR) return failure(gif.Error);
    }
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

Status GifCodec::unpack() {
  m_at = 0;
  int code = 0;
  const std::unique_ptr<GifFileType, CloseGif> gif(DGifOpen(this, read, &code));
  if (!gif) return failure(code);
  MILLRACE_TRY(findFrame(*gif));
  std::uint8_t* canvas = m_whole.reserve(m_blocks.canvas, 1);
  std::memset(canvas, m_blocks.background, m_whole.bytes());
  MILLRACE_TRY(readRows(*gif, canvas));
  m_whole.setPalette(paletteOf(*gif), m_blocks.hasAlpha ? m_blocks.background : -1);
  m_isUnpacked = true;
  return {};
}

Result<DecodedImage> GifCodec::decode(const StoredRequest& request) {
  if (!m_isUnpacked) MILLRACE_TRY(unpack());
  return m_whole.part(request.region, request.form);
}

}  // namespace

CodecLibrary gifLibrary() {
  return {"gif", fmt::format("{}.{}.{}", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)};
}

std::unique_ptr<Codec> makeGifDecoder(const DecodeLimits& limits) {
  return std::make_unique<GifCodec>(limits);
}

}  // namespace millrace
