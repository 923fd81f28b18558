// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/runtime_library.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

namespace millrace {

Result<RuntimeLibrary> RuntimeLibrary::open(const std::string& file) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle != nullptr) return RuntimeLibrary(handle, file);
  const std::string_view why = dlerror();
  // Whether the file itself is missing, not one of its dependencies.
  const bool missing = why.starts_with(file + ": cannot open shared object file: No such file");
  return Error{missing ? fmt::format("{} is not installed", file)
                       : fmt::format("{} cannot be loaded: {}", file, why)};
}

Status RuntimeLibrary::suits(DeviceBackend backend) const {
  const bool onHost = address("millraceOnHostMemory") != nullptr;
  if (onHost == (backend == DeviceBackend::Emulated)) return {};
  return Error{onHost ? fmt::format("{} is a test double that works without a GPU only", m_file)
                      : fmt::format("{} needs a real GPU", m_file)};
}

void* RuntimeLibrary::address(const char* name) const { return dlsym(m_handle, name); }

std::vector<std::string> libraryFiles(const char* variable, std::vector<std::string> usual) {
  const char* const named = std::getenv(variable);
  if (named != nullptr && *named != '\0') return {named};
  return usual;
}

std::vector<std::string> toolkitLibraryFiles(const std::string& stem, int driverVersion) {
  constexpr int kNewestMajor = 13;
  constexpr int kOldestMajor = 12;
  const int served = driverVersion == 0 ? kNewestMajor : driverVersion / 1000;
  std::vector<std::string> files;
  for (int major = kNewestMajor; major >= kOldestMajor; --major)
    if (major <= served || major == kOldestMajor)
      files.push_back(fmt::format("{}.{}", stem, major));
  return files;
}

}  // namespace millrace
