// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/picture_formats.h"

#include <algorithm>
#include <array>

#include "core/base/text/text.h"

namespace millrace {

#define MILLRACE_CODEC(name) CodecEntry name##Codec();
#include "core/codecs/codecs.def"
#undef MILLRACE_CODEC

std::span<const CodecEntry> allCodecs() {
  static const std::array entries{
#define MILLRACE_CODEC(name) name##Codec(),
#include "core/codecs/codecs.def"
#undef MILLRACE_CODEC
  };
  return entries;
}

std::string pictureExtensions(std::string_view separator) {
  std::vector<std::string> all;
  for (const CodecEntry& codec : allCodecs())
    all.insert(all.end(), codec.extensions.begin(), codec.extensions.end());
  return join(all, separator);
}

std::string usualExtensions(std::string_view separator, std::string_view before) {
  std::vector<std::string> all;
  for (const CodecEntry& codec : allCodecs())
    all.push_back(std::string(before) + std::string(codec.extensions.front()));
  return join(all, separator);
}

std::string pictureFormats() {
  std::vector<std::string> names;
  for (const CodecEntry& codec : allCodecs()) names.emplace_back(codec.format);
  const std::string last = names.back();
  names.pop_back();
  return join(names, ", ") + " and " + last;
}

bool isPictureExtension(std::string_view extension) {
  const std::string low = lowerCase(extension);
  return std::ranges::any_of(allCodecs(), [&](const CodecEntry& codec) {
    return std::ranges::find(codec.extensions, low) != codec.extensions.end();
  });
}

bool isLfsPointer(std::string_view head) {
  return head.starts_with("version https://git-lfs.github.com/spec/");
}

std::string_view usualExtension(std::span<const std::byte> file) {
  for (const CodecEntry& codec : allCodecs())
    if (codec.recognises(file)) return codec.extensions.front();
  return "bin";
}

}  // namespace millrace
