// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/cuda/device.h"
#include "core/cuda/jpeg_device.h"
#include "core/run/batch_slot.h"

namespace millrace {

/// Device memory that only grows. One thread; it must not grow while work uses it.
class DeviceArena {
 public:
  Result<std::byte*> reserve(Device& device, std::size_t bytes);

 private:
  DeviceBuffer m_memory;
};

/// Memory for the batches of a device slot, from the copy to the last operation. The thread of the
/// transfer stage fills it; a reader has its result between take and release.
class DeviceSlot final : public BatchSlot {
 public:
  /// The result of one group of operations.
  struct Group {
    Batch in;            ///< tables of its input if rows failed, see `taken`
    bool taken = false;  ///< whether `in` replaces the output of the previous group
    Batch out;
    DeviceArena memory;
    std::unique_ptr<Event> done;  ///< timed, after its last launch
  };

  /// State of decoding the batch's files on the device (DeviceDecode).
  struct Decode {
    bool any = false;  ///< whether this batch has such files
    /// By field; nullptr for fields without such files.
    std::vector<std::unique_ptr<JpegBatch>> batches;
    std::vector<PinnedBuffer> cpuPixels;  ///< pixels of files that the CPU decoded instead
    std::unique_ptr<Event> done;
    std::unique_ptr<Event> read;  ///< event after the decoding and the copies
  };

  static Result<std::unique_ptr<DeviceSlot>> make(Device& device, std::size_t groups);

  Batch in;            ///< the copied batch
  DeviceArena memory;  ///< for its rows and the operations' parameters
  std::vector<Group> groups;
  DeviceArena scratch;
  /// Goes as one copy to the tail of `memory`: small fields, followed by parameters.
  PinnedBuffer hostTail;
  std::byte* params = nullptr;      ///< in `memory`
  std::vector<DeviceBuffer> fills;  ///< rows that replace failed ones
  Decode decode;
  std::unique_ptr<Event> copyBegan;
  std::unique_ptr<Event> copied;
  std::unique_ptr<Event> workBegan;
  std::size_t copiedBytes = 0;
  bool inFlight = false;  ///< its times have not been counted yet

  /// The input of group g.
  Batch& inOf(std::size_t g) {
    if (groups[g].taken) return groups[g].in;
    return g == 0 ? in : groups[g - 1].out;
  }
  /// Event after which nothing reads the host's slot any more.
  const Event& read() const { return decode.any ? *decode.read : *copied; }
  /// Event after all work on the slot.
  const Event& last() const { return groups.empty() ? read() : *groups.back().done; }

 private:
  DeviceSlot() = default;
};

}  // namespace millrace
