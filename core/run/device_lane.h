// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/cuda/device_clock.h"
#include "core/nodes/device_group.h"
#include "core/run/device_decode.h"
#include "core/run/device_slot.h"
#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "core/run/transfer_layout.h"

namespace millrace {

/// The work of a transfer stage on one batch after the other: copies it on one stream, runs the
/// operations behind the transfer on another, and never waits for either but for a slot's last
/// work. Host parts of the operations are done here, on the stage's thread. One thread. Its end
/// waits for what is enqueued.
class DeviceLane {
 public:
  static Result<std::unique_ptr<DeviceLane>> make(const RunParts& parts, const PlanStage& stage,
                                                  ThreadCounters& counters);
  ~DeviceLane();

  /// Takes what the slot's batches need where sizes are known before the first one comes: in the
  /// steady state nothing is asked for, and too little memory shows before the run begins.
  Status reserve(DeviceSlot& slot);

  /// Enqueues everything for `from`; the slot's result is set, ready when its event says so. `from`
  /// is read until slot.read() has passed. The error ends the run.
  /// `waited`: the batch was not there when the stage asked for it.
  Status enqueue(const Batch& from, DeviceSlot& slot, bool waited);
  /// Counts the times of the slot's last batch, once; waits for it where it is not done.
  Status settle(DeviceSlot& slot);

 private:
  struct Field {
    bool replaced = false;
    std::size_t from = 0;  ///< the same field in front, where it is not replaced
  };
  struct Group {
    std::vector<std::size_t> nodes;
    std::vector<OpContext> contexts;
    std::unique_ptr<DeviceOp> op;
    std::vector<std::uint64_t> versions;
    std::vector<Field> fields;
    const StreamType* out = nullptr;
    std::size_t paramsAt = 0;  ///< in the slot's block
  };
  /// A row that goes to the place of a failed one, copied before its group runs.
  struct FillCopy {
    std::size_t group = 0;
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::size_t bytes = 0;
  };

  DeviceLane(const RunParts& parts, const PlanStage& stage, ThreadCounters& counters)
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
  std::unique_ptr<DeviceDecode> m_decode;  ///< where files are left to it
  std::unique_ptr<DeviceClock> m_clock;    ///< when the run is traced
  // Of the batch that is being enqueued.
  TransferLayout m_layout;
  std::vector<FailedRow> m_failed;
  std::vector<std::uint8_t> m_bad;
  std::vector<FillCopy> m_fills;
};

}  // namespace millrace
