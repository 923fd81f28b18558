// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace millrace {

/// Why dlopen() just refused the file: it is not installed, or it cannot be loaded and why. To be
/// called on the thread of the call.
Error notLoaded(const std::string& file);

/// An optional library that is opened at run time and never closed, because it may own threads and
/// memory that it alone knows. Look up functions from one thread only.
class LoadedLibrary {
 public:
  /// The error is notLoaded().
  static Result<LoadedLibrary> open(const std::string& file);

  /// Sets `function` to nullptr if the library has none of that name; missing() then names the
  /// first one.
  template <class F>
  void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(address(name));
    if (function == nullptr && m_missing.empty()) m_missing = name;
  }
  /// Empty: every requested function exists.
  const std::string& missing() const { return m_missing; }
  /// Fails with the name of the first function that was not found.
  Status complete() const;
  const std::string& file() const { return m_file; }

 protected:
  LoadedLibrary(void* handle, std::string file) : m_handle(handle), m_file(std::move(file)) {}
  void* address(const char* name) const;

 private:
  void* m_handle;
  std::string m_file;
  std::string m_missing;
};

/// The library's file of an optional part (core/base/parts.h) that is opened with its first use:
/// "libavif.so.15". Empty: it is linked, or this build lacks the part.
std::string_view loadedFileOf(std::string_view part);

/// Opens it. The error names the package to install.
Result<LoadedLibrary> openPart(std::string_view part);

}  // namespace millrace
