// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/codecs/read_bytes.h"

namespace millrace {

// Files with several pictures: pages, or frames of an animation. A file's bytes can say which one
// is meant, so that the choice goes with them through everything that moves samples.

/// How many of a file's pictures are counted, as many as libtiff 4.5 follows.
constexpr std::uint32_t kMostPictures = 65534;

/// How many pictures a file has, by its heads where the format has any. At most 1: a single
/// picture, no picture, or damaged at the start.
std::uint32_t countPictures(const ReadBytes& read);

/// Bytes to append to a file for choosePicture().
constexpr std::size_t kChoiceBytes = 16;

/// Makes one of the pictures the only one. `memory` holds the file and kChoiceBytes more; returns
/// how many of its bytes are the new file. Formats whose pictures can stand alone are changed so
/// that every reader sees that picture; otherwise a mark follows the file, which ImageDecoder
/// follows and other readers ignore. nullopt: the file no longer has that picture.
std::optional<std::size_t> choosePicture(std::span<std::byte> memory, std::uint32_t picture);

/// A file, and the picture that its mark chooses.
struct MarkedFile {
  std::span<const std::byte> file;       ///< without the mark
  std::optional<std::uint32_t> picture;  ///< nullopt: no mark
};
MarkedFile withoutMark(std::span<const std::byte> bytes);

}  // namespace millrace
