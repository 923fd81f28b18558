// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/result.h"
#include "core/cuda/event.h"

namespace millrace {

/// Work for a device, done in the order in which it is enqueued; what different streams do is
/// ordered by events alone. Every call returns as soon as the work is enqueued, except where it
/// says otherwise. Made by Device::makeStream; gone before its device; its end waits for what is
/// enqueued. One thread at a time.
/// Memory that enqueued work touches must stay until an event recorded behind that work has passed.
/// An error names the call, the stream and the device; it may belong to work enqueued earlier.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Asynchronous where `host` is pinned memory (PinnedBuffer); from other memory it returns once
  /// the driver has staged the bytes.
  virtual Status copyToDevice(void* device, const void* host, std::size_t bytes) = 0;
  virtual Status copyToHost(void* host, const void* device, std::size_t bytes) = 0;
  virtual Status copyOnDevice(void* to, const void* from, std::size_t bytes) = 0;
  virtual Status fill(void* device, unsigned char value, std::size_t bytes) = 0;

  virtual Status record(Event& event) = 0;
  /// What is enqueued from now on starts after the last record of `event`.
  virtual Status wait(const Event& event) = 0;
  /// Blocks until everything enqueued is done. Not for the steady state.
  virtual Status synchronise() = 0;

  // For launches (core/cuda/launch.h) and libraries that take a stream.
  /// The cudaStream_t; nullptr on the emulated device, whose work is host functions.
  virtual void* native() const = 0;
  bool emulated() const { return native() == nullptr; }
  /// Makes the stream's device the calling thread's current one. Before a launch.
  virtual Status enter() = 0;
  /// After a launch: its error, with the kernel's name. With MILLRACE_CUDA_SYNC=1 in the
  /// environment it also waits for the kernel, so that a fault is told where it happened.
  virtual Status launched(const char* kernel) = 0;
  /// Enqueues `work` to be done on the host. Emulated streams only.
  virtual Status enqueue(const char* kernel, std::function<void()> work) = 0;
};

/// Whether a program's stream (cudaStream_t) is a default one, of which each device has its own:
/// nullptr or 1, the legacy one, or 2, that of the thread (cudaStreamLegacy, cudaStreamPerThread).
inline bool isDefaultStream(const void* native) {
  return reinterpret_cast<std::uintptr_t>(native) <= 2;
}

}  // namespace millrace
