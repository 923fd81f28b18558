// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace::tests {

/// Files of this checkout and of its build. They are compiled into one object, so that no other
/// object depends on the folder, and a compiler cache can serve every checkout.
extern const char* const kSourceFolder;  // the project's root
/// What lies there at `inside`.
inline std::string sourcePath(const std::string& inside) {
  return std::string(kSourceFolder) + '/' + inside;
}
extern const char* const kBinaryFolder;  // the build folder
/// Programs that tests start; empty in a build without them.
extern const char* const kMillrace;
extern const char* const kWorkbench;
extern const char* const kDragSource;
/// Stand-ins for NVIDIA's libraries.
extern const char* const kFakeNvjpeg;
extern const char* const kFakeNvjpegOld;  // lacks functions that were added later
extern const char* const kFakeNvjpegCut;  // lacks a function that is needed
extern const char* const kFakeCudnn;
extern const char* const kFakeCudnnOld;
extern const char* const kFakeCublas;
extern const char* const kFakeNccl;
extern const char* const kFakeNvml;
extern const char* const kFakeNvmlOld;
extern const char* const kFakeNvmlLong;  // lists processes with longer entries
extern const char* const kFakeNvmlFolder;

}  // namespace millrace::tests
