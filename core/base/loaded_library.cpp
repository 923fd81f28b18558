// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/loaded_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/base/parts.h"

namespace millrace {

Error notLoaded(const std::string& file) {
  const char* const reason = dlerror();
  const std::string_view why = reason == nullptr ? "" : reason;
  // Whether the file itself is missing, not one of its dependencies.
  const bool missing = why.starts_with(file + ": cannot open shared object file: No such file");
  return Error{missing ? fmt::format("{} is not installed", file)
                       : fmt::format("{} cannot be loaded: {}", file, why)};
}

Result<LoadedLibrary> LoadedLibrary::open(const std::string& file) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return notLoaded(file);
  return LoadedLibrary(handle, file);
}

Status LoadedLibrary::complete() const {
  if (m_missing.empty()) return {};
  return Error{fmt::format("{} has no function {}", m_file, m_missing)};
}

void* LoadedLibrary::address(const char* name) const { return dlsym(m_handle, name); }

Result<LoadedLibrary> openPart(std::string_view part) {
  const std::string file(loadedFileOf(part));
  Result<LoadedLibrary> library = LoadedLibrary::open(file);
  if (library) return library;
  return Error{fmt::format("{} need a library: {}", partNamed(part).use, library.error().message)};
}

}  // namespace millrace
