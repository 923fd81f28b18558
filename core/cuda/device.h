// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/event.h"
#include "core/cuda/memory_pool.h"
#include "core/cuda/stream.h"

namespace millrace {

/// What executes device work. Emulated: host memory and host threads instead of a device, so that
/// the engine's GPU code can be tested without a GPU. Its times say nothing about a GPU.
enum class DeviceBackend { Cuda, Emulated };

/// Properties of a device; zero or empty if unknown.
struct DeviceFacts {
  int ordinal = 0;
  std::string name;        ///< "NVIDIA H200"; "emulated"
  std::string pciAddress;  ///< "0000:3b:00.0"
  std::string uuid;        ///< "41d7a5f0-..."; for a Multi-Instance GPU that of the instance
  int major = 0;           ///< compute capability
  int minor = 0;
  int multiprocessors = 0;
  int copyEngines = 0;
  std::size_t memoryBytes = 0;
  std::size_t freeBytes = 0;  ///< when the device was queried

  /// "GPU 0 (NVIDIA H200)".
  std::string text() const;
};

/// Makes a device the thread's current one; the destructor restores the previous one. For use by
/// one thread.
class DeviceScope {
 public:
  virtual ~DeviceScope() = default;
};

/// One device with the memory that was allocated on it. Its pools serve all later runs of the
/// process and grow until giveBackFree(). Thread-safe. Its buffers, streams and events keep it
/// alive.
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceBackend backend() const = 0;
  virtual const DeviceFacts& facts() const = 0;
  virtual Result<std::unique_ptr<Stream>> makeStream(std::string name) = 0;
  virtual Result<std::unique_ptr<Event>> makeEvent(EventKind kind) = 0;

  /// Wraps a stream of the program, given by its cudaStream_t; nullptr is the legacy default
  /// stream. The program keeps the stream alive. A per-thread default stream (cudaStreamPerThread)
  /// is treated as the legacy one, which waits for those of all threads, because another thread may
  /// record the event. An emulated device creates a stream for each value it is asked for.
  virtual Result<std::shared_ptr<Stream>> programStream(void* native) = 0;
  /// For calls from a thread of the program, which has its own current device: most calls of this
  /// class, of streams and of events make this device the current one, and some start GPU 0 if the
  /// thread has not chosen a device. nullptr if threads have no current device.
  virtual std::unique_ptr<DeviceScope> enter() const = 0;
  /// Blocks until all work enqueued on the device so far is done, no matter which thread enqueued
  /// it.
  virtual Status synchronise() = 0;

  /// At least `bytes` bytes, aligned to 256 bytes, with undefined content. Allocates if no free
  /// block fits, so it is not for the steady state. The error says how much was requested and how
  /// much is free.
  Result<DeviceBuffer> deviceMemory(std::size_t bytes) { return m_device->take(bytes); }
  /// Like deviceMemory(), but in host memory that the device copies from directly.
  Result<PinnedBuffer> pinnedMemory(std::size_t bytes) { return m_pinned->take(bytes); }
  PoolTotals deviceTotals() const { return m_device->totals(); }
  PoolTotals pinnedTotals() const { return m_pinned->totals(); }
  /// Frees all memory that no buffer uses, for other programs and the rest of this one. The next
  /// run allocates it again, which is slow for pinned memory.
  void giveBackFree() {
    m_device->giveBackFree();
    m_pinned->giveBackFree();
  }

 protected:
  Device(std::unique_ptr<MemorySource> device, std::unique_ptr<MemorySource> pinned)
      : m_device(std::make_shared<DevicePool>(std::move(device))),
        m_pinned(std::make_shared<PinnedPool>(std::move(pinned))) {}

 private:
  const std::shared_ptr<DevicePool> m_device;
  const std::shared_ptr<PinnedPool> m_pinned;
};

/// Whether a device can be used, and of which kind.
struct DeviceSupport {
  bool usable = false;
  DeviceBackend backend = DeviceBackend::Cuda;
  int ordinal = 0;     ///< if usable: the first usable one
  std::string reason;  ///< if not usable: why, a sentence without full stop
  std::string remedy;  ///< if not usable: what to do, without full stop
};

/// If MILLRACE_BACKEND is set it decides: `cpu` forbids devices, `cuda` allows only real ones,
/// `emulated` selects emulated ones for tests (as many as MILLRACE_EMULATED_GPUS says, default
/// one). Otherwise a real device is used if there is one. Looks for it once per process, which
/// loads NVIDIA's driver but starts nothing on the device. A process that was forked afterwards has
/// no device, because CUDA does not work after a fork. Thread-safe.
DeviceSupport deviceSupport();

/// DeviceFacts::uuid of the real device that openDevice() returns; empty if there is none. Looks
/// for it like deviceSupport().
std::string firstDeviceUuid();

/// One of the process's devices, counted from 0 among those in CUDA_VISIBLE_DEVICES. Opened once
/// and kept. The error is the reason of deviceSupport(), or why it could not be opened.
/// Thread-safe; does not change the thread's current device.
Result<std::shared_ptr<Device>> openDevice(int ordinal);
/// The first usable device.
Result<std::shared_ptr<Device>> openDevice();

/// The device that the calling thread of the program has chosen, counted as in openDevice().
/// nullopt if it has chosen none, and for emulated devices. Starts no device.
std::optional<int> currentDevice();

/// A stream of the program and the device that its work is on; events can only be recorded there.
struct ProgramStream {
  std::shared_ptr<Device> device;
  std::shared_ptr<Stream> stream;
};

/// Resolves a program's stream (cudaStream_t): an ordinary stream with its own device, a default
/// stream with every device that the process has started, because each has its own default stream
/// and it is unknown which one is meant. An emulated stream that no device knows yet is created on
/// `of`. Thread-safe; does not change the thread's current device.
Result<std::vector<ProgramStream>> programStreams(void* native, const std::shared_ptr<Device>& of);

}  // namespace millrace
