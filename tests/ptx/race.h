// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::ptx {

/// The last accesses to a byte, to detect two threads that access it without ordering. Blocks run
/// one after the other, and numbers only increase: each thread of a block has a separate number
/// between two barriers. A number thus tells whether its owner belongs to an earlier launch, to
/// another block of this launch, to the time before this block's last barrier, or is unordered with
/// the current thread.
struct RaceEpoch {
  std::uint32_t launch = 1;  ///< first number of this launch
  std::uint32_t block = 2;   ///< of this block
  std::uint32_t epoch = 3;   ///< since its last barrier; the value itself stands for several
                             ///< threads
};

/// Set in a writer's number if it wrote with an atomic operation.
inline constexpr std::uint32_t kAtomic = 0x8000'0000U;
inline constexpr std::uint32_t kLastNumber = 0x7fff'0000U;

/// Whether the access of `number` is ordered with that of `mine`.
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

/// Records a read of these bytes; false if an unordered thread wrote one.
template <std::size_t kBytes>
bool noteRead(const RaceEpoch& now, const std::uint32_t* writers, std::uint32_t* readers,
              std::uint32_t mine) {
  // Usually this launch has not written there, and the reader is already known.
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
    else  // several threads of this epoch, or permanently of several blocks
      readers[i] = reader >= now.epoch ? now.epoch : now.launch;
  }
  return fine;
}

enum class Conflict : std::uint8_t { None, WithReader, WithWriter };

/// Records a write of these bytes; returns with what it is unordered.
inline Conflict noteWrite(const RaceEpoch& now, std::uint32_t* writers,
                          const std::uint32_t* readers, std::size_t bytes, std::uint32_t mine,
                          bool atomic) {
  Conflict found = Conflict::None;
  for (std::size_t i = 0; i < bytes; ++i) {
    const bool both = atomic && (writers[i] & kAtomic) != 0;
    if (!both && !isOrdered(now, writers[i], mine)) found = Conflict::WithWriter;
    // A number for several readers belongs to no single thread.
    if (readers[i] >= now.launch && !isOrdered(now, readers[i], mine)) found = Conflict::WithReader;
    writers[i] = atomic ? mine | kAtomic : mine;
  }
  return found;
}

}  // namespace millrace::ptx
