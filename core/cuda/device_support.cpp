// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_support.h"

#include <fmt/format.h>

#include "core/cuda/architectures.h"

namespace millrace {

DeviceSupport supportOf(const CudaFacts& facts) {
  if (!facts.trouble.empty()) return {false, DeviceBackend::Cuda, 0, facts.trouble, facts.remedy};
  for (const DeviceFacts& device : facts.devices)
    if (kernelsRunOn(facts.architectures, device.major, device.minor))
      return {true, DeviceBackend::Cuda, device.ordinal, {}, {}};
  const DeviceFacts& first = facts.devices.front();
  const std::size_t others = facts.devices.size() - 1;
  return {
      false, DeviceBackend::Cuda, 0,
      fmt::format("this build has no kernels for {}, compute capability {}.{}{}, only for {}",
                  first.text(), first.major, first.minor,
                  others == 0 ? "" : fmt::format(", nor for any of {} other devices", others),
                  facts.architectures),
      fmt::format("build it with -DMILLRACE_CUDA_ARCHITECTURES={}{}", first.major, first.minor)};
}

}  // namespace millrace
