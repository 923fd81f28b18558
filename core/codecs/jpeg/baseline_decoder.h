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

/// Decodes the baseline JPEG files that photos usually are, made for "a region, at a scale, to
/// pixels": blocks outside the region are entropy-decoded and forgotten, nothing below it is read,
/// and coefficients never leave the nearest cache. Its pixels are libjpeg-turbo's, bit for bit
/// (JDCT_ISLOW, smooth upsampling), so a caller may hand any file that it does not take to the
/// library and nobody sees a difference but in time. `request.planes` is the exception: it leaves
/// the components as they are stored, and the library has no such answer. One thread; keeps its
/// memory, takes none on the word of a head beyond what the region asked for needs.
class BaselineDecoder {
 public:
  /// Reads the head. DecodeRoute::Own when the file is for us; `file` must then outlive the
  /// decodes.
  DecodeRoute open(std::span<const std::byte> file);
  const Head& head() const { return m_head; }

  /// After an open that gave Own, any number of times. DecodeRoute::Own with `image` filled; else
  /// the data is not sound, and `image` is untouched. The pixels live until the next call.
  /// `request.sideIndex` counts where the region leaves out rows of MCUs above or columns at the
  /// right. Decoding then begins at the lowest row that it knows and the region needs, goes from
  /// known row to known row, and adds the others that it passes.
  DecodeRoute decode(const StoredRequest& request, DecodedImage& image);

 private:
  static constexpr std::size_t kChunkMcus = 16;
  /// 16 MCUs of 6 blocks, and one for blocks that nobody wants.
  static constexpr std::size_t kChunkGroups = kChunkMcus * kMaxMcuBlocks / kGroupBlocks + 1;

  struct Plane {
    Buffer bytes;
    std::size_t stride = 0;
    int rows = 0;         ///< kept at a time: those of two rows of MCUs, or of all
    int firstRow = 0;     ///< of the first byte, where all are kept; else a multiple of `rows`
    int firstColumn = 0;  ///< of the first byte
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

  // Of one decode.
  RegionPlan m_plan;
  bool m_keepsPlanes = false;
  int m_channels = 0;
  int m_nextLine = 0;
  std::size_t m_skippedMcus = 0;  ///< thanks to the index
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
