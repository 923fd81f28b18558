// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/run/batch_slot.h"

namespace millrace {

class LoaderSession;

/// A batch held by the program. Its content stays valid and its slot is not reused until this
/// object is destroyed, even if the loader is destroyed first. Movable; any thread, one at a time.
class LoanedBatch {
 public:
  LoanedBatch() = default;
  LoanedBatch(std::shared_ptr<LoaderSession> session, BatchSlot* slot);
  LoanedBatch(LoanedBatch&& other) noexcept;
  LoanedBatch& operator=(LoanedBatch&& other) noexcept;
  ~LoanedBatch();

  explicit operator bool() const { return m_slot != nullptr; }
  const Batch& operator*() const { return m_slot->result(); }
  const Batch* operator->() const { return &m_slot->result(); }

  /// The device of the batch's memory, for device and pinned memory; nullptr for ordinary memory.
  const std::shared_ptr<Device>& device() const;
  /// Registers a stream of the program that reads the batch: after this object is destroyed, the
  /// slot is reused only when the work enqueued on the stream until then is done.
  void readOn(ProgramStream stream) { m_streams.push_back(std::move(stream)); }
  const std::vector<ProgramStream>& readers() const { return m_streams; }
  /// Copies `bytes` bytes of the batch to host memory and waits for the copy. From a device, the
  /// copy waits for work enqueued so far on `readers`, since they may also write to the memory. The
  /// error is the device's.
  Status toHost(void* to, const void* from, std::size_t bytes,
                std::span<const ProgramStream> readers) const;

 private:
  std::shared_ptr<LoaderSession> m_session;
  BatchSlot* m_slot = nullptr;
  std::vector<ProgramStream> m_streams;
};

}  // namespace millrace
