// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/nvjpeg_abi.h"
#include "core/cuda/runtime_library.h"

namespace millrace {

/// The files that the dynamic linker is asked for, the newest first: what MILLRACE_NVJPEG names
/// where it is set (the file of a Python package, say), else nvJPEG's of CUDA 13 and 12.
std::vector<std::string> jpegLibraryFiles();

/// NVIDIA's JPEG decoder, opened at run time. Constant after it is opened; any thread.
class JpegLibrary {
 public:
  /// The error is a sentence without full stop: not installed, not to be loaded, older than what is
  /// declared here, or without a function that is called. On an emulated device only a stand-in for
  /// tests that works on host memory is taken, and on a real one never: it exports
  /// `millraceOnHostMemory`.
  static Result<std::shared_ptr<const JpegLibrary>> open(const std::string& file,
                                                         DeviceBackend backend);
  /// `open` of the first of jpegLibraryFiles() that can be; once a process and file. The error is
  /// that of the first.
  static Result<std::shared_ptr<const JpegLibrary>> use(DeviceBackend backend);

  const nvjpeg::Functions& functions() const { return m_functions; }
  const std::string& version() const { return m_version; }

 private:
  JpegLibrary() = default;
  Status load(RuntimeLibrary& opened);

  nvjpeg::Functions m_functions;
  std::string m_version;
};

/// "the data is damaged", of an error code.
std::string jpegWordsOf(nvjpeg::Code code);

}  // namespace millrace
