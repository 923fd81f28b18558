// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/monitor/nvml_abi.h"

namespace millrace {

/// NVIDIA's management library as the driver installs it.
inline constexpr const char* kGpuLibrary = "libnvidia-ml.so.1";

/// A part of a GPU in Multi-Instance mode, which a program sees as a device of its own.
struct GpuInstance {
  nvml::Device handle = nullptr;
  std::string name;
  std::string uuid;
  std::string numbers = {};  ///< "1/0" of its GPU and compute instance, as older names have them
};

/// A GPU of the machine, in the order of the bus.
struct GpuDevice {
  nvml::Device handle = nullptr;  ///< valid while the library is open; nullptr: not for this user
  std::string name;
  std::string uuid;
  bool mig = false;  ///< Multi-Instance mode is on: programs run on instances alone
  std::vector<GpuInstance> instances;
  std::string trouble;  ///< why it cannot be asked
};

/// The management library, opened and started; shut down and closed with the object. NVML is
/// thread-safe, and so is this.
class GpuLibrary {
 public:
  /// The error: there is no such library, or it does not start, for instance without a driver.
  static Result<std::unique_ptr<GpuLibrary>> open(const std::string& file = kGpuLibrary);
  ~GpuLibrary();
  GpuLibrary(const GpuLibrary&) = delete;
  GpuLibrary& operator=(const GpuLibrary&) = delete;

  const nvml::Functions& functions() const { return m_functions; }
  std::vector<GpuDevice> devices() const;
  std::optional<std::string> driverVersion() const;
  std::optional<std::string> libraryVersion() const;
  /// The newest CUDA that the driver runs, "13.0".
  std::optional<std::string> cudaVersion() const;
  /// "GPU is lost" in the library's own words.
  std::string wordsOf(nvml::Code code) const;

  /// Calls what may be missing in this version.
  template <class... Parameters, class... Arguments>
  static nvml::Code call(nvml::Code (*function)(Parameters...), Arguments... arguments) {
    return function == nullptr ? nvml::kFunctionNotFound : function(arguments...);
  }

 private:
  struct CloseLibrary {
    void operator()(void* handle) const;
  };
  explicit GpuLibrary(void* handle) : m_handle(handle) {}
  void load();
  GpuDevice deviceAt(unsigned index) const;
  void addInstances(GpuDevice& device) const;

  std::unique_ptr<void, CloseLibrary> m_handle;
  nvml::Functions m_functions;
  bool m_started = false;
};

/// The library with its devices, which are handles of it.
struct OpenedGpus {
  std::unique_ptr<GpuLibrary> library;
  std::vector<GpuDevice> devices;
};

/// A driver that hangs lets no call return. After so long it is said not to answer.
inline constexpr std::chrono::seconds kGpuPatience{20};

/// `GpuLibrary::open` and its devices, which take up to a second where nobody has the driver awake.
/// A library that has not answered once is not waited for again in this process. Any thread.
Result<OpenedGpus> openGpus(const std::string& file = kGpuLibrary,
                            std::chrono::milliseconds patience = kGpuPatience);

}  // namespace millrace
