// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: memory and copies.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "tests/ptx/device_memory.h"
#include "tests/ptx/order.h"
#include "tests/ptx/pinned_memory.h"
#include "tests/ptx/runtime_state.h"
#include "tests/ptx/runtime_streams.h"

namespace millrace::ptx {

namespace {

using Where = PinnedMemory::Where;

std::uint64_t addressOf(const void* data) { return reinterpret_cast<std::uint64_t>(data); }

bool isLive(const void* device, std::size_t bytes) {
  return DeviceMemory::instance().isLive(addressOf(device), bytes);
}
bool isDevice(const void* data) { return DeviceMemory::instance().isDevice(addressOf(data)); }

/// Whether these bytes are inside a live block now, when the work is executed, and other streams'
/// accesses to them are ordered with this one.
bool mayTouch(const void* device, std::size_t bytes, const char* call, bool writes) {
  if (isLive(device, bytes)) {
    const std::uint64_t at = addressOf(device) - DeviceMemory::instance().base();
    const std::string found = touchAll(at, bytes, writes);
    if (!found.empty())
      setDeviceFault(
          cudaErrorIllegalAddress,
          fmt::format("PTX device: race: {} of {} bytes at {}: {}\n", call, bytes, device, found));
    return found.empty();
  }
  setDeviceFault(cudaErrorIllegalAddress,
                 fmt::format("PTX device: {}: {} bytes at {}: {}\n", call, bytes, device,
                             DeviceMemory::instance().describe(addressOf(device))));
  return false;
}

bool stillPinned(const void* host, std::size_t bytes) {
  if (PinnedMemory::instance().where(host, bytes) == Where::Inside) return true;
  setDeviceFault(cudaErrorIllegalAddress,
                 fmt::format("PTX device: cudaMemcpyAsync: {} bytes of pinned memory at {}, which "
                             "were freed before the copy was done\n",
                             bytes, host));
  return false;
}

void written(const void* device, std::size_t bytes) {
  std::memset(DeviceMemory::instance().states(addressOf(device)), DeviceMemory::Written, bytes);
}
std::byte* bytesOf(const void* device) { return DeviceMemory::instance().data(addressOf(device)); }

void toDevice(void* to, const void* from, std::size_t bytes) {
  if (!mayTouch(to, bytes, "cudaMemcpyAsync to the device", true)) return;
  std::memcpy(bytesOf(to), from, bytes);
  written(to, bytes);
}
void toHost(void* to, const void* from, std::size_t bytes) {
  if (mayTouch(from, bytes, "cudaMemcpyAsync to the host", false))
    std::memcpy(to, bytesOf(from), bytes);
}
void onDevice(void* to, const void* from, std::size_t bytes) {
  if (!mayTouch(from, bytes, "cudaMemcpyAsync on the device", false) ||
      !mayTouch(to, bytes, "cudaMemcpyAsync on the device", true))
    return;
  std::memmove(bytesOf(to), bytesOf(from), bytes);
  DeviceMemory& memory = DeviceMemory::instance();
  std::memmove(memory.states(addressOf(to)), memory.states(addressOf(from)), bytes);
}

cudaError_t refuseCopy(const void* data, std::size_t bytes, const char* why) {
  return refused(cudaErrorInvalidValue, "cudaMemcpyAsync",
                 fmt::format("{} bytes at {}: {}", bytes, data, why));
}

/// The host side of a copy: pinned memory is accessed when the copy is executed, other memory
/// immediately.
cudaError_t copyToDevice(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const Where where = PinnedMemory::instance().where(from, bytes);
  if (where == Where::Outside)
    return refuseCopy(from, bytes, "not within the used part of a pinned block");
  if (where == Where::Inside) return enqueue(stream, [=] { toDevice(to, from, bytes); });
  const auto* const first = static_cast<const std::byte*>(from);
  return enqueue(stream, [to, staged = std::vector<std::byte>(first, first + bytes)] {
    toDevice(to, staged.data(), staged.size());
  });
}

cudaError_t copyToHost(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const Where where = PinnedMemory::instance().where(to, bytes);
  if (where == Where::Outside)
    return refuseCopy(to, bytes, "not within the used part of a pinned block");
  const bool pinned = where == Where::Inside;
  const cudaError_t code = enqueue(stream, [=] {
    if (!pinned || stillPinned(to, bytes)) toHost(to, from, bytes);
  });
  // Returns once the host has the bytes.
  return code != cudaSuccess || pinned ? code : synchronise(stream);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const bool fromDevice = isDevice(from);
  const bool onlyDevice = isDevice(to);
  if (kind == cudaMemcpyDefault)
    kind = fromDevice   ? onlyDevice ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost
           : onlyDevice ? cudaMemcpyHostToDevice
                        : cudaMemcpyHostToHost;
  const bool wantsFrom = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool wantsTo = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return refuseCopy(to, bytes, "a null pointer");
  if (fromDevice != wantsFrom) return refuseCopy(from, bytes, "not of the direction's side");
  if (onlyDevice != wantsTo) return refuseCopy(to, bytes, "not of the direction's side");
  if (wantsFrom && !isLive(from, bytes)) return refuseCopy(from, bytes, "not in one live block");
  if (wantsTo && !isLive(to, bytes)) return refuseCopy(to, bytes, "not in one live block");
  switch (kind) {
    case cudaMemcpyHostToDevice: return copyToDevice(to, from, bytes, stream);
    case cudaMemcpyDeviceToHost: return copyToHost(to, from, bytes, stream);
    case cudaMemcpyDeviceToDevice: return enqueue(stream, [=] { onDevice(to, from, bytes); });
    default: return refuseCopy(to, bytes, "from the host to the host");
  }
}

}  // namespace

}  // namespace millrace::ptx

using namespace millrace::ptx;  // NOLINT(google-build-using-namespace): C functions follow

extern "C" {

cudaError_t cudaMalloc(void** to, std::size_t bytes) {
  return answered([&] {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = nullptr;
    if (bytes == 0) return cudaSuccess;
    *to = reinterpret_cast<void*>(DeviceMemory::instance().allocate(bytes));
    return *to == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}

/// Waits for the device, like CUDA's.
cudaError_t cudaFree(void* data) {
  return answered([&] {
    if (data == nullptr) return cudaSuccess;
    synchroniseAll();
    if (DeviceMemory::instance().free(addressOf(data))) return deviceFault();
    return refused(cudaErrorInvalidValue, "cudaFree", "not the beginning of a live block");
  });
}

cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned int flags) {
  return answered([&] {
    constexpr unsigned int kKnown =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (to == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    *to = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > DeviceMemory::instance().totalBytes()) return cudaErrorMemoryAllocation;
    *to = PinnedMemory::instance().allocate(bytes);
    return *to == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* data) {
  return answered([&] {
    if (data == nullptr) return cudaSuccess;
    synchroniseAll();
    if (PinnedMemory::instance().free(data)) return deviceFault();
    return refused(cudaErrorInvalidValue, "cudaFreeHost", "not a pinned block");
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return answered([&] {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = DeviceMemory::instance().freeBytes();
    *total = DeviceMemory::instance().totalBytes();
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return answered([&] { return copy(to, from, bytes, kind, stream); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return answered([&] {
    if (bytes == 0) return cudaSuccess;
    if (!isLive(to, bytes))
      return refused(cudaErrorInvalidValue, "cudaMemsetAsync",
                     fmt::format("{} bytes at {}: not in one live block", bytes, to));
    return enqueue(stream, [=] {
      if (!mayTouch(to, bytes, "cudaMemsetAsync", true)) return;
      std::memset(bytesOf(to), value, bytes);
      written(to, bytes);
    });
  });
}
}
