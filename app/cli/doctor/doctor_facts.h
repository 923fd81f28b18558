// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace millrace::cli {

/// A line of the report for the user.
std::string doctorLine(const std::string& name, const std::string& value);

/// The libraries that the engine was built with, by name.
std::vector<std::pair<std::string, std::string>> libraryVersions();

/// The state of CUDA as names and values for the user: the toolkit that it was built with, the
/// driver, each device, and what is missing with its remedy. Starts nothing on a device.
std::vector<std::pair<std::string, std::string>> cudaLines();

/// A place where Millrace keeps files.
struct PlaceFact {
  std::filesystem::path path;
  std::string state;    ///< for the user: "opens", "does not exist yet: the first run creates it"
  std::string trouble;  ///< why it cannot be used; empty if it can
};
/// Changes nothing: a missing store is not created.
PlaceFact storeFact();
PlaceFact cacheFact();

}  // namespace millrace::cli
