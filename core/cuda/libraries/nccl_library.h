// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/libraries/runtime_library.h"

namespace millrace {

// The NCCL functions that the engine calls, declared as in nccl.h 2.28 ("NCCL Developer Guide":
// Collective Communication Functions).
namespace nccl {

using Code = int;                   ///< ncclResult_t
using Group = struct OpaqueGroup*;  ///< ncclComm_t
using CudaStream = void*;           ///< cudaStream_t

inline constexpr Code kSuccess = 0;
inline constexpr int kFloat32 = 7;
inline constexpr int kAverage = 4;  ///< ncclAvg, since 2.10

struct Id {  ///< ncclUniqueId
  char bytes[128];
};

struct Functions {
  Code (*getVersion)(int*) = nullptr;
  const char* (*getErrorString)(Code) = nullptr;
  Code (*getUniqueId)(Id*) = nullptr;
  Code (*initRank)(Group*, int ranks, Id, int rank) = nullptr;
  Code (*allReduce)(const void* from, void* to, std::size_t count, int type, int operation, Group,
                    CudaStream) = nullptr;
  Code (*abort)(Group) = nullptr;
};

}  // namespace nccl

/// The file names to open: the value of MILLRACE_NCCL, or else NCCL 2's.
std::vector<std::string> ncclLibraryFiles();

/// NVIDIA's library of collective communication between GPUs, opened at run time. Constant once
/// opened; any thread.
class NcclLibrary {
 public:
  /// See CudnnLibrary::open.
  static Result<std::shared_ptr<const NcclLibrary>> open(const std::string& file,
                                                         DeviceBackend backend);
  static Result<std::shared_ptr<const NcclLibrary>> use(DeviceBackend backend);

  const nccl::Functions& functions() const { return m_functions; }
  const std::string& version() const { return m_version; }
  Status result(nccl::Code code, const char* call) const;

 private:
  NcclLibrary() = default;
  Status load(RuntimeLibrary& opened);

  nccl::Functions m_functions;
  std::string m_version;
};

}  // namespace millrace
