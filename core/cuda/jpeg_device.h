// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/jpeg_library.h"
#include "core/cuda/stream.h"

namespace millrace {

/// nvJPEG's handle, which ends with the last that uses it.
struct JpegHandle;

/// A JPEG file that is to become pixels in device memory: u8, height x width x channels.
struct JpegPicture {
  std::span<const std::byte> file;  ///< host memory
  int width = 0;                    ///< as the file's head says
  int height = 0;
  std::byte* to = nullptr;  ///< device memory for all rows, one behind the other
};

/// A picture that nvJPEG has not decoded: what is at its place is not defined.
struct JpegRefusal {
  std::size_t picture = 0;
  nvjpeg::Code code = nvjpeg::kSuccess;  ///< why, for jpegWordsOf
};

/// What nvJPEG needs for one batch in flight: its state and scratch. One thread; its pictures, and
/// itself, must stay until an event recorded behind the work has passed. Nothing may be under way
/// in the memory of its pictures when `decode` is called: a JPEG engine writes there at once,
/// whatever the stream has still to do.
class JpegBatch {
 public:
  ~JpegBatch();
  JpegBatch(const JpegBatch&) = delete;
  JpegBatch& operator=(const JpegBatch&) = delete;

  /// Enqueues the decoding of all pictures as one batch. Those that nvJPEG does not take by their
  /// heads, or finds of another size, are left out; where it gives the batch up, each picture is
  /// tried alone. Whatever it does not decode is added to `refused`, in order. The error is the
  /// stream's.
  Status decode(Stream& stream, std::span<const JpegPicture> pictures,
                std::vector<JpegRefusal>& refused);

 private:
  friend class JpegDevice;
  JpegBatch(std::shared_ptr<const JpegHandle> device, int channels);
  Status open();
  nvjpeg::Code takes(const JpegPicture& picture) const;
  nvjpeg::Code decodeTaken(Stream& stream, std::span<const JpegPicture> pictures);
  nvjpeg::Image imageOf(const JpegPicture& picture) const;
  int format() const;

  const std::shared_ptr<const JpegHandle> m_device;
  const nvjpeg::Functions& m_functions;
  nvjpeg::Handle m_handle;
  const int m_channels;
  nvjpeg::State m_state = nullptr;
  nvjpeg::JpegStream m_head = nullptr;
  int m_initialised = 0;  ///< pictures that the state is set up for
  std::vector<std::size_t> m_taken;
  std::vector<const unsigned char*> m_files;
  std::vector<std::size_t> m_bytes;
  std::vector<nvjpeg::Image> m_images;
};

/// nvJPEG on one device: by its JPEG engine where it has one, else by its multiprocessors. One
/// thread. Its batches may outlive it.
class JpegDevice {
 public:
  /// `stream` is one of the device's. The error says what nvJPEG said.
  static Result<std::unique_ptr<JpegDevice>> open(std::shared_ptr<const JpegLibrary> library,
                                                  Stream& stream);

  /// For pictures of 1 (luma) or 3 (RGB) channels; `stream` is one of the device's.
  Result<std::unique_ptr<JpegBatch>> makeBatch(Stream& stream, int channels);
  bool byEngine() const { return m_backend == nvjpeg::kBackendHardware; }

 private:
  JpegDevice(std::shared_ptr<const JpegHandle> handle, int backend)
      : m_handle(std::move(handle)), m_backend(backend) {}

  std::shared_ptr<const JpegHandle> m_handle;
  int m_backend;
};

}  // namespace millrace
