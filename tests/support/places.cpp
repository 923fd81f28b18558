// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"

namespace millrace::tests {

// The words are defined by tests/CMakeLists.txt.
const char* const kSourceFolder = PLACE_SOURCE;
const char* const kBinaryFolder = PLACE_BINARY;
const char* const kMillrace = PLACE_MILLRACE;
const char* const kWorkbench = PLACE_WORKBENCH;
const char* const kDragSource = PLACE_DRAG_SOURCE;
const char* const kFakeNvjpeg = PLACE_NVJPEG;
const char* const kFakeNvjpegOld = PLACE_NVJPEG_OLD;
const char* const kFakeNvjpegCut = PLACE_NVJPEG_CUT;
const char* const kFakeCudnn = PLACE_CUDNN;
const char* const kFakeCudnnOld = PLACE_CUDNN_OLD;
const char* const kFakeCublas = PLACE_CUBLAS;
const char* const kFakeNccl = PLACE_NCCL;
const char* const kFakeNvml = PLACE_NVML;
const char* const kFakeNvmlOld = PLACE_NVML_OLD;
const char* const kFakeNvmlLong = PLACE_NVML_LONG;
const char* const kFakeNvmlFolder = PLACE_NVML_FOLDER;

}  // namespace millrace::tests
