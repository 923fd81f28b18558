// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A management library without a GPU. It exports what core/monitor/gpu/nvml_abi.h declares and
// answers according to its script. FAKE_NVML_OLD leaves out what libraries before driver 510 lack;
// FAKE_NVML_LONG leaves out the process lists whose entry size has never changed.
#include "tests/core/monitor/fake/fake_nvml.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <vector>

#include "core/monitor/gpu/nvml_abi.h"

namespace nvml = millrace::nvml;

// Callers only have a handle of a device.
struct millrace::nvml::OpaqueDevice {
  std::string prefix;
};

namespace {

struct Fake {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::string> script;
  std::map<std::string, int> calls;
  std::map<std::string, nvml::OpaqueDevice> devices;
  int users = 0;
  int allCalls = 0;
  int hanging = 0;  ///< initialisations that have not returned
};

/// Destroyed with the library, unless an initialisation hangs; that may outlive the main thread.
struct FakeOwner {
  Fake* const fake = new Fake;
  ~FakeOwner() {
    if (fake->hanging == 0) delete fake;
  }
};

Fake& fake() {
  static FakeOwner owner;
  return *owner.fake;
}

void readScript(std::istream& text) {
  fake().script.clear();
  fake().calls.clear();
  fake().allCalls = 0;
  std::string line;
  while (std::getline(text, line)) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(' ');
    fake().script[line.substr(begin, equals - begin)] = line.substr(equals + 3);
  }
}

std::string scripted(const std::string& key) {
  const auto found = fake().script.find(key);
  return found == fake().script.end() ? std::string() : found->second;
}

/// Counts a call and returns the words of its value, or the error code that it fails with.
nvml::Code answer(nvml::Device device, const std::string& key, std::vector<std::string>& words) {
  ++fake().calls[key];
  ++fake().allCalls;
  const std::string last = scripted("lost_after");
  if (!last.empty() && fake().allCalls > std::stoi(last)) return nvml::kGpuIsLost;
  std::string value = scripted((device == nullptr ? "" : device->prefix) + key);
  if (value.empty() && !fake().script.count((device == nullptr ? "" : device->prefix) + key))
    return nvml::kNotSupported;
  if (value.starts_with("!")) return std::stoi(value.substr(1));
  std::istringstream stream(value);
  for (std::string word; stream >> word;) words.push_back(word);
  return nvml::kSuccess;
}

nvml::Code numbers(nvml::Device device, const char* key, std::vector<unsigned long long>& to) {
  const std::lock_guard lock(fake().mutex);
  std::vector<std::string> words;
  const nvml::Code code = answer(device, key, words);
  for (const std::string& word : words) to.push_back(std::stoull(word, nullptr, 0));
  return code;
}

nvml::Code number(nvml::Device device, const char* key, unsigned* to) {
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, key, all);
  if (code == nvml::kSuccess) *to = static_cast<unsigned>(all.at(0));
  return code;
}

nvml::Code text(nvml::Device device, const char* key, char* to, unsigned size) {
  const std::lock_guard lock(fake().mutex);
  std::vector<std::string> words;
  if (const nvml::Code code = answer(device, key, words); code != nvml::kSuccess) return code;
  const std::string whole = scripted((device == nullptr ? "" : device->prefix) + key);
  if (whole.size() + 1 > size) return nvml::kInsufficientSize;
  std::memcpy(to, whole.c_str(), whole.size() + 1);
  return nvml::kSuccess;
}

nvml::Device deviceOf(const std::string& prefix) {
  nvml::OpaqueDevice& device = fake().devices[prefix];
  device.prefix = prefix;
  return &device;
}

/// The entries that _v3 of drivers 535.43 to 535.86 writes.
struct LongProcessInfo {
  nvml::ProcessInfo info;
  unsigned long long protectedMemory;
};

template <class Entry>
[[maybe_unused]] nvml::Code processes(nvml::Device device, const char* key, unsigned* count,
                                      nvml::ProcessInfo* to) {
  std::vector<unsigned long long> pids;
  if (const nvml::Code code = numbers(device, key, pids); code != nvml::kSuccess) return code;
  const bool fits = pids.size() <= *count;
  *count = static_cast<unsigned>(pids.size());
  if (!fits) return nvml::kInsufficientSize;
  for (std::size_t i = 0; i < pids.size(); ++i) {
    Entry entry{};
    const nvml::ProcessInfo info{static_cast<unsigned>(pids[i]), 1000, 0xFFFFFFFF, 0xFFFFFFFF};
    std::memcpy(&entry, &info, sizeof info);
    std::memcpy(reinterpret_cast<std::byte*>(to) + i * sizeof entry, &entry, sizeof entry);
  }
  return nvml::kSuccess;
}

}  // namespace

// These are NVIDIA's names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void fakeNvmlScript(const char* script) {
  const std::lock_guard lock(fake().mutex);
  std::istringstream stream(script);
  readScript(stream);
  fake().changed.notify_all();
}

int fakeNvmlCalls(const char* key) {
  const std::lock_guard lock(fake().mutex);
  return fake().calls[key];
}

int fakeNvmlUsers() {
  const std::lock_guard lock(fake().mutex);
  return fake().users;
}

nvml::Code nvmlInit_v2() {
  std::unique_lock lock(fake().mutex);
  if (const char* file = std::getenv("FAKE_NVML")) {
    std::ifstream stream(file);
    if (fake().script.empty()) readScript(stream);
  }
  ++fake().hanging;
  fake().changed.wait(lock, [] { return scripted("hangs").empty(); });
  --fake().hanging;
  if (const std::string code = scripted("init"); !code.empty()) return std::stoi(code);
  ++fake().users;
  return nvml::kSuccess;
}

nvml::Code nvmlShutdown() {
  const std::lock_guard lock(fake().mutex);
  --fake().users;
  ++fake().calls["shutdown"];
  return nvml::kSuccess;
}

const char* nvmlErrorString(nvml::Code code) {
  switch (code) {
    case nvml::kDriverNotLoaded: return "Driver Not Loaded";
    case nvml::kGpuIsLost: return "GPU is lost";
    case nvml::kNoPermission: return "Insufficient Permissions";
    default: return "Unknown Error";
  }
}

nvml::Code nvmlSystemGetDriverVersion(char* to, unsigned size) {
  return text(nullptr, "driver", to, size);
}

nvml::Code nvmlDeviceGetCount_v2(unsigned* count) { return number(nullptr, "devices", count); }

nvml::Code nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device* device) {
  const std::lock_guard lock(fake().mutex);
  const std::string prefix = std::to_string(index) + ".";
  std::vector<std::string> words;
  if (const std::string refused = scripted(prefix + "handle"); !refused.empty())
    return std::stoi(refused.substr(1));
  *device = deviceOf(prefix);
  return nvml::kSuccess;
}

nvml::Code nvmlDeviceGetName(nvml::Device device, char* to, unsigned size) {
  return text(device, "name", to, size);
}
nvml::Code nvmlDeviceGetUUID(nvml::Device device, char* to, unsigned size) {
  return text(device, "uuid", to, size);
}

nvml::Code nvmlDeviceGetUtilizationRates(nvml::Device device, nvml::Utilization* to) {
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, "utilisation", all);
  if (code == nvml::kSuccess)
    *to = {static_cast<unsigned>(all.at(0)), static_cast<unsigned>(all.at(1))};
  return code;
}

nvml::Code nvmlDeviceGetMemoryInfo(nvml::Device device, nvml::Memory* to) {
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, "memory", all);
  if (code == nvml::kSuccess) *to = {all.at(0), all.at(0) - all.at(1), all.at(1)};
  return code;
}

nvml::Code nvmlDeviceGetPowerUsage(nvml::Device device, unsigned* to) {
  return number(device, "power", to);
}
nvml::Code nvmlDeviceGetEnforcedPowerLimit(nvml::Device device, unsigned* to) {
  return number(device, "power_limit", to);
}
nvml::Code nvmlDeviceGetClockInfo(nvml::Device device, int type, unsigned* to) {
  return number(device, type == nvml::kClockSm ? "sm_clock" : "memory_clock", to);
}
nvml::Code nvmlDeviceGetTemperature(nvml::Device device, int, unsigned* to) {
  return number(device, "temperature", to);
}

// The old name, before driver 535.
#ifdef FAKE_NVML_OLD
nvml::Code nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device device, unsigned long long* to) {
#else
nvml::Code nvmlDeviceGetCurrentClocksEventReasons(nvml::Device device, unsigned long long* to) {
#endif
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, "reasons", all);
  if (code == nvml::kSuccess) *to = all.at(0);
  return code;
}

nvml::Code nvmlDeviceGetPcieThroughput(nvml::Device device, int counter, unsigned* to) {
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, "throughput", all);
  if (code == nvml::kSuccess)
    *to = static_cast<unsigned>(all.at(counter == nvml::kPcieReceive ? 0 : 1));
  return code;
}

nvml::Code nvmlDeviceGetDecoderUtilization(nvml::Device device, unsigned* to, unsigned* period) {
  *period = 1000000;
  return number(device, "decoder", to);
}

#ifndef FAKE_NVML_OLD
nvml::Code nvmlSystemGetNVMLVersion(char* to, unsigned size) {
  return text(nullptr, "library", to, size);
}

nvml::Code nvmlSystemGetCudaDriverVersion_v2(int* to) {
  unsigned version = 0;
  const nvml::Code code = number(nullptr, "cuda", &version);
  *to = static_cast<int>(version);
  return code;
}

nvml::Code nvmlDeviceGetJpgUtilization(nvml::Device device, unsigned* to, unsigned* period) {
  *period = 1000000;
  return number(device, "jpeg", to);
}

nvml::Code nvmlDeviceGetFieldValues(nvml::Device device, int count, nvml::FieldValue* to) {
  std::vector<unsigned long long> all;
  const bool absolute = !scripted(device->prefix + "counts").empty();
  const nvml::Code code = numbers(device, absolute ? "counts" : "bus", all);
  const std::string type = scripted(device->prefix + "bus_type");
  const auto times = absolute ? 1ULL : static_cast<unsigned long long>(fakeNvmlCalls("bus"));
  for (int i = 0; i < count; ++i) {
    // The call itself succeeds; each field reports that it is unknown.
    to[i].result = code;
    to[i].valueType =
        type.empty() ? static_cast<int>(nvml::ValueType::UnsignedLongLong) : std::stoi(type);
    if (code != nvml::kSuccess) continue;
    const auto value = times * all.at(to[i].fieldId == nvml::kFieldPcieReceiveBytes ? 0 : 1);
    // Bytes outside of the value are not written and may have any content.
    to[i].value.ull = ~0ULL;
    if (to[i].valueType == static_cast<int>(nvml::ValueType::UnsignedInt))
      to[i].value.ui = static_cast<unsigned>(value);
    else
      to[i].value.ull = value;
  }
  return code == nvml::kGpuIsLost ? code : nvml::kSuccess;
}

nvml::Code nvmlDeviceGetMaxPcieLinkGeneration(nvml::Device device, unsigned* to) {
  return number(device, "link", to);
}
nvml::Code nvmlDeviceGetMaxPcieLinkWidth(nvml::Device device, unsigned* to) {
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, "link", all);
  if (code == nvml::kSuccess) *to = static_cast<unsigned>(all.at(1));
  return code;
}

#ifndef FAKE_NVML_LONG
nvml::Code nvmlDeviceGetComputeRunningProcesses_v2(nvml::Device device, unsigned* count,
                                                   nvml::ProcessInfo* to) {
  return processes<nvml::ProcessInfo>(device, "processes", count, to);
}
nvml::Code nvmlDeviceGetGraphicsRunningProcesses_v2(nvml::Device device, unsigned* count,
                                                    nvml::ProcessInfo* to) {
  return processes<nvml::ProcessInfo>(device, "graphics", count, to);
}
#endif
nvml::Code nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device device, unsigned* count,
                                                   nvml::ProcessInfo* to) {
  return processes<LongProcessInfo>(device, "processes", count, to);
}
nvml::Code nvmlDeviceGetGraphicsRunningProcesses_v3(nvml::Device device, unsigned* count,
                                                    nvml::ProcessInfo* to) {
  return processes<LongProcessInfo>(device, "graphics", count, to);
}

/// Three numbers for each sample: process, time stamp, percent.
nvml::Code nvmlDeviceGetProcessUtilization(nvml::Device device, nvml::ProcessUtilization* to,
                                           unsigned* count, unsigned long long since) {
  std::vector<unsigned long long> all;
  if (const nvml::Code code = numbers(device, "shares", all); code != nvml::kSuccess) return code;
  const unsigned room = *count;
  *count = 0;
  for (std::size_t i = 0; i + 2 < all.size(); i += 3) {
    if (all[i + 1] <= since) continue;
    if (*count == room) return nvml::kInsufficientSize;
    to[(*count)++] = {
        static_cast<unsigned>(all[i]), all[i + 1], static_cast<unsigned>(all[i + 2]), 0, 0, 0};
  }
  return *count == 0 ? nvml::kNotFound : nvml::kSuccess;
}

nvml::Code nvmlDeviceGetMigMode(nvml::Device device, unsigned* current, unsigned* pending) {
  *pending = 0;
  return number(device, "mig", current);
}
nvml::Code nvmlDeviceGetMaxMigDeviceCount(nvml::Device, unsigned* to) {
  *to = 7;
  return nvml::kSuccess;
}
nvml::Code nvmlDeviceGetMigDeviceHandleByIndex(nvml::Device device, unsigned index,
                                               nvml::Device* to) {
  const std::lock_guard lock(fake().mutex);
  const std::string prefix = device->prefix + "mig" + std::to_string(index) + ".";
  if (scripted(prefix + "uuid").empty()) return nvml::kNotFound;
  *to = deviceOf(prefix);
  return nvml::kSuccess;
}
nvml::Code nvmlDeviceGetGpuInstanceId(nvml::Device device, unsigned* to) {
  return number(device, "numbers", to);
}
nvml::Code nvmlDeviceGetComputeInstanceId(nvml::Device device, unsigned* to) {
  std::vector<unsigned long long> all;
  const nvml::Code code = numbers(device, "numbers", all);
  if (code == nvml::kSuccess) *to = static_cast<unsigned>(all.at(1));
  return code;
}
#endif

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
