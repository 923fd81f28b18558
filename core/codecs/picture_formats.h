// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codecs/codec_entry.h"

namespace millrace {

/// The codecs of codecs.def, in its order. Made at the first call; any thread.
std::span<const CodecEntry> allCodecs();

/// The endings of all codecs' files without the dot, joined: "jpg;jpeg;...;jp2".
std::string pictureExtensions(std::string_view separator);
/// The usual ending of each codec's files, each after `before`: "jpg;png;...", "x.jpg;x.png;...".
std::string usualExtensions(std::string_view separator, std::string_view before = {});
/// The formats' names, joined: "JPEG, PNG, ... and JPEG 2000".
std::string pictureFormats();
/// Whether `extension`, in any case and without its dot, is the ending of a picture's file.
bool isPictureExtension(std::string_view extension);
/// The usual ending of the file, by its first bytes: "jpg", "png", ...; "bin" for anything but a
/// picture.
std::string_view usualExtension(std::span<const std::byte> file);

/// Whether a file with this beginning is a pointer that Git LFS leaves in place of the file.
bool isLfsPointer(std::string_view head);

}  // namespace millrace
