// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/cuda/device.h"
#include "core/data/batch.h"

namespace millrace {

/// Copies batches back from a device, for a dump or a test. Slow: it waits for the batch and for
/// each copy. One thread.
class HostCopy {
 public:
  explicit HostCopy(std::shared_ptr<Device> device) : m_device(std::move(device)) {}

  /// `batch` itself if it is on the host, else a copy that is valid until the next call.
  Result<const Batch*> of(const Batch& batch);

 private:
  Status copyRows(const BatchField& from, std::size_t rows, BatchField& to);

  const std::shared_ptr<Device> m_device;
  std::unique_ptr<Stream> m_stream;
  Batch m_copy;
};

}  // namespace millrace
