// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_choice.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "core/base/in_time.h"
#include "core/base/text/text.h"
#include "core/cuda/device.h"

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
    return Error{fmt::format("GPU {} cannot be used: {}", device, chosen.trouble)};
  if (!chosen.mig) return GpuChoice{device, std::nullopt};
  if (chosen.instances.empty())
    return Error{
        fmt::format("GPU {} ({}) is in Multi-Instance mode but has no instance: create one "
                    "with nvidia-smi mig, or turn the mode off",
                    device, chosen.name)};
  return GpuChoice{device, 0};
}

/// CUDA counts only the devices that this user may open.
std::vector<std::size_t> usableOnes(const std::vector<GpuDevice>& devices) {
  std::vector<std::size_t> usable;
  for (std::size_t d = 0; d < devices.size(); ++d)
    if (devices[d].trouble.empty()) usable.push_back(d);
  return usable;
}

/// By default CUDA counts the fastest device first; an environment variable selects bus order.
bool orderIsKnown(const std::vector<GpuDevice>& devices, const std::vector<std::size_t>& usable,
                  const GpuVisibility& visibility) {
  if (visibility.deviceOrder == "PCI_BUS_ID") return true;
  return std::ranges::all_of(
      usable, [&](std::size_t d) { return devices[d].name == devices[usable.front()].name; });
}

Result<GpuChoice> byNumber(const std::vector<GpuDevice>& devices, const GpuVisibility& visibility,
                           std::size_t number) {
  const std::vector<std::size_t> usable = usableOnes(devices);
  if (usable.empty()) return withInstance(devices, 0);
  if (number >= usable.size())
    return Error{
        fmt::format("CUDA_VISIBLE_DEVICES names GPU {}, but there {} {}, so every GPU is "
                    "hidden",
                    number, usable.size() == 1 ? "is" : "are", usable.size())};
  if (!orderIsKnown(devices, usable, visibility))
    return Error{
        "the machine has different GPUs, and it is not known which one CUDA counts first: set "
        "CUDA_DEVICE_ORDER=PCI_BUS_ID, or CUDA_VISIBLE_DEVICES to a GPU's UUID"};
  return withInstance(devices, usable[number]);
}

/// A UUID may be shortened to a unique beginning. An instance may also be named by its card:
/// "MIG-GPU-UUID/1/0".
std::vector<GpuChoice> namedBy(const std::vector<GpuDevice>& devices, std::string_view name) {
  std::vector<GpuChoice> found;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const GpuDevice& device = devices[d];
    if (!device.uuid.empty() && std::string_view(device.uuid).starts_with(name))
      found.push_back({d, std::nullopt});
    for (std::size_t i = 0; i < device.instances.size(); ++i) {
      const GpuInstance& instance = device.instances[i];
      if (std::string_view(instance.uuid).starts_with(name) ||
          (!instance.numbers.empty() && name == "MIG-" + device.uuid + "/" + instance.numbers))
        found.push_back({d, i});
    }
  }
  return found;
}

Result<GpuChoice> byUuid(const std::vector<GpuDevice>& devices, std::string_view uuid) {
  const std::vector<GpuChoice> found = namedBy(devices, uuid);
  if (found.size() != 1)
    return Error{
        fmt::format("CUDA_VISIBLE_DEVICES names `{}`, which matches {}, so every GPU is "
                    "hidden",
                    uuid, found.empty() ? "no GPU" : "more than one GPU")};
  if (found.front().instance) return found.front();
  return withInstance(devices, found.front().device);
}

/// Chooses by CUDA's rules alone.
Result<GpuChoice> byEnvironment(const std::vector<GpuDevice>& devices,
                                const GpuVisibility& visibility) {
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

/// The device that CUDA reported. For an instance it may report the card; then the rules choose the
/// instance.
std::optional<GpuChoice> byCuda(const std::vector<GpuDevice>& devices,
                                const GpuVisibility& visibility) {
  if (visibility.cudaUuid.empty()) return std::nullopt;
  for (const char* kind : {"MIG-", "GPU-"}) {
    const std::vector<GpuChoice> found = namedBy(devices, kind + visibility.cudaUuid);
    if (found.size() != 1) continue;
    if (found.front().instance || !devices[found.front().device].mig) return found.front();
    const Result<GpuChoice> ruled = byEnvironment(devices, visibility);
    if (ruled && ruled->device == found.front().device) return *ruled;
    const Result<GpuChoice> first = withInstance(devices, found.front().device);
    if (first) return *first;
  }
  return std::nullopt;
}

}  // namespace

GpuVisibility gpuVisibility(const std::vector<GpuDevice>& devices) {
  GpuVisibility visibility{variable("CUDA_VISIBLE_DEVICES"), variable("CUDA_DEVICE_ORDER"), {}};
  if (devices.size() > 1 || std::ranges::any_of(devices, &GpuDevice::mig))
    visibility.cudaUuid = inTime(kGpuPatience, firstDeviceUuid).value_or("");
  return visibility;
}

Result<GpuChoice> chooseGpu(const std::vector<GpuDevice>& devices,
                            const GpuVisibility& visibility) {
  if (devices.empty()) return Error{"the driver finds no GPU"};
  if (const std::optional<GpuChoice> choice = byCuda(devices, visibility)) return *choice;
  return byEnvironment(devices, visibility);
}

}  // namespace millrace
