// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"

namespace millrace {

/// An optional library that is opened at run time and never closed, because it may own threads and
/// memory that it alone knows. Look up functions from one thread only.
class RuntimeLibrary {
 public:
  /// The error is a sentence without full stop: not installed, or cannot be loaded.
  static Result<RuntimeLibrary> open(const std::string& file);

  /// Sets `function` to nullptr if the library has none of that name; missing() then names the
  /// first one.
  template <class F>
  void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(address(name));
    if (function == nullptr && m_missing.empty()) m_missing = name;
  }
  /// Empty: every requested function exists.
  const std::string& missing() const { return m_missing; }
  /// Whether it works on a device of that kind: a test double, which exports
  /// `millraceOnHostMemory`, only on an emulated one, every other library only on a real one.
  Status suits(DeviceBackend backend) const;
  const std::string& file() const { return m_file; }

 private:
  RuntimeLibrary(void* handle, std::string file) : m_handle(handle), m_file(std::move(file)) {}
  void* address(const char* name) const;

  void* m_handle;
  std::string m_file;
  std::string m_missing;
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
