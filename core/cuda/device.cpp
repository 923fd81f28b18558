// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device.h"

#include <cstdlib>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/cuda/architectures.h"
#include "core/cuda/cuda_facts.h"
#include "core/cuda/emulated_device.h"

namespace millrace {

namespace {

DeviceSupport cudaSupport() {
  static const CudaFacts facts = cudaFacts();
  if (!facts.trouble.empty()) return {false, DeviceBackend::Cuda, facts.trouble, facts.remedy};
  const DeviceFacts& first = facts.devices.front();
  if (kernelsRunOn(facts.architectures, first.major, first.minor))
    return {true, DeviceBackend::Cuda, {}, {}};
  return {
      false, DeviceBackend::Cuda,
      fmt::format("this build has no kernels for {}, compute capability {}.{}, only for {}",
                  first.text(), first.major, first.minor, facts.architectures),
      fmt::format("build it with -DMILLRACE_CUDA_ARCHITECTURES={}{}", first.major, first.minor)};
}

/// Kept for the whole process and never destroyed: the driver may be gone by then.
struct OpenedDevices {
  Mutex mutex;
  std::map<int, std::shared_ptr<Device>> cuda MILLRACE_GUARDED_BY(mutex);
  std::shared_ptr<Device> emulated MILLRACE_GUARDED_BY(mutex);
};

}  // namespace

std::string DeviceFacts::text() const { return fmt::format("GPU {} ({})", ordinal, name); }

DeviceSupport deviceSupport() {
  const char* const set = std::getenv("MILLRACE_BACKEND");
  const std::string_view backend = set == nullptr ? "" : set;
  if (backend == "emulated") return {true, DeviceBackend::Emulated, {}, {}};
  if (backend == "cpu")
    return {false, DeviceBackend::Cuda, "MILLRACE_BACKEND=cpu forbids the GPU",
            "unset MILLRACE_BACKEND"};
  if (backend.empty() || backend == "cuda") return cudaSupport();
  return {false, DeviceBackend::Cuda, fmt::format("MILLRACE_BACKEND is `{}`", backend),
          "set it to `cpu` or `cuda`, or unset it"};
}

Result<std::shared_ptr<Device>> openDevice(int ordinal) {
  const DeviceSupport support = deviceSupport();
  if (!support.usable) return Error{support.reason + "; " + support.remedy};
  static OpenedDevices& opened = *new OpenedDevices;
  const MutexLock lock(opened.mutex);
  if (support.backend == DeviceBackend::Emulated) {
    if (ordinal != 0) return Error{fmt::format("there is no GPU {}, only 1", ordinal)};
    if (!opened.emulated) opened.emulated = makeEmulatedDevice();
    return opened.emulated;
  }
  std::shared_ptr<Device>& cuda = opened.cuda[ordinal];
  if (!cuda) {
    auto device = openCudaDevice(ordinal);
    if (!device) return device.error();
    cuda = device.take();
  }
  return cuda;
}

}  // namespace millrace
