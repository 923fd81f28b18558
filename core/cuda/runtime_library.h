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

/// A library that need not be there, opened while the program runs and never closed: it may leave
/// threads and memory behind that only it knows. One thread while functions are looked up.
class RuntimeLibrary {
 public:
  /// The error is a sentence without full stop: not installed, or not to be loaded.
  static Result<RuntimeLibrary> open(const std::string& file);

  /// nullptr where the library has none of that name, of which `missing` tells the first.
  template <class F>
  void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(address(name));
    if (function == nullptr && m_missing.empty()) m_missing = name;
  }
  /// Empty: every function that was looked for is there.
  const std::string& missing() const { return m_missing; }
  /// Whether it works on a device of that kind: a stand-in for tests, which exports
  /// `millraceOnHostMemory`, on an emulated one alone, and all others on a real one alone.
  Status suits(DeviceBackend backend) const;
  const std::string& file() const { return m_file; }

 private:
  RuntimeLibrary(void* handle, std::string file) : m_handle(handle), m_file(std::move(file)) {}
  void* address(const char* name) const;

  void* m_handle;
  std::string m_file;
  std::string m_missing;
};

/// What the environment's `variable` names where it is set (the file of a Python package, say),
/// else `usual`.
std::vector<std::string> libraryFiles(const char* variable, std::vector<std::string> usual);

/// The files of a library of the CUDA Toolkit, such as `libcublas.so`, of the major versions 13 and
/// 12, the newest first. Without those above what the driver serves (cudaDriverVersion; 0: not
/// known), which would be opened and then not start; the oldest one is always named.
std::vector<std::string> toolkitLibraryFiles(const std::string& stem, int driverVersion);

/// `open` of the first of `files`, of which there is at least one, that can be; the error is that
/// of the first.
template <class Open>
auto firstOf(const std::vector<std::string>& files, const Open& open) {
  auto first = open(files.front());
  for (std::size_t i = 1; !first && i < files.size(); ++i)
    if (auto other = open(files[i])) return other;
  return first;
}

}  // namespace millrace
