// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/codecs/encode.h"
#include "core/inspect/folder_content.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// A folder with small pictures.
class OddFolder : public TemporaryFolder {
 public:
  void picture(const std::string& name, int width = 64, int height = 48) const {
    pixels(name, width, height, 1, std::vector<std::uint8_t>(area(width, height), 90));
  }
  /// A mask of two colours or indices, left and right.
  void mask(const std::string& name, std::vector<std::uint8_t> left,
            const std::vector<std::uint8_t>& right, int width = 64, int height = 48) const {
    std::vector<std::uint8_t> all;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto& value = 2 * x < width ? left : right;
        all.insert(all.end(), value.begin(), value.end());
      }
    pixels(name, width, height, static_cast<int>(left.size()), all);
  }
  FolderContent detect(const std::string& below = {}) const {
    return detectContent(path() / below);
  }

 private:
  static std::size_t area(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  void pixels(const std::string& name, int width, int height, int channels,
              const std::vector<std::uint8_t>& values) const {
    const auto png = encodePng({values.data(), width, height, channels, width * channels});
    write(name, std::string(reinterpret_cast<const char*>(png->data()), png->size()));
  }
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace millrace::tests
