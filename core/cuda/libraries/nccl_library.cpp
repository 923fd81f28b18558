// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/nccl_library.h"

#include <fmt/format.h>

namespace millrace {

std::vector<std::string> ncclLibraryFiles() {
  return libraryFiles("MILLRACE_NCCL", {"libnccl.so.2"});
}

Status NcclLibrary::result(nccl::Code code, const char* call) const {
  if (code == nccl::kSuccess) return {};
  return Error{fmt::format("{}: {}", call, m_functions.getErrorString(code))};
}

Status NcclLibrary::load(RuntimeLibrary& opened) {
  nccl::Functions& f = m_functions;
  opened.find(f.getVersion, "ncclGetVersion");
  opened.find(f.getErrorString, "ncclGetErrorString");
  opened.find(f.getUniqueId, "ncclGetUniqueId");
  opened.find(f.initRank, "ncclCommInitRank");
  opened.find(f.allReduce, "ncclAllReduce");
  opened.find(f.abort, "ncclCommAbort");
  if (!opened.missing().empty())
    return Error{fmt::format("{} has no function {}", opened.file(), opened.missing())};
  // 22809 is 2.28.9.
  constexpr int kOldestNccl = 21000;
  int version = 0;
  if (f.getVersion(&version) != nccl::kSuccess || version < kOldestNccl)
    return Error{fmt::format("{} is older than NCCL 2.10", opened.file())};
  m_version = fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  return {};
}

Result<std::shared_ptr<const NcclLibrary>> NcclLibrary::open(const std::string& file,
                                                             DeviceBackend backend) {
  MILLRACE_ASSIGN_OR_RETURN(auto opened, RuntimeLibrary::open(file));
  std::shared_ptr<NcclLibrary> library(new NcclLibrary);
  MILLRACE_TRY(library->load(opened));
  MILLRACE_TRY(opened.suits(backend));
  return std::shared_ptr<const NcclLibrary>(std::move(library));
}

Result<std::shared_ptr<const NcclLibrary>> NcclLibrary::use(DeviceBackend backend) {
  return firstOf(ncclLibraryFiles(),
                 [backend](const std::string& file) { return open(file, backend); });
}

}  // namespace millrace
