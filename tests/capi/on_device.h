// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/cuda/device.h"
#include "tests/capi/opened.h"

namespace millrace::tests {

/// A loader on a device that lends all of its memory.
inline std::function<void(millrace_options&)> on(const char* device) {
  return [device](millrace_options& options) {
    options.device = device;
    options.held = 0;
  };
}

/// Used as a cudaStream_t of the program.
inline void* const kStream = reinterpret_cast<void*>(5);

inline std::shared_ptr<Stream> programStream() {
  return openDevice().take()->programStream(kStream).take();
}

/// The program's own work on a batch: it is held by the gate, then reads the first field.
class Reading {
 public:
  explicit Reading(millrace_batch& batch, void* native = kStream,
                   std::shared_ptr<Stream> stream = programStream())
      : m_stream(std::move(stream)),
        m_expected(bytesOf(batch, batch.fields[0].data, batch.fields[0].bytes)),
        m_seen(m_expected.size(), '\0') {
    gate().close();
    m_enqueued = m_stream->enqueue("gate", [] { gate().pass(); }).ok() &&
                 m_stream->copyToHost(m_seen.data(), batch.fields[0].data, m_seen.size()).ok() &&
                 millrace_read_on(&batch, native) == MILLRACE_OK;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { (void)readsTheBatch(); }

  /// Opens the gate; returns whether the work read the batch's content.
  bool readsTheBatch() {
    gate().open();
    return m_enqueued && m_stream->synchronise().ok() && m_seen == m_expected;
  }

 private:
  const std::shared_ptr<Stream> m_stream;
  const std::string m_expected;
  std::string m_seen;
  bool m_enqueued = false;
};

/// Takes and keeps batches until none arrives for a moment; returns that status.
inline millrace_status takeAll(millrace_loader* loader, std::vector<millrace_batch*>& taken) {
  for (;;) {
    millrace_batch* batch = nullptr;
    const millrace_status status = millrace_next(loader, 0.2, &batch);
    if (batch != nullptr) taken.push_back(batch);
    if (status != MILLRACE_OK && status != MILLRACE_EPOCH_END) return status;
  }
}

}  // namespace millrace::tests
