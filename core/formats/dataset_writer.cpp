// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dataset_writer.h"

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace millrace {

std::string classFolderName(const WriteSpec& spec, std::int64_t label) {
  if (label < 0 || static_cast<std::size_t>(label) >= spec.classes.size())
    return fmt::format("{:04}", label);
  std::string name = spec.classes[static_cast<std::size_t>(label)];
  for (char& c : name)
    if (c == '/' || c == '\0') c = '_';
  if (name.empty() || name == "..") return fmt::format("{:04}", label);
  return name;
}

std::string_view extensionOf(std::span<const std::byte> file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMagics = {
      {{"\xff\xd8\xff", "jpg"},
       {"\x89PNG\r\n", "png"},
       {"RIFF", "webp"},
       {"GIF8", "gif"},
       {"BM", "bmp"},
       {"II*", "tif"},
       {"MM", "tif"}}};
  for (const auto& [magic, extension] : kMagics)
    if (file.size() > magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0)
      return extension;
  return "bin";
}

}  // namespace millrace
