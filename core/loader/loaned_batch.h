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

/// A batch that is out: it stays as it is, and its slot is not used again, until this goes away,
/// also when the loader is gone. Movable; any thread, one at a time.
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

  /// What the batch lies on where it is on a device or pinned; nullptr in usual memory.
  const std::shared_ptr<Device>& device() const;
  /// A stream of the program reads the batch: once this has gone away, the slot is not used again
  /// before what is on the stream by then is done.
  void readOn(ProgramStream stream) { m_streams.push_back(std::move(stream)); }
  const std::vector<ProgramStream>& readers() const { return m_streams; }
  /// Copies `bytes` bytes of the batch to the host's memory; they are there when it returns. On a
  /// device behind what `readers` have to do by now: they may write there too.
  Status toHost(void* to, const void* from, std::size_t bytes,
                std::span<const ProgramStream> readers) const;

 private:
  std::shared_ptr<LoaderSession> m_session;
  BatchSlot* m_slot = nullptr;
  std::vector<ProgramStream> m_streams;
};

}  // namespace millrace
