// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/runtime_library.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace millrace {

Result<RuntimeLibrary> RuntimeLibrary::open(const std::string& file) {
  MILLRACE_ASSIGN_OR_RETURN(LoadedLibrary library, LoadedLibrary::open(file));
  return RuntimeLibrary(std::move(library));
}

Status RuntimeLibrary::suits(DeviceBackend backend) const {
  const bool onHost = address("millraceOnHostMemory") != nullptr;
  if (onHost == (backend == DeviceBackend::Emulated)) return {};
  return Error{onHost ? fmt::format("{} is a test double that works without a GPU only", file())
                      : fmt::format("{} needs a real GPU", file())};
}

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
