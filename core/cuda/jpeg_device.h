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
#include "core/data/image_view.h"

namespace millrace {

/// nvJPEG's handle, which ends with the last that uses it.
struct JpegHandle;
/// How one picture of a batch is decoded: nvJPEG's parameters.
struct JpegParams;

/// A JPEG file that is to become pixels in device memory: u8, height x width x channels.
struct JpegPicture {
  std::span<const std::byte> file;  ///< host memory
  int width = 0;                    ///< as the file's head says
  int height = 0;
  std::byte* to = nullptr;  ///< device memory for all rows, one behind the other
  /// What of it is wanted, inside of it. Where nvJPEG decodes regions the pixels around it are left
  /// as they are, those at its edges may differ by their chroma from the whole picture's. Empty:
  /// all.
  Rect region{};
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
  /// Of how many of the last `decode`'s pictures only the region was decoded.
  std::size_t regions() const { return m_regions; }

 private:
  friend class JpegDevice;
  /// A picture of the batch that is being enqueued.
  struct Taken {
    std::size_t picture = 0;
    Rect region{};  ///< empty: all of it
  };

  JpegBatch(std::shared_ptr<const JpegHandle> device, int channels);
  Status open();
  nvjpeg::Code takes(const JpegPicture& picture) const;
  nvjpeg::Code chooseRegion(const JpegPicture& picture, Taken& taken);
  nvjpeg::Code decodeTaken(Stream& stream, std::span<const JpegPicture> pictures);
  nvjpeg::Image imageOf(const JpegPicture& picture, const Rect& region) const;
  int format() const;

  const std::shared_ptr<const JpegHandle> m_device;
  const nvjpeg::Functions& m_functions;
  nvjpeg::Handle m_handle;
  const int m_channels;
  nvjpeg::State m_state = nullptr;
  nvjpeg::JpegStream m_head = nullptr;
  int m_initialised = 0;  ///< pictures that the state is set up for
  std::size_t m_regions = 0;
  std::vector<Taken> m_taken;
  std::vector<std::unique_ptr<JpegParams>> m_params;  ///< at least one for each that is taken
  std::vector<const unsigned char*> m_files;
  std::vector<std::size_t> m_bytes;
  std::vector<nvjpeg::Image> m_images;
  std::vector<nvjpeg::Params> m_eachParams;
};

/// nvJPEG on one device: by its JPEG engine where it has one, which also decodes regions, else by
/// its multiprocessors. One thread. Its batches may outlive it.
class JpegDevice {
 public:
  /// The error says what nvJPEG said.
  static Result<std::unique_ptr<JpegDevice>> open(std::shared_ptr<const JpegLibrary> library,
                                                  std::shared_ptr<const Device> device);

  /// For pictures of 1 (luma) or 3 (RGB) channels.
  Result<std::unique_ptr<JpegBatch>> makeBatch(int channels);
  bool byEngine() const;

 private:
  explicit JpegDevice(std::shared_ptr<const JpegHandle> handle) : m_handle(std::move(handle)) {}

  std::shared_ptr<const JpegHandle> m_handle;
};

}  // namespace millrace
