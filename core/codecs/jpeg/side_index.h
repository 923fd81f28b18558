// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/codecs/jpeg/entropy_decoder.h"
#include "core/codecs/jpeg/jpeg_head.h"

namespace millrace::jpeg {

/// The positions of the rows of MCUs of one file, as far down as earlier decodes came. A later
/// decode can skip the rows above its region and the rest of each row to the right of it. It grows
/// row by row from the top. A value type for use by one thread.
///
/// The serialised form, little endian: "MRJ1" (1 is the version); the CRC-32C of everything after
/// these eight bytes; components and rows (2 bytes each); the CRC-32C of the whole file (4) and its
/// size (8); for each row from the second on its bit offset (4; in the scan's unmodified bytes) and
/// the DC predictor of each component (2). That is 24 bytes plus 10 per row, or 6 per row for a
/// grey file.
class SideIndex {
 public:
  /// Discards everything, for a file with this header.
  void clear(const Head& head);
  /// Reads what write() returned. Returns false and stays empty if it is damaged, of another
  /// version, or of another file (the size and CRC-32C are compared). `bytes` may be arbitrary:
  /// only increasing positions inside the file are accepted.
  bool read(std::span<const std::byte> bytes, std::span<const std::byte> file, const Head& head);
  /// Replaces the content of `to` by the serialised index. `file` must be the file of the rows.
  void write(std::span<const std::byte> file, std::vector<std::byte>& to) const;

  /// The number of rows with known positions, from the top; the first one is always known.
  int rows() const { return static_cast<int>(m_places.size()) + 1; }
  ScanPlace row(int i) const {
    return i == 0 ? ScanPlace{} : m_places[static_cast<std::size_t>(i - 1)];
  }
  /// Adds the position of row `rows()`. Ignored if it does not fit 4 bytes (half a gigabyte).
  void add(const ScanPlace& place);

 private:
  bool take(std::span<const std::byte> bytes, std::span<const std::byte> file, const Head& head);

  std::size_t m_components = 0;
  std::vector<ScanPlace> m_places;  ///< from the second row on
};

}  // namespace millrace::jpeg
