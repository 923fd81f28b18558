// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/side_index.h"

#include <cstring>
#include <limits>

#include "core/base/crc32c.h"
#include "core/base/little_endian.h"

namespace millrace::jpeg {
namespace {

struct IndexHead {
  std::uint32_t magic = 0x314a524d;  // "MRJ1"
  std::uint32_t sum = 0;             ///< of everything after it
  std::uint16_t components = 0;
  std::uint16_t rows = 0;
  std::uint32_t fileSum = 0;
  std::uint64_t fileBytes = 0;
};
static_assert(sizeof(IndexHead) == 24);
constexpr std::size_t kIndexSummed = 8;

constexpr std::size_t bytesOfRow(std::size_t components) {
  return sizeof(std::uint32_t) + components * sizeof(std::int16_t);
}

std::size_t mcuRowsOf(const Head& head) {
  const int lines = 8 * head.maxVertical;
  return static_cast<std::size_t>((head.height + lines - 1) / lines);
}

ScanPlace readPlace(const std::byte* bytes, std::size_t components) {
  ScanPlace place;
  place.bit = littleEndian<std::uint32_t>(bytes);
  for (std::size_t c = 0; c < components; ++c)
    place.predictors[c] = littleEndian<std::int16_t>(bytes + 4 + 2 * c);
  return place;
}

void writePlace(const ScanPlace& place, std::size_t components, std::byte* to) {
  const auto bit = static_cast<std::uint32_t>(place.bit);
  std::memcpy(to, &bit, sizeof bit);
  for (std::size_t c = 0; c < components; ++c) {
    const auto predictor = static_cast<std::int16_t>(place.predictors[c]);
    std::memcpy(to + 4 + 2 * c, &predictor, sizeof predictor);
  }
}

}  // namespace

void SideIndex::clear(const Head& head) {
  m_components = static_cast<std::size_t>(head.components);
  m_places.clear();
}

bool SideIndex::read(std::span<const std::byte> bytes, std::span<const std::byte> file,
                     const Head& head) {
  clear(head);
  if (take(bytes, file, head)) return true;
  m_places.clear();
  return false;
}

bool SideIndex::take(std::span<const std::byte> bytes, std::span<const std::byte> file,
                     const Head& head) {
  if (bytes.size() < sizeof(IndexHead)) return false;
  const auto index = littleEndian<IndexHead>(bytes.data());
  const std::size_t step = bytesOfRow(m_components);
  if (index.magic != IndexHead{}.magic || index.components != m_components ||
      index.rows >= mcuRowsOf(head) || bytes.size() != sizeof(IndexHead) + index.rows * step ||
      index.fileBytes != file.size() || index.sum != crc32c(bytes.subspan(kIndexSummed)))
    return false;
  const std::uint64_t bits = std::uint64_t{file.size() - head.scanStart} * 8;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < index.rows; ++i) {
    m_places.push_back(readPlace(bytes.data() + sizeof(IndexHead) + i * step, m_components));
    const std::uint64_t bit = m_places.back().bit;
    if (bit <= before || bit >= bits) return false;
    before = bit;
  }
  return index.fileSum == crc32c(file);
}

void SideIndex::write(std::span<const std::byte> file, std::vector<std::byte>& to) const {
  const std::size_t step = bytesOfRow(m_components);
  to.resize(sizeof(IndexHead) + m_places.size() * step);
  for (std::size_t i = 0; i < m_places.size(); ++i)
    writePlace(m_places[i], m_components, to.data() + sizeof(IndexHead) + i * step);
  IndexHead head;
  head.components = static_cast<std::uint16_t>(m_components);
  head.rows = static_cast<std::uint16_t>(m_places.size());
  head.fileSum = crc32c(file);
  head.fileBytes = file.size();
  std::memcpy(to.data(), &head, sizeof head);
  head.sum = crc32c(std::span(to).subspan(kIndexSummed));
  std::memcpy(to.data(), &head, sizeof head);
}

void SideIndex::add(const ScanPlace& place) {
  if (place.bit <= std::numeric_limits<std::uint32_t>::max()) m_places.push_back(place);
}

}  // namespace millrace::jpeg
