// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/data_path.h"

#include <string_view>

#include <fmt/format.h>

namespace millrace {

Result<std::filesystem::path> resolveDataPath(const std::string& text,
                                              const std::filesystem::path& base) {
  constexpr std::string_view kSample = "sample:";
  if (text.empty()) return Error{"no path is given; name the data with `--data PATH`"};
  if (text.find('\0') != std::string::npos) return Error{"the path holds a zero byte"};
  // Generated data comes in here: ensureSampleData(name) of core/samples.
  if (text.starts_with(kSample))
    return Error{
        fmt::format("`{}`: this build has no generated sample data; name a folder with "
                    "`--data PATH`",
                    text)};
  return (base / text).lexically_normal();
}

}  // namespace millrace
