// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Compares the declarations of nvJPEG with its header, if that and the CUDA Toolkit's headers are
// installed.
#include <cstddef>

#include "core/cuda/libraries/nvjpeg_abi.h"
#include "tests/support/same_call.h"
#include "tests/support/test_case.h"

#if __has_include(<nvjpeg.h>) && __has_include(<cuda_runtime_api.h>)
#include <nvjpeg.h>
#define MILLRACE_HAS_NVJPEG_H
#endif

namespace millrace {

using tests::sameCall;

class TestNvjpegDeclarations : public QObject {
  Q_OBJECT

 private slots:
  void nvjpeg() {
#if defined(MILLRACE_HAS_NVJPEG_H)
    static_assert(nvjpeg::kSuccess == NVJPEG_STATUS_SUCCESS &&
                  nvjpeg::kNotInitialized == NVJPEG_STATUS_NOT_INITIALIZED &&
                  nvjpeg::kInvalidParameter == NVJPEG_STATUS_INVALID_PARAMETER &&
                  nvjpeg::kBadJpeg == NVJPEG_STATUS_BAD_JPEG &&
                  nvjpeg::kJpegNotSupported == NVJPEG_STATUS_JPEG_NOT_SUPPORTED &&
                  nvjpeg::kAllocatorFailure == NVJPEG_STATUS_ALLOCATOR_FAILURE &&
                  nvjpeg::kExecutionFailed == NVJPEG_STATUS_EXECUTION_FAILED &&
                  nvjpeg::kArchMismatch == NVJPEG_STATUS_ARCH_MISMATCH &&
                  nvjpeg::kInternalError == NVJPEG_STATUS_INTERNAL_ERROR &&
                  nvjpeg::kImplementationNotSupported ==
                      NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED &&
                  nvjpeg::kIncompleteBitstream == NVJPEG_STATUS_INCOMPLETE_BITSTREAM);
    static_assert(nvjpeg::kOutputLuma == NVJPEG_OUTPUT_Y &&
                  nvjpeg::kOutputInterleavedRgb == NVJPEG_OUTPUT_RGBI &&
                  nvjpeg::kBackendDefault == NVJPEG_BACKEND_DEFAULT &&
                  nvjpeg::kBackendGpuHybrid == NVJPEG_BACKEND_GPU_HYBRID &&
                  nvjpeg::kBackendHardware == NVJPEG_BACKEND_HARDWARE &&
                  nvjpeg::kFlagStrict == NVJPEG_FLAGS_BITSTREAM_STRICT &&
                  nvjpeg::kFlagInterpolate == NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION);
    static_assert(sizeof(nvjpeg::Image) == sizeof(nvjpegImage_t) &&
                  offsetof(nvjpeg::Image, pitch) == offsetof(nvjpegImage_t, pitch));
    constexpr nvjpeg::Functions f{};
    static_assert(
        sameCall(f.getProperty, &nvjpegGetProperty) && sameCall(f.createEx, &nvjpegCreateEx) &&
        sameCall(f.destroy, &nvjpegDestroy) && sameCall(f.stateCreate, &nvjpegJpegStateCreate) &&
        sameCall(f.stateDestroy, &nvjpegJpegStateDestroy) &&
        sameCall(f.streamCreate, &nvjpegJpegStreamCreate) &&
        sameCall(f.streamDestroy, &nvjpegJpegStreamDestroy) &&
        sameCall(f.parseHeader, &nvjpegJpegStreamParseHeader) &&
        sameCall(f.frameDimensions, &nvjpegJpegStreamGetFrameDimensions) &&
        sameCall(f.batchedSupported, &nvjpegDecodeBatchedSupported) &&
        sameCall(f.batchedInitialize, &nvjpegDecodeBatchedInitialize) &&
        sameCall(f.decodeBatched, &nvjpegDecodeBatched) && sameCall(f.decode, &nvjpegDecode));
    QVERIFY(sizeof(nvjpeg::Handle) == sizeof(nvjpegHandle_t));
#else
    QSKIP("nvjpeg.h is not installed; scripts/nvidia-headers downloads it");
#endif
  }
};

}  // namespace millrace

using millrace::TestNvjpegDeclarations;
MILLRACE_TEST_CASE(TestNvjpegDeclarations)
#include "tst_nvjpeg_declarations.moc"
