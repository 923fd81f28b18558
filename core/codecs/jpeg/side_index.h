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

/// Where the rows of MCUs of one file begin, as far down as earlier decodes came, so that a later
/// one leaves out the rows above its region, and the rest of a row that it has seen enough of. It
/// grows row by row from the top. Value; one thread.
///
/// As bytes, numbers in little endian: "MRJ1" (the 1 is the version), the CRC-32C of all that
/// follows these eight bytes; components and rows (2 bytes each), the CRC-32C of the whole file (4)
/// and its size (8); for each row from the second on the bit at which it begins (4; the scan's
/// bytes as they are in the file) and the DC predictor of each component (2). So 24 bytes and 10 a
/// row, 6 where the file is grey.
class SideIndex {
 public:
  /// Forgets all, for a file with this head.
  void clear(const Head& head);
  /// Takes what `write` gave. False, and nothing known, for anything that is damaged, made by
  /// another version or of another file: size and CRC-32C are compared. `bytes` may hold anything:
  /// what is taken are places inside the file, each behind the one before.
  bool read(std::span<const std::byte> bytes, std::span<const std::byte> file, const Head& head);
  /// What is known, in place of what `to` held. `file` is that of the rows.
  void write(std::span<const std::byte> file, std::vector<std::byte>& to) const;

  /// Rows whose place is known, from the top: the first always is.
  int rows() const { return static_cast<int>(m_places.size()) + 1; }
  ScanPlace row(int i) const {
    return i == 0 ? ScanPlace{} : m_places[static_cast<std::size_t>(i - 1)];
  }
  /// The place of row `rows()`. Left out where 4 bytes do not hold it, half a gigabyte down.
  void add(const ScanPlace& place);

 private:
  bool take(std::span<const std::byte> bytes, std::span<const std::byte> file, const Head& head);

  std::size_t m_components = 0;
  std::vector<ScanPlace> m_places;  ///< from the second row on
};

}  // namespace millrace::jpeg
