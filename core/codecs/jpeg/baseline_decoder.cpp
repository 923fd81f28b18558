// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/baseline_decoder.h"

#include <algorithm>
#include <cstring>

#include "core/codecs/jpeg/inverse_dct.h"

namespace millrace::jpeg {
namespace {

std::size_t size(int value) { return static_cast<std::size_t>(value); }

/// The number of groups in a chunk for one row of a component's blocks.
std::size_t groupsOf(const ComponentPlan& component, std::size_t mcus) {
  return (mcus * size(component.horizontal) + kGroupBlocks - 1) / kGroupBlocks;
}

}  // namespace

DecodeRoute BaselineDecoder::open(std::span<const std::byte> file) {
  m_file = file;
  const DecodeRoute route = readHead(file, m_head);
  return route == DecodeRoute::Own ? m_entropy.setTables(m_head) : route;
}

DecodeRoute BaselineDecoder::decode(const StoredRequest& request, DecodedImage& image) {
  const bool grey =
      request.form == PixelForm::Grey || (m_head.components == 1 && request.form != PixelForm::Rgb);
  m_keepsPlanes = request.planes;
  m_plan = planRegion(m_head, request.region, request.scale, grey,
                      m_keepsPlanes ? ChromaUse::Apart : ChromaUse::Widened);
  m_channels = grey ? 1 : 3;
  // From the top and in full width there is nothing to skip.
  const bool isPart = m_plan.firstMcuRow > 0 || m_plan.lastMcu + 1 < m_plan.mcusAcross;
  SideIndexUse use;
  const bool isSound = request.sideIndex != nullptr && isPart
                           ? decodeIndexed(*request.sideIndex, use)
                           : decodeRows(nullptr);
  if (!isSound) return DecodeRoute::Data;
  if (m_keepsPlanes)
    fillPlanes(image, request);
  else
    fillPixels(image, request);
  image.scale = request.scale;
  image.warnings = 0;
  image.sideIndex = use;
  return DecodeRoute::Own;
}

/// If decoding with the index fails, decodes from the top. If that succeeds the index was wrong;
/// otherwise the data is invalid and the index stays unchanged.
bool BaselineDecoder::decodeIndexed(std::vector<std::byte>& bytes, SideIndexUse& use) {
  m_index.clear(m_head);
  use.wrong = !bytes.empty() && !m_index.read(bytes, m_file, m_head);
  int known = m_index.rows();
  bool isSound = decodeRows(&m_index);
  if (!isSound && known > 1) {
    m_index.clear(m_head);
    use.wrong = true;
    known = 1;
    isSound = decodeRows(&m_index);
  }
  if (!isSound) return false;
  use.skippedMcus = m_skippedMcus;
  use.changed = m_index.rows() > known;
  if (use.changed) m_index.write(m_file, bytes);
  return true;
}

bool BaselineDecoder::decodeRows(SideIndex* index) {
  int row = index == nullptr ? 0 : std::min(m_plan.firstMcuRow, index->rows() - 1);
  m_skippedMcus = size(row) * size(m_plan.mcusAcross);
  beginRow(index, row);
  for (; row < m_plan.firstMcuRow; ++row)
    if (!endRow(index, row, size(m_plan.mcusAcross))) return false;
  preparePlanes();
  if (!m_keepsPlanes) preparePixels();
  for (; row <= m_plan.lastMcuRow; ++row) {
    const bool isLast = row == m_plan.lastMcuRow;
    if (!decodeMcuRow(row)) return false;
    // After the last pixel of the region nothing is needed.
    if (!isLast && !endRow(index, row, size(m_plan.mcusAcross - 1 - m_plan.lastMcu))) return false;
    if (m_keepsPlanes) continue;
    const int below = (row + 1) * m_plan.linesPerMcuRow - (m_plan.smoothsDown ? 1 : 0);
    writeLines(isLast ? m_plan.bottom : std::min(below, m_plan.bottom));
  }
  return true;
}

/// Starts at an indexed row. If the next row is indexed too, stuffing is removed from this row
/// only; its last bits may be in the first byte of the next row, which may be stuffed.
void BaselineDecoder::beginRow(const SideIndex* index, int mcuRow) {
  std::span<const std::byte> scan = m_file.subspan(m_head.scanStart);
  if (index == nullptr) return m_entropy.begin(m_head, scan);
  if (mcuRow + 1 < index->rows()) {
    const auto end = static_cast<std::size_t>(index->row(mcuRow + 1).bit / 8 + 2);
    scan = scan.first(std::min(end, scan.size()));
  }
  m_entropy.begin(m_head, scan, index->row(mcuRow), size(mcuRow) * size(m_plan.mcusAcross));
}

/// Moves to the next row: past the `mcus` MCUs that are left, or by the index.
bool BaselineDecoder::endRow(SideIndex* index, int mcuRow, std::size_t mcus) {
  if (index != nullptr && mcuRow + 1 < index->rows()) {
    m_skippedMcus += mcus;
    beginRow(index, mcuRow + 1);
    return true;
  }
  if (!m_entropy.skip(mcus)) return false;
  if (index == nullptr) return true;
  ScanPlace place;
  if (!m_entropy.tellPlace(place)) return false;
  if (mcuRow + 1 == index->rows()) index->add(place);
  return true;
}

void BaselineDecoder::preparePlanes() {
  const int mcus = m_plan.lastMcu - m_plan.firstMcu + 1;
  for (std::size_t c = 0; c < size(m_plan.components); ++c) {
    const ComponentPlan& component = m_plan.component[c];
    Plane& plane = m_planes[c];
    const int mcuRows = m_keepsPlanes ? m_plan.lastMcuRow - m_plan.firstMcuRow + 1 : 2;
    plane.rows = mcuRows * component.mcuRows();
    plane.firstRow = m_keepsPlanes ? m_plan.firstMcuRow * component.mcuRows() : 0;
    plane.firstColumn = m_plan.firstMcu * component.mcuColumns();
    // The last group of a row may extend past the last block.
    plane.stride = (size(mcus * component.mcuColumns()) + 2 * kRowOverrun) / 64 * 64;
    plane.bytes.reserve(plane.stride * size(plane.rows) + kRowOverrun);
  }
}

void BaselineDecoder::preparePixels() {
  const std::size_t width = size(m_plan.right - m_plan.left);
  m_pixels.reserve(width * size(m_plan.bottom - m_plan.top) * size(m_channels) + kRowOverrun);
  m_sums.reserve((width + kRowOverrun) * sizeof(std::int16_t));
  m_blue.reserve(width + 2 * kRowOverrun);
  m_red.reserve(width + 2 * kRowOverrun);
  m_nextLine = m_plan.top;
}

/// Sets where the entropy decoder writes the blocks of a chunk: one row of groups for each
/// component and each row of its blocks in an MCU. Blocks that are not needed go to the last group.
void BaselineDecoder::placeBlocks(int mcuRow) {
  constexpr std::size_t kUnwanted = (kChunkGroups - 1) * kGroupStride;
  std::size_t block = 0;
  std::size_t begin = 0;
  for (std::size_t c = 0; c < size(m_head.components); ++c) {
    const ComponentPlan& component = m_plan.component[c];
    for (int j = 0; j < component.vertical; ++j) {
      const bool wanted =
          c < size(m_plan.components) && component.needsBlockRow(mcuRow * component.vertical + j);
      for (std::size_t i = 0; i < size(component.horizontal); ++i, ++block)
        for (std::size_t mcu = 0; mcu < kChunkMcus; ++mcu)
          m_targets[mcu * m_entropy.blocksPerMcu() + block] = static_cast<std::uint32_t>(
              wanted ? begin + blockOffset(mcu * size(component.horizontal) + i) : kUnwanted);
      begin += groupsOf(component, kChunkMcus) * kGroupStride;
    }
  }
}

bool BaselineDecoder::decodeMcuRow(int mcuRow) {
  placeBlocks(mcuRow);
  if (!m_entropy.skip(size(m_plan.firstMcu))) return false;
  for (int mcu = m_plan.firstMcu; mcu <= m_plan.lastMcu; mcu += static_cast<int>(kChunkMcus)) {
    const std::size_t mcus = std::min(kChunkMcus, size(m_plan.lastMcu - mcu + 1));
    m_coefficients.fill(0);
    if (!m_entropy.decode(mcus, m_coefficients.data(), m_targets.data())) return false;
    if (!transform(mcuRow, mcu, mcus)) return false;
  }
  return true;
}

bool BaselineDecoder::transform(int mcuRow, int mcu, std::size_t mcus) {
  const std::int16_t* from = m_coefficients.data();
  for (std::size_t c = 0; c < size(m_plan.components); ++c) {
    const ComponentPlan& component = m_plan.component[c];
    const QuantTable& quant = m_head.quant[m_head.component[c].quantTable];
    for (int j = 0; j < component.vertical; ++j) {
      const int blockRow = mcuRow * component.vertical + j;
      std::uint8_t* const to =
          samples(c, blockRow * component.blockSize, mcu * component.mcuColumns());
      if (component.needsBlockRow(blockRow) &&
          !inverseDct(from, groupsOf(component, mcus), quant, component.blockSize, to,
                      m_planes[c].stride))
        return false;
      from += groupsOf(component, kChunkMcus) * kGroupStride;
    }
  }
  return true;
}

std::uint8_t* BaselineDecoder::samples(std::size_t component, int row, int column) {
  Plane& plane = m_planes[component];
  return reinterpret_cast<std::uint8_t*>(plane.bytes.data()) +
         size((row - plane.firstRow) % plane.rows) * plane.stride +
         size(column - plane.firstColumn);
}

/// One line of chroma for the region's columns: a row of the plane, or one computed in `wide`.
const std::uint8_t* BaselineDecoder::chromaLine(std::size_t c, int line, Buffer& wide) {
  const ComponentPlan& component = m_plan.component[c];
  const int first = m_plan.left / component.widening;
  const int last = (m_plan.right - 1) / component.widening;
  const int row = line / component.heightening;
  ChromaRow from;
  from.samples = samples(c, row, first);
  if (component.across == Upsampling::None && !component.smoothsDown) return from.samples;
  if (component.smoothsDown) {
    from.isLower = line % 2 != 0;
    const int near = from.isLower ? std::min(row + 1, component.rows - 1) : std::max(row - 1, 0);
    from.near = samples(c, near, first);
  }
  from.count = last - first + 1;
  from.hasLeft = first > 0;
  from.hasRight = last + 1 < component.columns;
  auto* const out = reinterpret_cast<std::uint8_t*>(wide.data());
  upsampleRow(from, component.across, reinterpret_cast<std::int16_t*>(m_sums.data()), out);
  return out + (m_plan.left - first * component.widening);
}

void BaselineDecoder::writeLines(int end) {
  const int width = m_plan.right - m_plan.left;
  const std::size_t lineBytes = size(width * m_channels);
  auto* out = reinterpret_cast<std::uint8_t*>(m_pixels.data()) +
              size(std::max(m_nextLine - m_plan.top, 0)) * lineBytes;
  for (; m_nextLine < end; ++m_nextLine, out += lineBytes) {
    const std::uint8_t* luma = samples(0, m_nextLine, m_plan.left);
    if (m_channels == 1) {
      std::memcpy(out, luma, lineBytes);
    } else if (m_plan.components == 1) {
      greyToRgb(luma, width, out);
    } else {
      const std::uint8_t* const blue = chromaLine(1, m_nextLine, m_blue);
      ycbcrToRgb(luma, blue, chromaLine(2, m_nextLine, m_red), width, out);
    }
  }
}

void BaselineDecoder::fillPixels(DecodedImage& image, const StoredRequest& request) const {
  const int width = m_plan.right - m_plan.left;
  image.pixels = {reinterpret_cast<const std::uint8_t*>(m_pixels.data()), width,
                  m_plan.bottom - m_plan.top, m_channels, std::ptrdiff_t{width} * m_channels};
  const Rect asked = request.region;
  const double step = request.scale;
  image.region = {asked.x / step - m_plan.left, asked.y / step - m_plan.top,
                  (asked.x + asked.width) / step - m_plan.left,
                  (asked.y + asked.height) / step - m_plan.top};
}

void BaselineDecoder::fillPlanes(DecodedImage& image, const StoredRequest& request) {
  const Rect asked = request.region;
  image.planes.count = size(m_plan.components);
  for (std::size_t c = 0; c < image.planes.count; ++c) {
    const ComponentPlan& component = m_plan.component[c];
    SampledPlane& plane = image.planes.plane[c];
    plane.samples = {samples(c, component.firstRow, component.firstColumn),
                     component.lastColumn - component.firstColumn + 1,
                     component.lastRow - component.firstRow + 1, 1,
                     static_cast<std::ptrdiff_t>(m_planes[c].stride)};
    // The edges of pixels map to edges of samples, because JFIF centres chroma.
    const double across = request.scale * component.widening;
    const double down = request.scale * component.heightening;
    plane.region = {asked.x / across - component.firstColumn, asked.y / down - component.firstRow,
                    (asked.x + asked.width) / across - component.firstColumn,
                    (asked.y + asked.height) / down - component.firstRow};
  }
}

}  // namespace millrace::jpeg
