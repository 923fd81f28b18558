// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/data_path.h"

#include "core/sample_data/sample_data.h"
#include "core/storage/remote_path.h"

namespace millrace {

Result<std::filesystem::path> resolveDataPath(const std::string& text,
                                              const std::filesystem::path& base) {
  if (text.empty()) return Error{"no path is given; give the data with the setting `data`"};
  if (text.find('\0') != std::string::npos) return Error{"the path contains a zero byte"};
  if (sampleNameOf(text)) return resolveSamplePath(text);
  if (isRemotePath(text)) {
    MILLRACE_TRY(parseRemotePath(text));
    return std::filesystem::path(text);
  }
  return (base / text).lexically_normal();
}

}  // namespace millrace
