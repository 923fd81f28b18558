// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/libraries/jpeg_library.h"
#include "core/cuda/stream.h"
#include "core/data/image_view.h"

namespace millrace {

/// nvJPEG's handle; destroyed with its last user.
struct JpegHandle;
/// nvJPEG's parameters for decoding one picture of a batch.
struct JpegParams;

/// A JPEG file to be decoded into device memory as u8, height x width x channels.
struct JpegPicture {
  std::span<const std::byte> file;  ///< host memory
  int width = 0;                    ///< according to the file's header
  int height = 0;
  std::byte* to = nullptr;  ///< device memory for all rows, contiguous
  /// The part of the picture that is needed; empty: all of it. If nvJPEG decodes regions, the
  /// pixels outside stay unchanged, and the chroma at the region's edges may differ from that of
  /// the whole picture.
  Rect region{};
};

/// A picture that nvJPEG did not decode; the content of its memory is undefined.
struct JpegRefusal {
  std::size_t picture = 0;
  nvjpeg::Code code = nvjpeg::kSuccess;  ///< the reason, for jpegErrorText()
};

/// nvJPEG's state and scratch memory for one batch in flight. For use by one thread. The batch and
/// its pictures must stay valid until an event recorded after the work has passed. The memory of
/// the pictures must be idle when decode() is called: a JPEG engine writes to it at once, no matter
/// what the stream still has to do.
class JpegBatch {
 public:
  ~JpegBatch();
  JpegBatch(const JpegBatch&) = delete;
  JpegBatch& operator=(const JpegBatch&) = delete;

  /// Enqueues the decoding of all pictures as one batch. Pictures that nvJPEG rejects by their
  /// headers, or whose size it reads differently, are left out; if it rejects the whole batch, each
  /// picture is tried alone. Every picture that is not decoded is added to `refused`, in order. The
  /// returned error is the stream's.
  Status decode(Stream& stream, std::span<const JpegPicture> pictures,
                std::vector<JpegRefusal>& refused);
  /// How many pictures of the last decode() were decoded in their region only.
  std::size_t regions() const { return m_regions; }

 private:
  friend class JpegDevice;
  /// A picture of the batch that is being enqueued.
  struct Taken {
    std::size_t picture = 0;
    Rect region{};  ///< empty: the whole picture
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
  int m_initialised = 0;  ///< number of pictures that the state is set up for
  std::size_t m_regions = 0;
  std::vector<Taken> m_taken;
  std::vector<std::unique_ptr<JpegParams>> m_params;  ///< at least one per picture that is decoded
  std::vector<const unsigned char*> m_files;
  std::vector<std::size_t> m_bytes;
  std::vector<nvjpeg::Image> m_images;
  std::vector<nvjpeg::Params> m_eachParams;
};

/// nvJPEG on one device. Uses the JPEG engine if the device has one (it can also decode regions),
/// else the multiprocessors. For use by one thread. Its batches may outlive it.
class JpegDevice {
 public:
  /// The error contains nvJPEG's message.
  static Result<std::unique_ptr<JpegDevice>> open(std::shared_ptr<const JpegLibrary> library,
                                                  std::shared_ptr<const Device> device);

  /// For pictures with 1 (luma) or 3 (RGB) channels.
  Result<std::unique_ptr<JpegBatch>> makeBatch(int channels);
  bool byEngine() const;

 private:
  explicit JpegDevice(std::shared_ptr<const JpegHandle> handle) : m_handle(std::move(handle)) {}

  std::shared_ptr<const JpegHandle> m_handle;
};

}  // namespace millrace
