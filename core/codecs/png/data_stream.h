// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace millrace::png {

/// The decompressed bytes of a file's IDAT chunks (ISO 15948, section 10), using ISA-L. For use by
/// one thread; its memory is allocated once at construction.
///
/// What is checked when:
/// - that a chunk is inside the file: before its first byte is used;
/// - a chunk's CRC: when its last byte has been used, before anything after it is;
/// - the header of the zlib stream: by begin();
/// - the Adler-32 of all bytes, and that no more bytes follow: by finish() only, so a reader that
///   stops above the picture's end neither computes it nor reads further.
class DataStream {
 public:
  DataStream();
  ~DataStream();
  DataStream(DataStream&&) noexcept;
  DataStream& operator=(DataStream&&) noexcept;

  /// `firstData` is the offset of the length of the first IDAT chunk; `toTheEnd`: the caller will
  /// read everything and call finish(). `file` is borrowed until the next begin().
  bool begin(std::span<const std::byte> file, std::size_t firstData, bool toTheEnd);
  /// Reads the next `bytes` bytes (below 4 GiB); false if they are missing or something is wrong.
  bool read(std::uint8_t* to, std::size_t bytes);
  /// After everything was read: whether the stream ends here and all checksums are correct. What
  /// follows it in the file is not checked.
  bool finish();

 private:
  bool refill();
  std::size_t gather();
  bool closeLarge();

  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace millrace::png
