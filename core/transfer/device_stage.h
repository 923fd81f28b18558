// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/cuda/device_clock.h"
#include "core/pass/device_group.h"
#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "core/transfer/device_decode.h"
#include "core/transfer/device_slot.h"
#include "core/transfer/transfer_layout.h"

namespace millrace {

/// The work of a transfer stage, batch after batch: copies it on one stream and runs the operations
/// after the transfer on another. It waits only for the last work in a slot. Host parts of the
/// operations run here, on the stage's thread. One thread. The destructor waits for enqueued work.
class DeviceStage {
 public:
  static Result<std::unique_ptr<DeviceStage>> make(const RunParts& parts, const PlanStage& stage,
                                                   ThreadCounters& counters);
  ~DeviceStage();

  /// Allocates the memory of the slot's batches as far as sizes are known in advance, so that
  /// nothing is allocated later and a lack of memory shows before the run begins. The error says
  /// what is too large.
  Status reserve(DeviceSlot& slot);

  /// Enqueues all work for `from` and sets the slot's result, which is ready when its event has
  /// passed. `from` is read until slot.read(). An error ends the run. `waited`: whether the stage
  /// had to wait for the batch.
  Status enqueue(const Batch& from, DeviceSlot& slot, bool waited);
  /// Counts the times of the slot's last batch once; waits for it if it is not done.
  Status settle(DeviceSlot& slot);

 private:
  struct Field {
    bool replaced = false;
    std::size_t from = 0;  ///< index of the field in the input, if it is not replaced
  };
  struct Group {
    std::vector<std::size_t> nodes;
    std::vector<OpContext> contexts;
    std::unique_ptr<DeviceOp> op;
    std::vector<std::uint64_t> versions;
    std::vector<Field> fields;
    const StreamType* out = nullptr;
    std::size_t paramsAt = 0;  ///< offset in the slot's block
  };
  /// A row that is copied to the place of a failed one before its group runs.
  struct FillCopy {
    std::size_t group = 0;
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::size_t bytes = 0;
  };

  DeviceStage(const RunParts& parts, const PlanStage& stage, ThreadCounters& counters)
      : m_parts(parts), m_stage(stage), m_counters(counters) {}
  Status addGroup(const PlanGroup& planned);
  Status buildOp(Group& group);
  void placeParams();
  Status renewLive();

  Status layOut(const Batch& from, DeviceSlot& slot);
  Status decode(const Batch& from, DeviceSlot& slot);
  Result<std::byte*> takeMemory(std::size_t bytes, std::size_t tailBytes, DeviceSlot& slot);
  std::size_t paramsAt() const;
  Status prepare(std::size_t g, DeviceSlot& slot);
  DeviceWork workOf(std::size_t g, DeviceSlot& slot);
  void beginOut(const Group& group, const Batch& in, Batch& out) const;
  Status placeOut(const Group& group, DeviceArena& memory, Batch& out);
  Status dropFailed(std::size_t g, std::size_t node, DeviceSlot& slot);
  Status recordFailure(std::size_t node, const SampleKey& key, const std::string& reason);
  void moveRow(std::size_t g, Batch& in, std::size_t from, std::size_t to);
  Status fillRow(std::size_t g, DeviceSlot& slot, Batch& in, std::size_t row, std::size_t source);
  Error tooLittle(const Error& error) const;
  Status copy(DeviceSlot& slot);
  Status launch(DeviceSlot& slot);
  Status count(std::size_t node, const Event& begin, const Event& end, std::size_t bytes);
  Status trace(ThreadTrace& trace, std::size_t node, const Batch& batch, const Event& begin,
               const Event& end);

  const RunParts& m_parts;
  const PlanStage& m_stage;
  ThreadCounters& m_counters;
  std::vector<Group> m_groups;
  std::uint64_t m_liveVersion = 0;
  std::size_t m_paramBytes = 0;
  std::unique_ptr<Stream> m_copies;
  std::unique_ptr<Stream> m_work;
  std::unique_ptr<DeviceDecode> m_decode;  ///< nullptr unless files are left to the device
  std::unique_ptr<DeviceClock> m_clock;    ///< nullptr unless the run is traced
  // For the batch that is being enqueued.
  TransferLayout m_layout;
  std::vector<FailedRow> m_failed;
  std::vector<std::uint8_t> m_bad;
  std::vector<FillCopy> m_fills;
};

}  // namespace millrace
