// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/animation_canvas.h"
#include "core/codecs/read_bytes.h"

namespace millrace {

// The chunks of a WebP file (WebP Container Specification).

/// Where the chunks begin.
constexpr std::size_t kWebpHead = 12;

/// The content of the first chunk of this name; nullopt if there is none before the file ends. A
/// chunk that goes on after the end is cut.
std::optional<std::span<const std::byte>> webpChunk(std::span<const std::byte> chunks,
                                                    std::string_view name);

/// The number of frames of an animation; 0 for any other file.
std::uint32_t countWebpFrames(const ReadBytes& read);

/// A frame of an animation.
struct WebpFrame {
  FrameStep step;
  std::span<const std::byte> chunks;  ///< of its picture
};

/// The first frames of an animation, at most `count`. Fails for a frame whose head is incomplete.
Result<std::vector<WebpFrame>> webpFrames(std::span<const std::byte> file, std::uint32_t count);

/// A frame as a separate file; the library's decoder refuses animations. `memory` holds it if it
/// had to be put together. nullopt: the frame holds no picture.
std::optional<std::span<const std::byte>> webpFileOf(const WebpFrame& frame,
                                                     std::vector<std::byte>& memory);

}  // namespace millrace
