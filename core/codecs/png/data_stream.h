// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace millrace::png {

/// The bytes that a file's IDAT chunks are packed from, one after another: ISO 15948, section 10,
/// unpacked by ISA-L. One thread; its memory is taken once, when it is made.
///
/// What is checked when:
/// - that a chunk lies within the file: before the first of its bytes is used;
/// - a chunk's check sum: when its last byte has been used, before anything behind it is;
/// - the head of the zlib stream: by `begin`;
/// - the Adler-32 of all the bytes and that there are no more of them: by `finish` alone, so a
///   reader that stops above the picture's end neither computes it nor looks at what follows.
class DataStream {
 public:
  DataStream();
  ~DataStream();
  DataStream(DataStream&&) noexcept;
  DataStream& operator=(DataStream&&) noexcept;

  /// `firstData` is where the length of the first IDAT chunk stands; `toTheEnd`: the caller will
  /// read all and `finish`. `file` is borrowed until the next begin.
  bool begin(std::span<const std::byte> file, std::size_t firstData, bool toTheEnd);
  /// The next `bytes` bytes (below 4 GiB); false when they are not there or something is wrong.
  bool read(std::uint8_t* to, std::size_t bytes);
  /// After everything was read: the stream ends here and all sums are right. What follows it in the
  /// file is not looked at.
  bool finish();

 private:
  bool refill();
  std::size_t gather();
  bool closeLarge();

  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace millrace::png
