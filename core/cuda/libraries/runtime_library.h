// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loaded_library.h"
#include "core/base/result.h"
#include "core/cuda/device.h"

namespace millrace {

/// A library of a device, opened at run time.
class RuntimeLibrary : public LoadedLibrary {
 public:
  static Result<RuntimeLibrary> open(const std::string& file);

  /// Whether it works on a device of that kind: a test double, which exports
  /// `millraceOnHostMemory`, only on an emulated one, every other library only on a real one.
  Status suits(DeviceBackend backend) const;

 private:
  explicit RuntimeLibrary(LoadedLibrary library) : LoadedLibrary(std::move(library)) {}
};

/// The value of the environment variable if it is set (for example the file of a Python package),
/// else `usual`.
std::vector<std::string> libraryFiles(const char* variable, std::vector<std::string> usual);

/// The file names of a CUDA Toolkit library such as `libcublas.so` for the major versions 13 and
/// 12, newest first. Versions newer than the driver supports are left out, because they would open
/// but not start (driverVersion as in cudaDriverVersion(); 0: unknown); the oldest one is always
/// included.
std::vector<std::string> toolkitLibraryFiles(const std::string& stem, int driverVersion);

/// Calls `open` for each of `files` (at least one) until one succeeds; otherwise returns the error
/// of the first.
template <class Open>
auto firstOf(const std::vector<std::string>& files, const Open& open) {
  auto first = open(files.front());
  for (std::size_t i = 1; !first && i < files.size(); ++i)
    if (auto other = open(files[i])) return other;
  return first;
}

}  // namespace millrace
