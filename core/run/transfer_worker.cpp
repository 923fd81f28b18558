// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/transfer_worker.h"

#include <deque>

namespace millrace {

namespace {

class TransferWorker final : public StageWorker {
 public:
  TransferWorker(BatchRing& in, BatchRing& out, const std::string& stage,
                 std::unique_ptr<DeviceLane> lane, const StopSignal& stop)
      : StageWorker(out), m_in(in), m_stage(stage), m_lane(std::move(lane)), m_stop(stop) {}

  StepResult step() override {
    if (m_out.cancelled() || m_stop.dropped()) return StepResult::Finished;
    if (Status released = releasePassed(); !released) return failed(released.error());
    if (!m_taken) m_taken = takeNext();
    if (!m_taken && m_copying.empty()) return finished();
    if (!m_taken) return m_in.drained() ? releaseOldest() : StepResult::Ready;
    if (!m_out.writable(m_taken->sequence)) {
      // While no slot is free the copies that are under way must still give theirs back.
      if (!m_copying.empty()) return releaseOldest();
      m_waitsFor = m_taken->sequence;
      return StepResult::WaitsForOutput;
    }
    return enqueue();
  }

 private:
  /// A host slot whose batch is being copied into `to`.
  struct Copy {
    BatchSlot* from = nullptr;
    DeviceSlot* to = nullptr;
  };

  /// Waits for long only while no copy holds a slot that the stage in front may need. It waits for
  /// the batch and not for the oldest copy: a batch that comes meanwhile is enqueued at once.
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
    if (Status settled = m_lane->settle(slot); !settled) return failed(settled.error());
    // Its last copy has passed; asked later it would be taken for the next one.
    while (holds(slot)) releaseFront();
    if (Status done = m_lane->enqueue(m_taken->slot->result(), slot, m_waited); !done)
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
  std::unique_ptr<DeviceLane> m_lane;
  const StopSignal& m_stop;
  std::optional<BatchRing::Taken> m_taken;
  bool m_waited = false;       ///< for m_taken, which was not there when it was asked for
  std::deque<Copy> m_copying;  ///< oldest first
};

}  // namespace

std::unique_ptr<StageWorker> makeTransferWorker(BatchRing& in, BatchRing& out,
                                                const std::string& stage,
                                                std::unique_ptr<DeviceLane> lane,
                                                const StopSignal& stop) {
  return std::make_unique<TransferWorker>(in, out, stage, std::move(lane), stop);
}

}  // namespace millrace
