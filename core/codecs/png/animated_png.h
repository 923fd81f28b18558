// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/codecs/animation_canvas.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/read_bytes.h"

namespace millrace::png {

/// The frames of an animated PNG (Portable Network Graphics, third edition): its chunks fcTL. 0 for
/// a file without the chunk acTL.
std::uint32_t countFrames(const ReadBytes& read);

/// What a frame of an animated PNG shows. For use by one thread.
class AnimatedPng {
 public:
  /// `still` decodes the frames, each made a separate file.
  explicit AnimatedPng(std::unique_ptr<Codec> still) : m_still(std::move(still)) {}

  /// `info`: of the still picture; becomes that of the frame.
  Status open(std::span<const std::byte> file, std::uint32_t frame, ImageInfo& info);
  Result<DecodedImage> decode(const StoredRequest& request);

 private:
  struct Frame {
    FrameStep step;
    std::vector<std::span<const std::byte>> data;  ///< of its chunks IDAT or fdAT
  };
  Status readFrames(std::uint32_t count);
  std::span<const std::byte> fileOf(const Frame& frame);
  void putChunk(const char* type, std::span<const std::byte> data);
  Status drawFrame(const Frame& frame);
  Status draw();

  std::unique_ptr<Codec> m_still;
  std::span<const std::byte> m_file;
  Size m_size;
  bool m_isCut = false;  ///< the file ends before the frames are complete
  std::vector<Frame> m_frames;
  std::vector<std::byte> m_shared;  ///< the chunks before the pictures that all frames need
  std::vector<std::byte> m_made;    ///< the file of one frame
  AnimationCanvas m_canvas;
  bool m_isDrawn = false;
};

}  // namespace millrace::png
