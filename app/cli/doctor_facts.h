// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace millrace::cli {

/// A line of the report for a person.
std::string doctorLine(const std::string& name, const std::string& value);

/// The libraries that the engine was built with, by name.
std::vector<std::pair<std::string, std::string>> libraryVersions();

/// What of CUDA is here, as names and values for a person: the toolkit that it was built with, the
/// driver, each device, and what is missing with what to do about it. Starts nothing on a device.
std::vector<std::pair<std::string, std::string>> cudaLines();

/// A place that Millrace keeps things in.
struct PlaceFact {
  std::filesystem::path path;
  std::string state;    ///< for a person: "opens, 12 runs", "made by the first run"
  std::string trouble;  ///< why it cannot be used; empty when it can
};
/// Changes nothing: a store that is not there is not made.
PlaceFact storeFact();
PlaceFact cacheFact();

}  // namespace millrace::cli
