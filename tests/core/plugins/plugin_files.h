// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/places.h"

namespace millrace::tests {

/// The file of a plug-in that tests/CMakeLists.txt builds.
inline std::string pluginFile(const std::string& name) {
  return std::string(kBinaryFolder) + "/tests/plugins/" + name + "/" + name + ".so";
}

}  // namespace millrace::tests
