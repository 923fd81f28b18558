// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// The sentence of a plug-in, which may be anything, or one that says that it gave none.
Error pluginError(const char* text, std::size_t size);
Error pluginThrew(const char* what);

/// Calls a function of a plug-in: `call(char* error, std::size_t size)` returns what it returned.
/// The last barrier for exceptions.
template <class Call>
Status callPlugin(Call&& call) {
  std::array<char, 512> error;
  error[0] = '\0';
  try {
    if (call(error.data(), error.size()) == 0) return {};
  } catch (const std::exception& thrown) {
    return pluginThrew(thrown.what());
  } catch (...) {
    return pluginThrew(nullptr);
  }
  return pluginError(error.data(), error.size());
}

}  // namespace millrace
