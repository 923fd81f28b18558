// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/codecs/codec_entry.h"
#include "core/codecs/jpeg/block_layout.h"
#include "core/codecs/jpeg/entropy_decoder.h"
#include "core/codecs/jpeg/jpeg_head.h"
#include "core/codecs/jpeg/region_plan.h"
#include "core/codecs/jpeg/side_index.h"
#include "core/data/buffer.h"

namespace millrace::jpeg {

/// Decodes ordinary baseline JPEG files. It is designed for decoding a region at a scale: blocks
/// outside the region are entropy-decoded but not stored, nothing below it is read, and
/// coefficients stay in the first-level cache. Its pixels equal libjpeg-turbo's (JDCT_ISLOW, smooth
/// upsampling) bit for bit, so any file that it rejects can be decoded by the library instead, and
/// only the time differs. The exception is `request.planes`, which returns the components as
/// stored; the library cannot do that. For use by one thread; keeps its memory, and never allocates
/// more than the region needs because of what a header says.
class BaselineDecoder {
 public:
  /// Reads the header. Returns DecodeRoute::Own if it can decode the file; `file` must then outlive
  /// the decodes.
  DecodeRoute open(std::span<const std::byte> file);
  const Head& head() const { return m_head; }

  /// After open() returned Own, any number of times. Returns DecodeRoute::Own and fills `image`, or
  /// reports invalid data and leaves `image` unchanged. The pixels are valid until the next call.
  /// `request.sideIndex` is used if the region omits rows of MCUs above it or columns to its right:
  /// decoding starts at the lowest indexed row that the region needs, continues from indexed row to
  /// indexed row, and adds the other rows that it passes.
  DecodeRoute decode(const StoredRequest& request, DecodedImage& image);

 private:
  static constexpr std::size_t kChunkMcus = 16;
  /// 16 MCUs of 6 blocks, plus one for blocks that are not needed.
  static constexpr std::size_t kChunkGroups = kChunkMcus * kMaxMcuBlocks / kGroupBlocks + 1;

  struct Plane {
    Buffer bytes;
    std::size_t stride = 0;
    int rows = 0;         ///< rows that are kept: those of two rows of MCUs, or all
    int firstRow = 0;     ///< the row of the first byte if all rows are kept; else a multiple of
                          ///< `rows`
    int firstColumn = 0;  ///< the column of the first byte
  };

  bool decodeIndexed(std::vector<std::byte>& bytes, SideIndexUse& use);
  bool decodeRows(SideIndex* index);
  void beginRow(const SideIndex* index, int mcuRow);
  bool endRow(SideIndex* index, int mcuRow, std::size_t mcus);
  void preparePlanes();
  void preparePixels();
  void placeBlocks(int mcuRow);
  bool decodeMcuRow(int mcuRow);
  bool transform(int mcuRow, int mcu, std::size_t mcus);
  std::uint8_t* samples(std::size_t component, int row, int column);
  void writeLines(int end);
  const std::uint8_t* chromaLine(std::size_t component, int line, Buffer& wide);
  void fillPixels(DecodedImage& image, const StoredRequest& request) const;
  void fillPlanes(DecodedImage& image, const StoredRequest& request);

  std::span<const std::byte> m_file;
  Head m_head;
  EntropyDecoder m_entropy;
  SideIndex m_index;

  // Valid during one decode.
  RegionPlan m_plan;
  bool m_keepsPlanes = false;
  int m_channels = 0;
  int m_nextLine = 0;
  std::size_t m_skippedMcus = 0;  ///< because of the side index
  std::array<std::uint32_t, kChunkMcus * kMaxMcuBlocks> m_targets{};

  // Kept between decodes.
  std::array<Plane, 3> m_planes;
  Buffer m_pixels;
  Buffer m_sums;
  Buffer m_blue;
  Buffer m_red;
  alignas(64) std::array<std::int16_t, kChunkGroups * kGroupStride> m_coefficients{};
};

}  // namespace millrace::jpeg
