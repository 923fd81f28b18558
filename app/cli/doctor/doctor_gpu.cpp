// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/doctor/doctor_gpu.h"

#include <dlfcn.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/doctor/doctor_facts.h"
#include "core/base/clock.h"
#include "core/base/text/text.h"
#include "core/cuda/libraries/cublas_library.h"
#include "core/cuda/libraries/cudnn_library.h"
#include "core/cuda/libraries/jpeg_library.h"
#include "core/cuda/libraries/nccl_library.h"
#include "core/events/json/json_text.h"
#include "core/metrics/metric_spec.h"
#include "core/monitor/gpu/gpu_choice.h"
#include "core/monitor/gpu/gpu_library.h"
#include "core/monitor/gpu/gpu_sampler.h"

namespace millrace::cli {

namespace {

/// Uses cuDriverGetVersion ("CUDA Driver API", Version Management): 13000 is 13.0.
std::optional<std::string> driverApiVersion(void* library) {
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
  int version = 0;
  if (ask == nullptr || ask(&version) != 0) return std::nullopt;
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Opened as a run would: the path may come from a variable, and a library that is too old is
/// unusable.
template <class Library>
GpuPart openedPart(const char* name, const char* missing, const std::vector<std::string>& files) {
  GpuPart part{name, missing, false, std::nullopt};
  for (const std::string& file : files) {
    const auto library = Library::open(file, DeviceBackend::Cuda);
    if (library) {
      part.found = true;
      part.version = (*library)->version() + ", " + file;
      part.trouble.clear();
      break;
    }
    if (part.found || library.error().message == file + " is not installed") continue;
    part.found = true;
    part.trouble = library.error().message;
  }
  return part;
}

std::vector<GpuPart> gpuParts() {
  using Ask = std::optional<std::string> (*)(void*);
  struct Known {
    const char* library;
    const char* missing;
    Ask version;
  };
  constexpr Ask kUntold = [](void*) -> std::optional<std::string> { return std::nullopt; };
  const Known known[] = {
      {"libcuda.so.1", "NVIDIA's driver: nothing runs on a GPU", driverApiVersion},
      {kGpuLibrary, "the GPU's figures are unavailable", kUntold}};
  std::vector<GpuPart> parts;
  for (const Known& each : known) {
    // It stays loaded, because some of these libraries leak memory when unloaded.
    void* const library = dlopen(each.library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    GpuPart part{each.library, each.missing, library != nullptr, std::nullopt};
    if (library != nullptr) {
      part.version = each.version(library);
      dlclose(library);
    }
    parts.push_back(std::move(part));
  }
  parts.push_back(openedPart<CudnnLibrary>(
      "libcudnn", "a training step's convolutions use Millrace's own kernels, which are slow",
      cudnnLibraryFiles()));
  parts.push_back(openedPart<CublasLibrary>(
      "libcublas", "a training step's dense layer uses Millrace's own kernel",
      cublasLibraryFiles()));
  parts.push_back(openedPart<NcclLibrary>("libnccl", "ranks average their gradients in host memory",
                                          ncclLibraryFiles()));
  parts.push_back(
      openedPart<JpegLibrary>("libnvjpeg", "JPEG is only decoded on the CPU", jpegLibraryFiles()));
  return parts;
}

GpuReport::Device deviceOf(const GpuLibrary& library, const GpuDevice& device) {
  GpuReport::Device shown{device.name, device.uuid, std::nullopt, device.trouble, device.mig, {}};
  nvml::Memory memory{};
  if (device.handle != nullptr &&
      GpuLibrary::call(library.functions().memory, device.handle, &memory) == nvml::kSuccess)
    shown.memoryBytes = static_cast<double>(memory.total);
  for (const GpuInstance& instance : device.instances) shown.instances.push_back(instance.name);
  return shown;
}

/// Queries until all values that need two readings are complete: bus traffic is the difference of
/// two counters, and other programs are read with every tenth sample. The time between the readings
/// is simulated, because only the set of available values matters.
Result<GpuValues> askedTwice(GpuSampler& sampler) {
  constexpr int kSamples = 11;
  const SteadyTime begin = steadyClock().now();
  Result<GpuValues> values = sampler.sample(begin);
  for (int i = 1; i < kSamples && values; ++i)
    values = sampler.sample(begin + i * std::chrono::milliseconds(20));
  return values;
}

void askOnce(const GpuLibrary& library, const std::vector<GpuDevice>& devices,
             const GpuChoice& choice, GpuReport& report) {
  GpuSampler sampler(library, devices, choice, thisProcess());
  const Result<GpuValues> values = askedTwice(sampler);
  if (!values) {
    report.notWatched = values.error().message;
    return;
  }
  report.watched = sampler.name();
  for (const GpuField& field : gpuFields()) {
    // The cost of monitoring is a figure of ours, not of the device.
    if (field.value == &GpuValues::monitorCpuShare) continue;
    const MetricSpec* spec = findMetric("accelerator." + std::string(field.key));
    const bool told = ((*values).*field.value).has_value();
    (told ? report.told : report.notTold).emplace_back(spec == nullptr ? field.key : spec->name);
  }
}

std::string deviceLine(const GpuReport::Device& device) {
  if (!device.trouble.empty()) return "not usable: " + device.trouble;
  std::string line = device.name;
  if (device.memoryBytes) line += ", " + humanBytes(*device.memoryBytes);
  if (device.mig)
    line += device.instances.empty()
                ? ", in Multi-Instance mode, without an instance"
                : fmt::format(", in Multi-Instance mode: {}", joinWords(device.instances));
  return device.uuid.empty() ? line : line + ", " + device.uuid;
}

}  // namespace

GpuReport examineGpu() {
  GpuReport report;
  report.parts = gpuParts();
  const auto opened = openGpus();
  if (!opened) {
    report.noDevices = report.notWatched = opened.error().message;
    return report;
  }
  const GpuLibrary& library = *opened->library;
  const std::vector<GpuDevice>& devices = opened->devices;
  report.driver = library.driverVersion();
  report.newestCuda = library.cudaVersion();
  report.libraryVersion = library.libraryVersion();
  for (GpuPart& part : report.parts)
    if (part.library == kGpuLibrary) part.version = report.libraryVersion;
  for (const GpuDevice& device : devices) report.devices.push_back(deviceOf(library, device));
  const Result<GpuChoice> choice = chooseGpu(devices, gpuVisibility(devices));
  if (choice)
    askOnce(library, devices, *choice, report);
  else
    report.notWatched = choice.error().message;
  if (devices.empty()) report.noDevices = report.notWatched;
  return report;
}

std::string gpuReportText(const GpuReport& report) {
  std::string text = "\nGPU\n";
  if (!report.any()) {
    text += doctorLine("device", "no GPU: pipelines run on the CPU");
    text += doctorLine("", report.noDevices);
  }
  for (const GpuReport::Device& device : report.devices)
    text += doctorLine("device", deviceLine(device));
  if (report.driver)
    text += doctorLine(
        "driver",
        *report.driver + (report.newestCuda ? ", supports CUDA up to " + *report.newestCuda : ""));
  if (report.any() && report.watched.empty())
    text += doctorLine("figures", "none: " + report.notWatched);
  if (!report.watched.empty()) {
    text += doctorLine("figures of", report.watched);
    text += doctorLine("available", joinWords(report.told));
    if (!report.notTold.empty()) text += doctorLine("unavailable", joinWords(report.notTold));
  }
  for (const GpuPart& part : report.parts) {
    const std::string missing = part.trouble.empty() ? "not found" : part.trouble;
    text += doctorLine(part.library, part.found && part.trouble.empty()
                                         ? part.version.value_or("found")
                                         : missing + ": " + part.missing);
  }
  return text;
}

Json gpuReportJson(const GpuReport& report) {
  Json devices = Json::array();
  for (const GpuReport::Device& device : report.devices)
    devices.push_back({{"name", validUtf8(device.name)},
                       {"uuid", orNull(validUtf8(device.uuid))},
                       {"memory_bytes", orNull(device.memoryBytes)},
                       {"trouble", orNull(validUtf8(device.trouble))},
                       {"multi_instance", device.mig},
                       {"instances", device.instances}});
  Json libraries = Json::object();
  for (const GpuPart& part : report.parts)
    libraries[part.library] = {{"found", part.found},
                               {"version", orNull(part.version)},
                               {"trouble", orNull(validUtf8(part.trouble))}};
  return {{"devices", devices},
          {"driver", orNull(report.driver)},
          {"newest_cuda", orNull(report.newestCuda)},
          {"management_library", orNull(report.libraryVersion)},
          {"watched", orNull(validUtf8(report.watched))},
          {"not_watched", orNull(validUtf8(report.notWatched))},
          {"figures", report.told},
          {"missing_figures", report.notTold},
          {"libraries", libraries}};
}

}  // namespace millrace::cli
