// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/cuda/device.h"
#include "core/cuda/jpeg_device.h"
#include "core/run/batch_slot.h"

namespace millrace {

/// Device memory that only grows. One thread; it grows when no work uses it.
class DeviceArena {
 public:
  Result<std::byte*> reserve(Device& device, std::size_t bytes);

 private:
  DeviceBuffer m_memory;
};

/// What the batches of one device slot lie in, from the copy to the last operation. The thread of
/// the transfer stage fills it; readers have its result between take and release.
class DeviceSlot final : public BatchSlot {
 public:
  /// What one group of operations makes of the batch.
  struct Group {
    Batch in;            ///< tables of what it takes where rows failed in it, see `taken`
    bool taken = false;  ///< whether `in` stands for what the group in front gives
    Batch out;
    DeviceArena memory;
    std::unique_ptr<Event> done;  ///< timed, behind its last launch
  };

  /// What decodes the batch's files on the device (DeviceDecode).
  struct Decode {
    bool any = false;                                 ///< whether this batch has any
    std::vector<std::unique_ptr<JpegBatch>> batches;  ///< by field, where it has any
    std::vector<PinnedBuffer> again;  ///< pixels of those that the CPU decoded after all
    std::unique_ptr<Event> done;
    std::unique_ptr<Event> read;  ///< passes when that and the copies have
  };

  static Result<std::unique_ptr<DeviceSlot>> make(Device& device, std::size_t groups);

  Batch in;            ///< as it was copied
  DeviceArena memory;  ///< of its rows, and of the operations' parameters
  std::vector<Group> groups;
  DeviceArena scratch;
  /// What goes as one copy to the tail of `memory`: small fields, behind them parameters.
  PinnedBuffer hostTail;
  std::byte* params = nullptr;      ///< in `memory`
  std::vector<DeviceBuffer> fills;  ///< rows that stand for failed ones
  Decode decode;
  std::unique_ptr<Event> copyBegan;
  std::unique_ptr<Event> copied;
  std::unique_ptr<Event> workBegan;
  std::size_t copiedBytes = 0;
  bool inFlight = false;  ///< its times are not counted yet

  /// What group g takes.
  Batch& inOf(std::size_t g) {
    if (groups[g].taken) return groups[g].in;
    return g == 0 ? in : groups[g - 1].out;
  }
  /// Passes when nothing reads the host's slot any more.
  const Event& read() const { return decode.any ? *decode.read : *copied; }
  /// Passes when all work on the slot is done.
  const Event& last() const { return groups.empty() ? read() : *groups.back().done; }

 private:
  DeviceSlot() = default;
};

}  // namespace millrace
