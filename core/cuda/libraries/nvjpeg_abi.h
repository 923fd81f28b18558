// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The nvJPEG functions that the engine calls. They are declared here instead of including nvjpeg.h,
// so that every build has them. Names, values and layouts are those of nvjpeg.h 13.3.2 (package
// nvidia-nvjpeg 13.3.2.43; "nvJPEG" documentation: Single Image Decoding, Batched Image Decoding,
// nvjpegDecodeBatchedEx, Helper API Reference); they are the same in 12.4. The library is opened at
// run time (jpeg_library.h).

namespace millrace::nvjpeg {

using Code = int;                         ///< nvjpegStatus_t
using Handle = struct OpaqueHandle*;      ///< nvjpegHandle_t
using State = struct OpaqueState*;        ///< nvjpegJpegState_t
using JpegStream = struct OpaqueStream*;  ///< nvjpegJpegStream_t
using Params = struct OpaqueParams*;      ///< nvjpegDecodeParams_t
using CudaStream = void*;                 ///< cudaStream_t

inline constexpr Code kSuccess = 0;
inline constexpr Code kNotInitialized = 1;
inline constexpr Code kInvalidParameter = 2;
inline constexpr Code kBadJpeg = 3;
inline constexpr Code kJpegNotSupported = 4;
inline constexpr Code kAllocatorFailure = 5;
inline constexpr Code kExecutionFailed = 6;
inline constexpr Code kArchMismatch = 7;
inline constexpr Code kInternalError = 8;
inline constexpr Code kImplementationNotSupported = 9;
inline constexpr Code kIncompleteBitstream = 10;

inline constexpr int kOutputLuma = 2;            ///< NVJPEG_OUTPUT_Y
inline constexpr int kOutputInterleavedRgb = 5;  ///< NVJPEG_OUTPUT_RGBI

inline constexpr int kBackendDefault = 0;
inline constexpr int kBackendGpuHybrid = 2;  ///< Huffman codes on the GPU in large batches
inline constexpr int kBackendHardware = 3;   ///< the JPEG engine, on devices that have one

/// Refuse files that violate the specification.
inline constexpr unsigned kFlagStrict = 1U << 2U;
/// Smooth chroma upsampling, libjpeg-turbo's default.
inline constexpr unsigned kFlagInterpolate = 1U << 5U;

struct Image {  ///< nvjpegImage_t
  unsigned char* channel[4];
  std::size_t pitch[4];
};

/// The functions found in the library; nullptr: this version lacks it.
struct Functions {
  Code (*getProperty)(int, int*) = nullptr;
  Code (*createEx)(int backend, void* deviceAllocator, void* pinnedAllocator, unsigned flags,
                   Handle*) = nullptr;
  Code (*destroy)(Handle) = nullptr;
  Code (*stateCreate)(Handle, State*) = nullptr;
  Code (*stateDestroy)(State) = nullptr;
  Code (*streamCreate)(Handle, JpegStream*) = nullptr;
  Code (*streamDestroy)(JpegStream) = nullptr;
  Code (*parseHeader)(Handle, const unsigned char*, std::size_t, JpegStream) = nullptr;
  Code (*frameDimensions)(JpegStream, unsigned* width, unsigned* height) = nullptr;
  /// nvjpegDecodeBatched supports the picture if `unsupported` is 0.
  Code (*batchedSupported)(Handle, JpegStream, int* unsupported) = nullptr;
  Code (*batchedInitialize)(Handle, State, int batch, int cpuThreads, int format) = nullptr;
  Code (*decodeBatched)(Handle, State, const unsigned char* const* files, const std::size_t* bytes,
                        Image* to, CudaStream) = nullptr;
  Code (*decode)(Handle, State, const unsigned char* file, std::size_t bytes, int format, Image* to,
                 CudaStream) = nullptr;
  // Regions: supported by the JPEG engine only.
  Code (*paramsCreate)(Handle, Params*) = nullptr;
  Code (*paramsDestroy)(Params) = nullptr;
  Code (*paramsSetFormat)(Params, int format) = nullptr;
  /// (0, 0, -1, -1): the whole picture.
  Code (*paramsSetRegion)(Params, int x, int y, int width, int height) = nullptr;
  Code (*batchedSupportedEx)(Handle, JpegStream, Params, int* unsupported) = nullptr;
  /// `params`: one per picture.
  Code (*decodeBatchedEx)(Handle, State, const unsigned char* const* files,
                          const std::size_t* bytes, Image* to, Params* params,
                          CudaStream) = nullptr;
};

}  // namespace millrace::nvjpeg
