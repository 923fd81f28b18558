// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/environment_number.h"
#include "core/cuda/cuda_facts.h"
#include "core/cuda/cuda_scope.h"
#include "core/cuda/cuda_trouble.h"
#include "core/cuda/device_support.h"
#include "core/cuda/emulated_device.h"

namespace millrace {

namespace {

/// The facts once they are known. Atomic, because a forked child must not wait for the thread that
/// was finding them.
std::atomic<const CudaFacts*>& foundFacts() {
  static std::atomic<const CudaFacts*> found{nullptr};
  return found;
}

const CudaFacts& factsOfProcess() {
  static const CudaFacts facts = cudaFacts();
  foundFacts().store(&facts);
  return facts;
}

/// Whether this process was forked from one that had looked for a device. The first call marks this
/// process as having looked.
bool isForkedChild() {
  static std::atomic<pid_t> looked{0};
  pid_t nobody = 0;
  const pid_t here = getpid();
  return !looked.compare_exchange_strong(nobody, here) && nobody != here;
}

DeviceSupport refused(const CudaTrouble& why) {
  return {false, DeviceBackend::Cuda, 0, why.trouble, why.remedy};
}

/// If the parent found no device, the child has none for the same reason.
DeviceSupport supportAfterFork(DeviceBackend backend) {
  const CudaFacts* const found = foundFacts().load();
  if (backend == DeviceBackend::Cuda && found != nullptr && !found->trouble.empty())
    return supportOf(*found);
  return refused(troubleAfterFork());
}

/// The backend that MILLRACE_BACKEND allows, or why it allows none.
DeviceSupport allowed() {
  const char* const set = std::getenv("MILLRACE_BACKEND");
  const std::string_view backend = set == nullptr ? "" : set;
  if (backend == "cpu")
    return refused({"MILLRACE_BACKEND=cpu forbids the GPU", "unset MILLRACE_BACKEND"});
  const bool emulated = backend == "emulated";
  if (!emulated && !backend.empty() && backend != "cuda")
    return refused({fmt::format("MILLRACE_BACKEND is `{}`, which is not a backend", backend),
                    "set it to `cpu` or `cuda`, or unset it"});
  const DeviceBackend kind = emulated ? DeviceBackend::Emulated : DeviceBackend::Cuda;
  if (isForkedChild()) return supportAfterFork(kind);
  return {true, kind, 0, {}, {}};
}

/// Kept for the whole process and never destroyed: the driver may already be gone at exit.
struct OpenedDevices {
  Mutex mutex;
  std::map<int, std::shared_ptr<Device>> cuda MILLRACE_GUARDED_BY(mutex);
  /// Devices on which the engine only records events.
  std::map<int, std::shared_ptr<Device>> marked MILLRACE_GUARDED_BY(mutex);
  std::map<int, std::shared_ptr<Device>> emulated MILLRACE_GUARDED_BY(mutex);
};

OpenedDevices& openedDevices() {
  static OpenedDevices& opened = *new OpenedDevices;
  return opened;
}

constexpr std::int64_t kMostEmulated = 64;

Result<std::shared_ptr<Device>> openedEmulated(int ordinal) {
  MILLRACE_ASSIGN_OR_RETURN(const auto count,
                            environmentNumber("MILLRACE_EMULATED_GPUS", 1, kMostEmulated, 1));
  if (ordinal < 0 || ordinal >= count)
    return Error{fmt::format("there is no GPU {}; this machine has {}", ordinal, count)};
  OpenedDevices& opened = openedDevices();
  const MutexLock lock(opened.mutex);
  std::shared_ptr<Device>& device = opened.emulated[ordinal];
  if (!device) {
    EmulatedOptions options;
    options.ordinal = ordinal;
    device = makeEmulatedDevice(options);
  }
  return device;
}

Result<std::shared_ptr<Device>> openedCuda(int ordinal, CudaUse use) {
  OpenedDevices& opened = openedDevices();
  const MutexLock lock(opened.mutex);
  if (const auto there = opened.cuda.find(ordinal); there != opened.cuda.end())
    return there->second;
  auto& kept = use == CudaUse::Kernels ? opened.cuda : opened.marked;
  if (const auto there = kept.find(ordinal); there != kept.end()) return there->second;
  auto device = openCudaDevice(ordinal, use);
  if (device) kept[ordinal] = *device;
  return device;
}

/// The devices on which the program has a stream with this value, else `of`.
std::vector<std::shared_ptr<Device>> emulatedDevicesOf(void* native,
                                                       const std::shared_ptr<Device>& of) {
  OpenedDevices& opened = openedDevices();
  const MutexLock lock(opened.mutex);
  std::vector<std::shared_ptr<Device>> devices;
  for (const auto& [ordinal, device] : opened.emulated)
    if (isDefaultStream(native) || hasProgramStream(*device, native)) devices.push_back(device);
  if (devices.empty()) devices.push_back(of);
  return devices;
}

Result<std::vector<std::shared_ptr<Device>>> devicesOf(void* native,
                                                       const std::shared_ptr<Device>& of) {
  if (of->backend() == DeviceBackend::Emulated) return emulatedDevicesOf(native, of);
  MILLRACE_ASSIGN_OR_RETURN(auto ordinals, cudaDevicesOf(native));
  std::vector<std::shared_ptr<Device>> devices;
  for (const int ordinal : ordinals) {
    MILLRACE_ASSIGN_OR_RETURN(auto device, openedCuda(ordinal, CudaUse::Marks));
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

std::string DeviceFacts::text() const { return fmt::format("GPU {} ({})", ordinal, name); }

DeviceSupport deviceSupport() {
  DeviceSupport support = allowed();
  if (!support.usable || support.backend == DeviceBackend::Emulated) return support;
  return supportOf(factsOfProcess());
}

std::string firstDeviceUuid() {
  const DeviceSupport support = deviceSupport();
  const bool real = support.usable && support.backend == DeviceBackend::Cuda;
  if (!real) return {};
  return factsOfProcess().devices[static_cast<std::size_t>(support.ordinal)].uuid;
}

Result<std::shared_ptr<Device>> openDevice(int ordinal) {
  // The device itself decides which kernels run on it; the facts are only an estimate.
  const DeviceSupport support = allowed();
  if (!support.usable) return Error{support.reason + "; " + support.remedy};
  if (support.backend == DeviceBackend::Emulated) return openedEmulated(ordinal);
  return openedCuda(ordinal, CudaUse::Kernels);
}

Result<std::shared_ptr<Device>> openDevice() {
  const DeviceSupport support = deviceSupport();
  if (!support.usable) return Error{support.reason + "; " + support.remedy};
  return openDevice(support.ordinal);
}

std::optional<int> currentDevice() {
  const DeviceSupport support = deviceSupport();
  if (!support.usable || support.backend == DeviceBackend::Emulated) return std::nullopt;
  return currentCudaDevice();
}

Result<std::vector<ProgramStream>> programStreams(void* native, const std::shared_ptr<Device>& of) {
  MILLRACE_ASSIGN_OR_RETURN(auto devices, devicesOf(native, of));
  std::vector<ProgramStream> streams;
  for (std::shared_ptr<Device>& device : devices) {
    MILLRACE_ASSIGN_OR_RETURN(auto stream, device->programStream(native));
    streams.push_back({std::move(device), std::move(stream)});
  }
  return streams;
}

}  // namespace millrace
