// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace millrace::cli {

/// A library that is only needed for work on a GPU.
struct GpuPart {
  std::string library;
  std::string missing;  ///< the consequence of its absence
  bool found = false;
  std::optional<std::string> version;  ///< if the library reports it
  std::string trouble = {};            ///< why it cannot be used although it was found
};

/// The state of GPUs, from the management library and the dynamic linker.
struct GpuReport {
  struct Device {
    std::string name;
    std::string uuid;
    std::optional<double> memoryBytes;
    std::string trouble;  ///< why it cannot be used; empty if it can
    bool mig = false;
    std::vector<std::string> instances;  ///< instances of a device in Multi-Instance mode
  };
  std::vector<Device> devices;
  std::optional<std::string> driver;
  std::optional<std::string> newestCuda;  ///< newest version that the driver supports
  std::optional<std::string> libraryVersion;
  std::string noDevices;             ///< why there are none; empty if there are some
  std::string watched;               ///< the device that a run would monitor; empty: none
  std::string notWatched;            ///< why none is monitored
  std::vector<std::string> told;     ///< names of the available figures
  std::vector<std::string> notTold;  ///< names of the unavailable figures
  std::vector<GpuPart> parts;

  bool any() const { return !devices.empty(); }
};
GpuReport examineGpu();

/// Lines for the user, at most 80 columns.
std::string gpuReportText(const GpuReport& report);
/// `devices driver newest_cuda management_library watched not_watched figures missing_figures
/// libraries`; null if absent.
nlohmann::json gpuReportJson(const GpuReport& report);

}  // namespace millrace::cli
