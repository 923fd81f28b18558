// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/cublas_library.h"

#include <fmt/format.h>

#include "core/cuda/cuda_facts.h"

namespace millrace {

std::vector<std::string> cublasLibraryFiles() {
  return libraryFiles("MILLRACE_CUBLAS", toolkitLibraryFiles("libcublas.so", cudaDriverVersion()));
}

Status CublasLibrary::load(RuntimeLibrary& opened) {
  cublas::Functions& f = m_functions;
  opened.find(f.getProperty, "cublasGetProperty");
  opened.find(f.create, "cublasCreate_v2");
  opened.find(f.destroy, "cublasDestroy_v2");
  opened.find(f.setStream, "cublasSetStream_v2");
  opened.find(f.multiply, "cublasSgemm_v2");
  if (!opened.missing().empty())
    return Error{fmt::format("{} has no function {}", opened.file(), opened.missing())};
  int parts[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i)
    if (f.getProperty(i, &parts[i]) != cublas::kSuccess)
      return Error{fmt::format("{} does not report its version", opened.file())};
  m_version = fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
  return {};
}

Result<std::shared_ptr<const CublasLibrary>> CublasLibrary::open(const std::string& file,
                                                                 DeviceBackend backend) {
  MILLRACE_ASSIGN_OR_RETURN(auto opened, RuntimeLibrary::open(file));
  std::shared_ptr<CublasLibrary> library(new CublasLibrary);
  MILLRACE_TRY(library->load(opened));
  MILLRACE_TRY(opened.suits(backend));
  return std::shared_ptr<const CublasLibrary>(std::move(library));
}

Result<std::shared_ptr<const CublasLibrary>> CublasLibrary::use(DeviceBackend backend) {
  return firstOf(cublasLibraryFiles(),
                 [backend](const std::string& file) { return open(file, backend); });
}

}  // namespace millrace
