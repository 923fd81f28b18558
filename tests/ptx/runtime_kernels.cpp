// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: what nvcc's code registers at program start, and launches.
#include "tests/ptx/runtime_kernels.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "tests/ptx/runtime_state.h"
#include "tests/ptx/runtime_streams.h"
#include "tests/ptx/translation.h"

namespace millrace::ptx {

namespace {

struct Registered {
  std::mutex mutex;
  std::vector<std::unique_ptr<FatBinary>> binaries;
  std::map<const void*, std::unique_ptr<Kernel>> kernels;
};

/// Static objects register in arbitrary order, and launches may follow their destruction.
Registered& registered() {
  static Registered& all = *new Registered;
  return all;
}

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

cudaError_t translatedHere(Kernel& kernel) {
  if (kernel.program) return cudaSuccess;
  const int device = capability();
  if (!kernel.binary->servesCapability(device)) return cudaErrorNoKernelImageForDevice;
  Module* const module = kernel.binary->module(device);
  if (module == nullptr)
    return refused(cudaErrorNoKernelImageForDevice, "launch", "the program has no PTX for it");
  try {
    const Function* const function = module->function(kernel.name);
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    kernel.program = std::make_unique<Program>(Translation(*module, *function).translate());
  } catch (const NotUnderstood& error) {
    return refused(cudaErrorInvalidPtx, "launch", error.what());
  }
  kernel.registers = kernel.binary->registersOf(kernel.name, device);
  kernel.runner = std::make_unique<GridRunner>(*kernel.program, *module);
  return cudaSuccess;
}

cudaError_t errorOf(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::Misaligned: return cudaErrorMisalignedAddress;
    case Fault::Kind::Instruction: return cudaErrorIllegalInstruction;
    case Fault::Kind::Barrier: return cudaErrorLaunchFailure;
    default: return cudaErrorIllegalAddress;
  }
}

/// Whether the launch is allowed; the limits are those of compute capability 7.5 to 12.0.
cudaError_t checked(const Kernel& kernel, const Launch& launch) {
  const auto [gx, gy, gz] = launch.grid;
  const auto [bx, by, bz] = launch.block;
  const std::uint64_t threads = launch.block.product();
  const auto refuse = [&](cudaError_t code, const std::string& why) {
    return refused(code, ("launch of " + kernel.name).c_str(), why);
  };
  if (gx == 0 || gy == 0 || gz == 0 || gx > 0x7fff'ffffU || gy > 65535 || gz > 65535)
    return refuse(cudaErrorInvalidConfiguration, fmt::format("a grid of {} x {} x {}", gx, gy, gz));
  if (threads == 0 || threads > 1024 || bx > 1024 || by > 1024 || bz > 64)
    return refuse(cudaErrorInvalidConfiguration, fmt::format("blocks of {} x {} x {}", bx, by, bz));
  if (kernel.program->mostThreads > 0 &&
      threads > static_cast<std::uint64_t>(kernel.program->mostThreads))
    return refuse(cudaErrorInvalidValue, "more threads than its launch bounds");
  if (launch.sharedBytes + kernel.program->sharedBytes > kernel.sharedBytesAtMost)
    return refuse(cudaErrorInvalidValue,
                  fmt::format("{} bytes of shared memory, unasked", launch.sharedBytes));
  const std::uint64_t perWarp = static_cast<std::uint64_t>(kernel.registers + 7) / 8 * 8 * 32;
  if ((threads + 31) / 32 * perWarp > kRegistersOfBlock)
    return refuse(cudaErrorLaunchOutOfResources, "more registers than there are");
  if (launch.parameters.size() > kParameterBytes)
    return refuse(cudaErrorInvalidValue, "more than 4 KB of parameters");
  return cudaSuccess;
}

cudaError_t launchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                         std::size_t sharedBytes, cudaStream_t stream) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  Launch launch{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sharedBytes, {}};
  {
    const std::lock_guard lock(kernel->mutex);
    if (const cudaError_t code = translatedHere(*kernel); code != cudaSuccess) return code;
    const Program& program = *kernel->program;
    launch.parameters.resize(program.parameterBytes);
    for (std::size_t p = 0; p < program.parameters.size(); ++p)
      std::memcpy(launch.parameters.data() + program.parameters[p].offset, arguments[p],
                  program.parameters[p].bytes);
    if (const cudaError_t code = checked(*kernel, launch); code != cudaSuccess) return code;
  }
  return enqueue(stream, [kernel, launch = std::move(launch)] {
    static std::mutex& device = *new std::mutex;  // a kernel uses all of it
    const std::lock_guard alone(device);
    if (const auto finding = kernel->runner->run(launch))
      setDeviceFault(errorOf(finding->kind), finding->text);
  });
}

}  // namespace

int newestPtxOfProgram() {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  int newest = 0;
  for (const auto& binary : all.binaries) newest = std::max(newest, binary->newestPtx());
  return newest;
}

Kernel* kernelOf(const void* function) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  const auto found = all.kernels.find(function);
  if (found != all.kernels.end()) return found->second.get();
  for (const auto& [host, kernel] : all.kernels)
    if (kernel.get() == function) return kernel.get();
  return nullptr;
}

cudaError_t translated(Kernel& kernel) {
  const std::lock_guard lock(kernel.mutex);
  return translatedHere(kernel);
}

}  // namespace millrace::ptx

using namespace millrace::ptx;  // NOLINT(google-build-using-namespace): C functions follow

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  all.binaries.push_back(std::make_unique<FatBinary>(wrapper));
  return reinterpret_cast<void**>(all.binaries.back().get());
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** binary, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  auto kernel = std::make_unique<Kernel>();
  kernel->binary = reinterpret_cast<FatBinary*>(binary);
  kernel->name = name;
  all.kernels[host] = std::move(kernel);
}

void __cudaRegisterVar(void**, char*, char*, const char* name, int, std::size_t, int, int) {
  (void)std::fprintf(stderr, "PTX device: %s: variables of a module are not known\n", name);
  std::abort();
}

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t sharedBytes,
                                         CUstream_st* stream) {
  configurations.push_back({grid, block, sharedBytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* sharedBytes,
                                       void* stream) {
  if (configurations.empty()) return cudaErrorInvalidConfiguration;
  const Configuration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *sharedBytes = last.sharedBytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  configurations.pop_back();
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return answered([&] {
    *kernel = reinterpret_cast<cudaKernel_t>(kernelOf(function));
    return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t sharedBytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t sharedBytes, cudaStream_t stream) {
  return answered([&] {
    return launchKernel(kernelOf(function), grid, block, arguments, sharedBytes, stream);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return answered([&] {
    Kernel* const kernel = kernelOf(function);
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (const cudaError_t code = translated(*kernel); code != cudaSuccess) return code;
    *attributes = {};
    attributes->sharedSizeBytes = kernel->program->sharedBytes;
    attributes->localSizeBytes = kernel->program->localBytes;
    attributes->numRegs = kernel->registers;
    attributes->maxThreadsPerBlock =
        kernel->program->mostThreads > 0 ? kernel->program->mostThreads : 1024;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(kernel->sharedBytesAtMost - kernel->program->sharedBytes);
    attributes->ptxVersion = capability();
    attributes->binaryVersion = capability();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return answered([&] {
    Kernel* const kernel = kernelOf(function);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
    if (const cudaError_t code = translated(*kernel); code != cudaSuccess) return code;
    const std::lock_guard lock(kernel->mutex);
    const std::size_t all = kernel->program->sharedBytes + static_cast<std::size_t>(value);
    if (value < 0 || all > kSharedBytesAtMost) return cudaErrorInvalidValue;
    kernel->sharedBytesAtMost = std::max(all, kSharedBytes);
    return cudaSuccess;
  });
}
}
