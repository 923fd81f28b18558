// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/monitor/gpu/nvml_abi.h"

namespace millrace {

/// NVIDIA's management library, as installed with the driver.
inline constexpr const char* kGpuLibrary = "libnvidia-ml.so.1";

/// An instance of a GPU in Multi-Instance mode; programs see it as a device.
struct GpuInstance {
  nvml::Device handle = nullptr;
  std::string name;
  std::string uuid;
  std::string numbers = {};  ///< GPU and compute instance, "1/0", as in older names
};

/// A GPU of the machine, in bus order.
struct GpuDevice {
  /// Valid while the library is open; nullptr if this user may not use it.
  nvml::Device handle = nullptr;
  std::string name;
  std::string uuid;
  bool mig = false;  ///< Multi-Instance mode is on: programs run only on instances
  std::vector<GpuInstance> instances;
  std::string trouble;  ///< why it cannot be queried
};

/// The management library, opened and initialised; shut down and closed with the object.
/// Thread-safe, as NVML is.
class GpuLibrary {
 public:
  /// An error if the library is not installed or cannot be initialised, for instance without a
  /// driver.
  static Result<std::unique_ptr<GpuLibrary>> open(const std::string& file = kGpuLibrary);
  ~GpuLibrary();
  GpuLibrary(const GpuLibrary&) = delete;
  GpuLibrary& operator=(const GpuLibrary&) = delete;

  const nvml::Functions& functions() const { return m_functions; }
  std::vector<GpuDevice> devices() const;
  std::optional<std::string> driverVersion() const;
  std::optional<std::string> libraryVersion() const;
  /// Newest CUDA version that the driver supports, "13.0".
  std::optional<std::string> cudaVersion() const;
  /// The library's text for an error code, such as "GPU is lost".
  std::string wordsOf(nvml::Code code) const;

  /// Calls a function that may be missing in this version of the library.
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

/// The library and its devices, whose handles belong to it.
struct OpenedGpus {
  std::unique_ptr<GpuLibrary> library;
  std::vector<GpuDevice> devices;
};

/// If the driver has not answered after this time, it is reported as not answering.
inline constexpr std::chrono::seconds kGpuPatience{20};

/// Opens the library and lists its devices. Takes up to a second if no other program uses the
/// driver. After a timeout, later calls in this process fail at once. Any thread.
Result<OpenedGpus> openGpus(const std::string& file = kGpuLibrary,
                            std::chrono::milliseconds patience = kGpuPatience);

}  // namespace millrace
