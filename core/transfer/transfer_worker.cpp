// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/transfer_worker.h"

#include <deque>

#include <fmt/format.h>

#include "core/transfer/device_stage.h"

namespace millrace {

namespace {

class TransferWorker final : public StageWorker {
 public:
  TransferWorker(BatchRing& in, BatchRing& out, const std::string& stage,
                 std::unique_ptr<DeviceStage> deviceStage, const StopSignal& stop)
      : StageWorker(out),
        m_in(in),
        m_stage(stage),
        m_deviceStage(std::move(deviceStage)),
        m_stop(stop) {}

  StepResult step() override {
    if (m_out.cancelled() || m_stop.dropped()) return StepResult::Finished;
    if (Status released = releasePassed(); !released) return failed(released.error());
    if (!m_taken) m_taken = takeNext();
    if (!m_taken && m_copying.empty()) return finished();
    if (!m_taken) return m_in.drained() ? releaseOldest() : StepResult::Ready;
    if (!m_out.writable(m_taken->sequence)) {
      // While no slot is free, host slots must still be released when their copies are done.
      if (!m_copying.empty()) return releaseOldest();
      m_waitsFor = m_taken->sequence;
      return StepResult::WaitsForOutput;
    }
    return enqueue();
  }

 private:
  /// A host slot whose batch is being copied to `to`.
  struct Copy {
    BatchSlot* from = nullptr;
    DeviceSlot* to = nullptr;
  };

  /// Waits long only if no copy holds a slot that the previous stage may need. It waits for the
  /// next batch, not for the oldest copy, so that a batch is enqueued as soon as it comes.
  std::optional<BatchRing::Taken> takeNext() {
    constexpr auto kLookEvery = std::chrono::microseconds(200);
    const SteadyTime now = std::chrono::steady_clock::now();
    const std::optional<BatchRing::Taken> there = m_in.take(now);
    if (there) return there;
    m_waited = true;
    return m_copying.empty() ? m_in.take() : m_in.take(now + kLookEvery);
  }

  StepResult enqueue() {
    auto& slot = static_cast<DeviceSlot&>(m_out.slot(m_taken->sequence));
    if (Status settled = m_deviceStage->settle(slot); !settled) return failed(settled.error());
    // Its last copy is done; later, the slot's event would belong to the next batch.
    while (holds(slot)) releaseFront();
    if (Status done = m_deviceStage->enqueue(m_taken->slot->result(), slot, m_waited); !done)
      return failed(done.error());
    m_waited = false;
    m_out.markReady(m_taken->sequence);
    m_copying.push_back({m_taken->slot, &slot});
    m_taken.reset();
    return StepResult::Ready;
  }

  bool holds(const DeviceSlot& slot) const {
    for (const Copy& copy : m_copying)
      if (copy.to == &slot) return true;
    return false;
  }

  Status releasePassed() {
    while (!m_copying.empty()) {
      const Result<bool> passed = m_copying.front().to->read().passed();
      if (!passed) return passed.error();
      if (!*passed) break;
      releaseFront();
    }
    return {};
  }

  StepResult releaseOldest() {
    if (Status waited = m_copying.front().to->read().wait(); !waited) return failed(waited.error());
    releaseFront();
    return StepResult::Ready;
  }

  void releaseFront() {
    m_in.release(*m_copying.front().from);
    m_copying.pop_front();
  }

  StepResult failed(const Error& error) { return fail(Error{m_stage + ": " + error.message}); }

  StepResult finished() {
    m_out.close(m_in.end());
    return StepResult::Finished;
  }

  BatchRing& m_in;
  const std::string m_stage;
  std::unique_ptr<DeviceStage> m_deviceStage;
  const StopSignal& m_stop;
  std::optional<BatchRing::Taken> m_taken;
  bool m_waited = false;       ///< for m_taken, which was not there when it was asked for
  std::deque<Copy> m_copying;  ///< oldest first
};

Status reserve(DeviceStage& deviceStage, BatchRing& ring) {
  const auto slots = ring.allSlots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (Status taken = deviceStage.reserve(static_cast<DeviceSlot&>(*slots[s])); !taken)
      return Error{fmt::format("only {1} of {0} slots fit on the GPU: {2}", slots.size(), s,
                               taken.error().message)};
  return {};
}

class DeviceTransfer final : public TransferFactory {
 public:
  Result<std::unique_ptr<BatchSlot>> makeSlot(Device& device,
                                              const PlanStage& stage) const override {
    MILLRACE_ASSIGN_OR_RETURN(auto slot, DeviceSlot::make(device, stage.deviceGroups.size()));
    return std::unique_ptr<BatchSlot>(std::move(slot));
  }

  Result<std::unique_ptr<StageWorker>> makeWorker(const RunParts& parts, const PlanStage& stage,
                                                  BatchRing& in, BatchRing& out,
                                                  ThreadCounters& counters) const override {
    MILLRACE_ASSIGN_OR_RETURN(auto deviceStage, DeviceStage::make(parts, stage, counters));
    MILLRACE_TRY(reserve(*deviceStage, out));
    return std::unique_ptr<StageWorker>(
        std::make_unique<TransferWorker>(in, out, stage.id, std::move(deviceStage), parts.stop));
  }
};

}  // namespace

const TransferFactory& deviceTransfer() {
  static const DeviceTransfer factory;
  return factory;
}

}  // namespace millrace
