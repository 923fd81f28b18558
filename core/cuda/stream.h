// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/result.h"
#include "core/cuda/event.h"

namespace millrace {

/// A queue of device work that is executed in order; work in different streams is ordered by events
/// only. Every call returns as soon as the work is enqueued, unless stated otherwise. Created by
/// Device::makeStream and destroyed before its device; the destructor waits for the enqueued work.
/// One thread at a time. Memory that enqueued work uses must stay valid until an event recorded
/// after that work has passed. Errors name the call, the stream and the device; they may originate
/// from work enqueued earlier.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Asynchronous if `host` is pinned memory (PinnedBuffer); otherwise it returns once the driver
  /// has staged the bytes.
  virtual Status copyToDevice(void* device, const void* host, std::size_t bytes) = 0;
  virtual Status copyToHost(void* host, const void* device, std::size_t bytes) = 0;
  virtual Status copyOnDevice(void* to, const void* from, std::size_t bytes) = 0;
  virtual Status fill(void* device, unsigned char value, std::size_t bytes) = 0;

  virtual Status record(Event& event) = 0;
  /// Work enqueued from now on starts after the last record of `event`.
  virtual Status wait(const Event& event) = 0;
  /// Blocks until all enqueued work is done. Not for the steady state.
  virtual Status synchronise() = 0;

  // For launches (core/cuda/launch.h) and libraries that take a stream.
  /// The cudaStream_t; nullptr on an emulated device, whose work consists of host functions.
  virtual void* native() const = 0;
  bool emulated() const { return native() == nullptr; }
  /// Makes the stream's device the calling thread's current one. Call it before a launch.
  virtual Status enter() = 0;
  /// Call it after a launch: returns the launch's error with the kernel's name. With
  /// MILLRACE_CUDA_SYNC=1 in the environment it also waits for the kernel, so that a fault is
  /// reported where it happened.
  virtual Status launched(const char* kernel) = 0;
  /// Enqueues `work` to run on the host. Emulated streams only.
  virtual Status enqueue(const char* kernel, std::function<void()> work) = 0;
};

/// Whether a program's stream (cudaStream_t) is a default stream: nullptr or 1 (cudaStreamLegacy)
/// or 2 (cudaStreamPerThread). Each device has its own default streams.
inline bool isDefaultStream(const void* native) {
  return reinterpret_cast<std::uintptr_t>(native) <= 2;
}

}  // namespace millrace
