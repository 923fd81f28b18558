// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// The columns of most tests' shards: a picture and a label.
inline const std::vector<MdsColumnText> kUsualMds = {{"img", "jpeg"}, {"y", "int", 8}};

/// A sample of them.
inline std::vector<std::string> usualMds(int label) {
  return {kJpeg + std::to_string(label), littleEndian(static_cast<unsigned>(label), 8)};
}

inline Opened openMds(const TemporaryFolder& folder, const std::vector<std::string>& paths,
                      const std::vector<std::string>& columns = {}) {
  return openSource("mds", {{"paths", paths}, {"columns", columns}}, folder.path());
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace millrace::tests
