// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::ptx {

/// Who touched a byte last, so that two threads which do so unordered are found out. Blocks run one
/// after the other, and numbers only grow: each thread of a block has one of its own between two
/// barriers. So a number tells whether its owner is of an earlier launch, of another block of this
/// one, in front of this block's last barrier, or unordered with whoever asks.
struct RaceEpoch {
  std::uint32_t launch = 1;  ///< first number of this launch
  std::uint32_t block = 2;   ///< of this block
  std::uint32_t epoch = 3;   ///< since its last barrier; itself means several threads
};

/// Set in a writer's number where it wrote by an atomic operation.
inline constexpr std::uint32_t kAtomic = 0x8000'0000U;
inline constexpr std::uint32_t kLastNumber = 0x7fff'0000U;

/// Whether what `number` did is ordered with what `mine` does.
inline bool isOrdered(const RaceEpoch& now, std::uint32_t number, std::uint32_t mine) {
  number &= ~kAtomic;
  return number < now.launch || (number >= now.block && number < now.epoch) || number == mine;
}

/// Whether this launch wrote one of these bytes, ordered or not.
inline bool wasWritten(const RaceEpoch& now, const std::uint32_t* writers, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if ((writers[i] & ~kAtomic) >= now.launch) return true;
  return false;
}

/// A read of these bytes; false where an unordered thread wrote one.
template <std::size_t kBytes>
bool noteRead(const RaceEpoch& now, const std::uint32_t* writers, std::uint32_t* readers,
              std::uint32_t mine) {
  // Mostly nobody wrote in this launch, and it is known already who reads.
  bool known = true;
  for (std::size_t i = 0; i < kBytes; ++i) {
    const std::uint32_t reader = readers[i];
    known &= (writers[i] & ~kAtomic) < now.launch;
    known &= (reader == now.launch) | (reader == now.epoch) | (reader == mine);
  }
  if (known) return true;
  bool fine = true;
  for (std::size_t i = 0; i < kBytes; ++i) {
    if ((writers[i] & ~kAtomic) >= now.launch) fine = fine && isOrdered(now, writers[i], mine);
    const std::uint32_t reader = readers[i];
    if (reader == mine || reader == now.epoch || reader == now.launch) continue;
    if (reader < now.launch || (reader >= now.block && reader < now.epoch))
      readers[i] = mine;
    else  // of this epoch, or for ever of several blocks
      readers[i] = reader >= now.epoch ? now.epoch : now.launch;
  }
  return fine;
}

enum class Conflict : std::uint8_t { None, WithReader, WithWriter };

/// A write of these bytes, and with whom it is unordered.
inline Conflict noteWrite(const RaceEpoch& now, std::uint32_t* writers,
                          const std::uint32_t* readers, std::size_t bytes, std::uint32_t mine,
                          bool atomic) {
  Conflict found = Conflict::None;
  for (std::size_t i = 0; i < bytes; ++i) {
    const bool both = atomic && (writers[i] & kAtomic) != 0;
    if (!both && !isOrdered(now, writers[i], mine)) found = Conflict::WithWriter;
    // A number for several readers is nobody's.
    if (readers[i] >= now.launch && !isOrdered(now, readers[i], mine)) found = Conflict::WithReader;
    writers[i] = atomic ? mine | kAtomic : mine;
  }
  return found;
}

}  // namespace millrace::ptx
