// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_library.h"

#include <algorithm>
#include <array>
#include <set>

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/base/in_time.h"
#include "core/base/loaded_library.h"

namespace millrace {

namespace {

using Text = std::array<char, nvml::kTextSize>;

/// Text that a function writes into a buffer of its caller; nullopt if the call failed.
template <class Call>
std::optional<std::string> textOf(Call call) {
  Text text{};
  if (call(text.data(), static_cast<unsigned>(text.size() - 1)) != nvml::kSuccess)
    return std::nullopt;
  return std::string(text.data());
}

}  // namespace

void GpuLibrary::CloseLibrary::operator()(void* handle) const { dlclose(handle); }

Result<std::unique_ptr<GpuLibrary>> GpuLibrary::open(const std::string& file) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return notLoaded(file);
  std::unique_ptr<GpuLibrary> library(new GpuLibrary(handle));
  library->load();
  const nvml::Functions& f = library->m_functions;
  if (f.init == nullptr || f.deviceCount == nullptr || f.deviceByIndex == nullptr)
    return Error{fmt::format("{} is not NVIDIA's management library, or is older than 2012", file)};
  if (const nvml::Code code = f.init(); code != nvml::kSuccess)
    return Error{fmt::format("{} cannot be initialised: {}", file, library->wordsOf(code))};
  library->m_started = true;
  return library;
}

GpuLibrary::~GpuLibrary() {
  if (m_started && m_functions.shutdown != nullptr) m_functions.shutdown();
}

void GpuLibrary::load() {
  const auto find = [this]<class F>(F*& function, const char* name) {
    if (function == nullptr) function = reinterpret_cast<F*>(dlsym(m_handle.get(), name));
  };
  nvml::Functions& f = m_functions;
  find(f.init, "nvmlInit_v2");
  find(f.shutdown, "nvmlShutdown");
  find(f.errorString, "nvmlErrorString");
  find(f.driverVersion, "nvmlSystemGetDriverVersion");
  find(f.libraryVersion, "nvmlSystemGetNVMLVersion");
  find(f.cudaVersion, "nvmlSystemGetCudaDriverVersion_v2");
  find(f.deviceCount, "nvmlDeviceGetCount_v2");
  find(f.deviceByIndex, "nvmlDeviceGetHandleByIndex_v2");
  find(f.deviceName, "nvmlDeviceGetName");
  find(f.deviceUuid, "nvmlDeviceGetUUID");
  find(f.utilization, "nvmlDeviceGetUtilizationRates");
  find(f.memory, "nvmlDeviceGetMemoryInfo");
  find(f.power, "nvmlDeviceGetPowerUsage");
  find(f.powerLimit, "nvmlDeviceGetEnforcedPowerLimit");
  find(f.clock, "nvmlDeviceGetClockInfo");
  // Renamed in driver 535; the bits are unchanged.
  find(f.clockReasons, "nvmlDeviceGetCurrentClocksEventReasons");
  find(f.clockReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  find(f.temperature, "nvmlDeviceGetTemperature");
  find(f.pcieThroughput, "nvmlDeviceGetPcieThroughput");
  find(f.linkGeneration, "nvmlDeviceGetMaxPcieLinkGeneration");
  find(f.linkWidth, "nvmlDeviceGetMaxPcieLinkWidth");
  find(f.fieldValues, "nvmlDeviceGetFieldValues");
  find(f.decoderUtilization, "nvmlDeviceGetDecoderUtilization");
  find(f.jpegUtilization, "nvmlDeviceGetJpgUtilization");
  // Both have the same entries, except in drivers whose _v3 writes longer ones. The first version
  // has shorter entries, so without these two functions nothing is read.
  find(f.computeProcesses, "nvmlDeviceGetComputeRunningProcesses_v2");
  find(f.computeProcesses, "nvmlDeviceGetComputeRunningProcesses_v3");
  find(f.graphicsProcesses, "nvmlDeviceGetGraphicsRunningProcesses_v2");
  find(f.graphicsProcesses, "nvmlDeviceGetGraphicsRunningProcesses_v3");
  find(f.processUtilization, "nvmlDeviceGetProcessUtilization");
  find(f.migMode, "nvmlDeviceGetMigMode");
  find(f.maxMigDevices, "nvmlDeviceGetMaxMigDeviceCount");
  find(f.migDevice, "nvmlDeviceGetMigDeviceHandleByIndex");
  find(f.gpuInstanceId, "nvmlDeviceGetGpuInstanceId");
  find(f.computeInstanceId, "nvmlDeviceGetComputeInstanceId");
}

std::string GpuLibrary::wordsOf(nvml::Code code) const {
  const char* words = m_functions.errorString == nullptr ? nullptr : m_functions.errorString(code);
  return words == nullptr ? fmt::format("error {}", code) : std::string(words);
}

std::optional<std::string> GpuLibrary::driverVersion() const {
  return textOf(
      [this](char* to, unsigned size) { return call(m_functions.driverVersion, to, size); });
}

std::optional<std::string> GpuLibrary::libraryVersion() const {
  return textOf(
      [this](char* to, unsigned size) { return call(m_functions.libraryVersion, to, size); });
}

std::optional<std::string> GpuLibrary::cudaVersion() const {
  int version = 0;
  if (call(m_functions.cudaVersion, &version) != nvml::kSuccess || version <= 0)
    return std::nullopt;
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::vector<GpuDevice> GpuLibrary::devices() const {
  unsigned count = 0;
  if (m_functions.deviceCount(&count) != nvml::kSuccess) return {};
  std::vector<GpuDevice> devices;
  for (unsigned i = 0; i < count; ++i) devices.push_back(deviceAt(i));
  return devices;
}

GpuDevice GpuLibrary::deviceAt(unsigned index) const {
  GpuDevice device;
  if (const nvml::Code code = m_functions.deviceByIndex(index, &device.handle);
      code != nvml::kSuccess) {
    device.handle = nullptr;
    device.trouble = wordsOf(code);
    return device;
  }
  device.name = textOf([&](char* to, unsigned size) {
                  return call(m_functions.deviceName, device.handle, to, size);
                }).value_or("unnamed GPU");
  device.uuid = textOf([&](char* to, unsigned size) {
                  return call(m_functions.deviceUuid, device.handle, to, size);
                }).value_or("");
  unsigned current = 0;
  unsigned pending = 0;
  const bool known = call(m_functions.migMode, device.handle, &current, &pending) == nvml::kSuccess;
  device.mig = known && current == 1;
  if (device.mig) addInstances(device);
  return device;
}

void GpuLibrary::addInstances(GpuDevice& device) const {
  unsigned most = 0;
  if (call(m_functions.maxMigDevices, device.handle, &most) != nvml::kSuccess) return;
  for (unsigned i = 0; i < most; ++i) {
    GpuInstance instance;
    // There may be gaps in the numbers of instances.
    if (call(m_functions.migDevice, device.handle, i, &instance.handle) != nvml::kSuccess) continue;
    instance.name = textOf([&](char* to, unsigned size) {
                      return call(m_functions.deviceName, instance.handle, to, size);
                    }).value_or(device.name + " MIG");
    instance.uuid = textOf([&](char* to, unsigned size) {
                      return call(m_functions.deviceUuid, instance.handle, to, size);
                    }).value_or("");
    unsigned gpu = 0;
    unsigned compute = 0;
    if (call(m_functions.gpuInstanceId, instance.handle, &gpu) == nvml::kSuccess &&
        call(m_functions.computeInstanceId, instance.handle, &compute) == nvml::kSuccess)
      instance.numbers = fmt::format("{}/{}", gpu, compute);
    device.instances.push_back(std::move(instance));
  }
}

Result<OpenedGpus> openGpus(const std::string& file, std::chrono::milliseconds patience) {
  static Mutex mutex;
  static std::set<std::string>& silent = *new std::set<std::string>;
  const Error error{"NVIDIA's driver does not answer: " + file + " was not initialised in time"};
  {
    const MutexLock lock(mutex);
    if (silent.contains(file)) return error;
  }
  auto opened = inTime(patience, [file]() -> Result<OpenedGpus> {
    MILLRACE_ASSIGN_OR_RETURN(auto library, GpuLibrary::open(file));
    std::vector<GpuDevice> devices = library->devices();
    return OpenedGpus{std::move(library), std::move(devices)};
  });
  if (opened) return std::move(*opened);
  const MutexLock lock(mutex);
  silent.insert(file);
  return error;
}

}  // namespace millrace
