// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace millrace::cli {

/// A library that only work on a GPU needs.
struct GpuPart {
  std::string library;
  std::string missing;  ///< what its absence costs
  bool found = false;
  std::optional<std::string> version;  ///< where it tells
  std::string trouble = {};            ///< why it is of no use though it is found
};

/// What of a GPU is here, as far as the management library and the dynamic linker tell.
struct GpuReport {
  struct Device {
    std::string name;
    std::string uuid;
    std::optional<double> memoryBytes;
    std::string trouble;  ///< why it may not be used; empty: it may
    bool mig = false;
    std::vector<std::string> instances;  ///< of a device in Multi-Instance mode
  };
  std::vector<Device> devices;
  std::optional<std::string> driver;
  std::optional<std::string> newestCuda;  ///< that the driver runs
  std::optional<std::string> libraryVersion;
  std::string noDevices;             ///< why there are none; empty where there are
  std::string watched;               ///< the device whose figures a run would have; empty: none
  std::string notWatched;            ///< why none
  std::vector<std::string> told;     ///< figures that it tells, by name
  std::vector<std::string> notTold;  ///< figures that it does not
  std::vector<GpuPart> parts;

  bool any() const { return !devices.empty(); }
};
GpuReport examineGpu();

/// Lines for a person, at most 80 columns.
std::string gpuReportText(const GpuReport& report);
/// `devices driver newest_cuda management_library watched not_watched figures missing_figures
/// libraries`; absent is null.
nlohmann::json gpuReportJson(const GpuReport& report);

}  // namespace millrace::cli
