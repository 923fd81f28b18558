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

/// What runs device work. Emulated: host memory and host threads in place of a device, so that all
/// of the engine's own part can be tested where there is none; its times say nothing about a GPU.
enum class DeviceBackend { Cuda, Emulated };

/// What a device is. Zero or empty where unknown.
struct DeviceFacts {
  int ordinal = 0;
  std::string name;        ///< "NVIDIA H200"; "emulated"
  std::string pciAddress;  ///< "0000:3b:00.0"
  std::string uuid;  ///< "41d7a5f0-...", of a part of a GPU in Multi-Instance mode that part's
  int major = 0;     ///< compute capability
  int minor = 0;
  int multiprocessors = 0;
  int copyEngines = 0;
  std::size_t memoryBytes = 0;
  std::size_t freeBytes = 0;  ///< when it was asked

  /// "GPU 0 (NVIDIA H200)".
  std::string text() const;
};

/// While it lives a device is the thread's current one; at its end that is again what it was
/// before. One thread.
class DeviceScope {
 public:
  virtual ~DeviceScope() = default;
};

/// One device with the memory that was taken on it. Its pools serve every later run of the process
/// and grow until somebody gives back what they have free. Thread-safe. Lives as long as a buffer,
/// stream or event of it: they refer to it.
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceBackend backend() const = 0;
  virtual const DeviceFacts& facts() const = 0;
  virtual Result<std::unique_ptr<Stream>> makeStream(std::string name) = 0;
  virtual Result<std::unique_ptr<Event>> makeEvent(EventKind kind) = 0;

  /// A stream that is the program's own, by its cudaStream_t; nullptr is the legacy default stream.
  /// The program keeps it alive. The default stream of a thread (cudaStreamPerThread) is taken for
  /// the legacy one, which waits for those of all threads: whoever records may be another thread.
  /// On an emulated device one is made for each number that is asked for.
  virtual Result<std::shared_ptr<Stream>> programStream(void* native) = 0;
  /// For calls on a thread of the program, whose current device is its own: most of those here, of
  /// a stream and of an event, make this device the current one, and some start GPU 0 where nobody
  /// has chosen any. nullptr where threads have no current device.
  virtual std::unique_ptr<DeviceScope> enter() const = 0;
  /// Blocks until all that is enqueued on the device by now is done, whoever enqueued it.
  virtual Status synchronise() = 0;

  /// At least `bytes` bytes, aligned to 256; what is in them is not defined. Not for the steady
  /// state where no block is free. The error says how much was asked for and how much is free.
  Result<DeviceBuffer> deviceMemory(std::size_t bytes) { return m_device->take(bytes); }
  /// The same in host memory that the device copies from directly.
  Result<PinnedBuffer> pinnedMemory(std::size_t bytes) { return m_pinned->take(bytes); }
  PoolTotals deviceTotals() const { return m_device->totals(); }
  PoolTotals pinnedTotals() const { return m_pinned->totals(); }
  /// Leaves other programs, and the rest of this one, the memory that no buffer has. The next run
  /// takes it anew, which for pinned memory is slow.
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

/// Whether a device can be used here, and which kind.
struct DeviceSupport {
  bool usable = false;
  DeviceBackend backend = DeviceBackend::Cuda;
  int ordinal = 0;     ///< where it is usable: the first that is
  std::string reason;  ///< where it is not usable: why, as a sentence without full stop
  std::string remedy;  ///< likewise: what to do
};

/// MILLRACE_BACKEND decides where it is set: `cpu` no device, `cuda` only a real one, `emulated` a
/// stand-in for tests, of which there are as many as MILLRACE_EMULATED_GPUS says, else one. Else a
/// real one where there is one. Looks for it once a process, which loads NVIDIA's driver but starts
/// nothing on the device. In a process that was forked after that there is none: CUDA does not work
/// behind a fork. Thread-safe.
DeviceSupport deviceSupport();

/// DeviceFacts::uuid of the real device that `openDevice` without a number gives; empty where there
/// is none. As `deviceSupport` looks for it.
std::string firstDeviceUuid();

/// One of the process's devices, opened once and kept, counted from 0 among those that
/// CUDA_VISIBLE_DEVICES leaves. The error is `deviceSupport`'s reason, or why it could not be
/// opened. Thread-safe; the thread's current device stays what it is.
Result<std::shared_ptr<Device>> openDevice(int ordinal);
/// The first one that can be used.
Result<std::shared_ptr<Device>> openDevice();

/// The device that the calling thread of the program has chosen, as openDevice counts; nothing
/// where it has none, and on emulated ones. Starts none.
std::optional<int> currentDevice();

/// A stream of the program with the device that its work is on, where alone it can be marked.
struct ProgramStream {
  std::shared_ptr<Device> device;
  std::shared_ptr<Stream> stream;
};

/// All that a program's stream (cudaStream_t) stands for: itself on its own device, whichever that
/// is; a default one on every device that the process has started, because each has its own and
/// nobody can tell which is meant. An emulated stream that is on no device yet begins on `of`.
/// Thread-safe; the thread's current device stays what it is.
Result<std::vector<ProgramStream>> programStreams(void* native, const std::shared_ptr<Device>& of);

}  // namespace millrace
