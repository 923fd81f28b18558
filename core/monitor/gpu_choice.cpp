// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu_choice.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"

namespace millrace {

namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

Result<GpuChoice> withInstance(const std::vector<GpuDevice>& devices, std::size_t device) {
  const GpuDevice& chosen = devices[device];
  if (!chosen.trouble.empty())
    return Error{fmt::format("GPU {} may not be used: {}", device, chosen.trouble)};
  if (!chosen.mig) return GpuChoice{device, std::nullopt};
  if (chosen.instances.empty())
    return Error{
        fmt::format("GPU {} ({}) is in Multi-Instance mode and has no instance: make one "
                    "with nvidia-smi mig, or turn the mode off",
                    device, chosen.name)};
  return GpuChoice{device, 0};
}

/// CUDA counts the fastest first unless it is told to count as the bus does.
bool orderIsKnown(const std::vector<GpuDevice>& devices, const GpuVisibility& visibility) {
  if (visibility.deviceOrder == "PCI_BUS_ID") return true;
  return std::ranges::all_of(
      devices, [&](const GpuDevice& device) { return device.name == devices.front().name; });
}

Result<GpuChoice> byNumber(const std::vector<GpuDevice>& devices, const GpuVisibility& visibility,
                           std::size_t number) {
  if (number >= devices.size())
    return Error{
        fmt::format("CUDA_VISIBLE_DEVICES names GPU {}, and there {} {}: every GPU is "
                    "hidden",
                    number, devices.size() == 1 ? "is" : "are", devices.size())};
  if (!orderIsKnown(devices, visibility))
    return Error{
        "the machine has different GPUs, and which of them CUDA counts first cannot be told: set "
        "CUDA_DEVICE_ORDER=PCI_BUS_ID, or CUDA_VISIBLE_DEVICES to a GPU's UUID"};
  return withInstance(devices, number);
}

/// A UUID may be shortened to a beginning that only one has.
Result<GpuChoice> byUuid(const std::vector<GpuDevice>& devices, std::string_view uuid) {
  std::vector<GpuChoice> found;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (std::string_view(devices[d].uuid).starts_with(uuid)) found.push_back({d, std::nullopt});
    for (std::size_t i = 0; i < devices[d].instances.size(); ++i)
      if (std::string_view(devices[d].instances[i].uuid).starts_with(uuid)) found.push_back({d, i});
  }
  if (found.size() != 1)
    return Error{
        fmt::format("CUDA_VISIBLE_DEVICES names `{}`, which {} here is: every GPU is "
                    "hidden",
                    uuid, found.empty() ? "no GPU" : "more than one GPU")};
  if (found.front().instance) return found.front();
  return withInstance(devices, found.front().device);
}

}  // namespace

GpuVisibility gpuVisibility() {
  return {variable("CUDA_VISIBLE_DEVICES"), variable("CUDA_DEVICE_ORDER")};
}

Result<GpuChoice> chooseGpu(const std::vector<GpuDevice>& devices,
                            const GpuVisibility& visibility) {
  if (devices.empty()) return Error{"the driver finds no GPU"};
  if (!visibility.visibleDevices) return byNumber(devices, visibility, 0);
  const std::string& list = *visibility.visibleDevices;
  const std::string_view first = trimmed(std::string_view(list).substr(0, list.find(',')));
  if (first.starts_with("GPU-") || first.starts_with("MIG-")) return byUuid(devices, first);
  std::size_t number = 0;
  const auto read = std::from_chars(first.data(), first.data() + first.size(), number);
  if (read.ec != std::errc())
    return Error{
        fmt::format("CUDA_VISIBLE_DEVICES is `{}`: every GPU is hidden from this process", list)};
  return byNumber(devices, visibility, number);
}

}  // namespace millrace
