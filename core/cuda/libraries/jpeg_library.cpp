// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/jpeg_library.h"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/cuda/cuda_facts.h"

namespace millrace {

namespace {

/// The version of the declarations in nvjpeg_abi.h: major and minor.
constexpr std::pair<int, int> kOldest{12, 4};

struct Opened {
  Mutex mutex;
  std::map<std::pair<std::string, DeviceBackend>, std::shared_ptr<const JpegLibrary>> libraries
      MILLRACE_GUARDED_BY(mutex);
};

}  // namespace

std::vector<std::string> jpegLibraryFiles() {
  return libraryFiles("MILLRACE_NVJPEG", toolkitLibraryFiles("libnvjpeg.so", cudaDriverVersion()));
}

std::string jpegErrorText(nvjpeg::Code code) {
  switch (code) {
    case nvjpeg::kNotInitialized: return "nvJPEG is not initialised";
    case nvjpeg::kInvalidParameter: return "nvJPEG rejects the arguments of the call";
    case nvjpeg::kBadJpeg: return "the data is damaged";
    case nvjpeg::kJpegNotSupported: return "this kind of JPEG is not supported";
    case nvjpeg::kAllocatorFailure: return "not enough GPU memory to decode it";
    case nvjpeg::kExecutionFailed: return "the GPU reported an error";
    case nvjpeg::kArchMismatch: return "this GPU does not support it";
    case nvjpeg::kInternalError: return "internal error of nvJPEG";
    case nvjpeg::kImplementationNotSupported: return "nvJPEG does not support this way of decoding";
    case nvjpeg::kIncompleteBitstream: return "the data is truncated";
    default: return fmt::format("nvJPEG error {}", code);
  }
}

Status JpegLibrary::load(RuntimeLibrary& opened) {
  const std::string& file = opened.file();
  const auto find = [&]<class F>(F*& function, const char* name) { opened.find(function, name); };
  nvjpeg::Functions& f = m_functions;
  find(f.getProperty, "nvjpegGetProperty");
  int parts[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i)
    if (f.getProperty == nullptr || f.getProperty(i, &parts[i]) != nvjpeg::kSuccess)
      return Error{fmt::format("{} does not report its version", file)};
  m_version = fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
  if (std::pair(parts[0], parts[1]) < kOldest)
    return Error{fmt::format("{} is version {}, but {}.{} or later is needed", file, m_version,
                             kOldest.first, kOldest.second)};
  find(f.createEx, "nvjpegCreateEx");
  find(f.destroy, "nvjpegDestroy");
  find(f.stateCreate, "nvjpegJpegStateCreate");
  find(f.stateDestroy, "nvjpegJpegStateDestroy");
  find(f.streamCreate, "nvjpegJpegStreamCreate");
  find(f.streamDestroy, "nvjpegJpegStreamDestroy");
  find(f.parseHeader, "nvjpegJpegStreamParseHeader");
  find(f.frameDimensions, "nvjpegJpegStreamGetFrameDimensions");
  find(f.batchedSupported, "nvjpegDecodeBatchedSupported");
  find(f.batchedInitialize, "nvjpegDecodeBatchedInitialize");
  find(f.decodeBatched, "nvjpegDecodeBatched");
  find(f.decode, "nvjpegDecode");
  find(f.paramsCreate, "nvjpegDecodeParamsCreate");
  find(f.paramsDestroy, "nvjpegDecodeParamsDestroy");
  find(f.paramsSetFormat, "nvjpegDecodeParamsSetOutputFormat");
  find(f.paramsSetRegion, "nvjpegDecodeParamsSetROI");
  find(f.batchedSupportedEx, "nvjpegDecodeBatchedSupportedEx");
  find(f.decodeBatchedEx, "nvjpegDecodeBatchedEx");
  if (!opened.missing().empty())
    return Error{fmt::format("{} {} has no function {}", file, m_version, opened.missing())};
  return {};
}

Result<std::shared_ptr<const JpegLibrary>> JpegLibrary::open(const std::string& file,
                                                             DeviceBackend backend) {
  MILLRACE_ASSIGN_OR_RETURN(auto opened, RuntimeLibrary::open(file));
  std::shared_ptr<JpegLibrary> library(new JpegLibrary);
  MILLRACE_TRY(library->load(opened));
  MILLRACE_TRY(opened.suits(backend));
  return std::shared_ptr<const JpegLibrary>(std::move(library));
}

Result<std::shared_ptr<const JpegLibrary>> JpegLibrary::use(DeviceBackend backend) {
  static Opened opened;
  const MutexLock lock(opened.mutex);
  std::optional<Error> first;
  for (const std::string& file : jpegLibraryFiles()) {
    std::shared_ptr<const JpegLibrary>& library = opened.libraries[{file, backend}];
    if (library) return library;
    auto made = open(file, backend);
    if (made) return library = made.take();
    if (!first) first = made.error();
  }
  return *first;
}

}  // namespace millrace
