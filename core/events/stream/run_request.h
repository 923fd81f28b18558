// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// A line of standard input: `{"id": 1, "request": "stop"}`, the same with `start`, or
/// `{"id": 2, "request": "set", "node": "step", "param": "seconds", "value": "0.1"}`.
struct RunRequest {
  enum class Kind { Stop, Set, Start };
  std::int64_t id = 0;
  Kind kind = Kind::Stop;  ///< the other fields are those of `set`
  std::string node;
  std::string param;
  std::string value;
};
/// The line of a request, without its newline. Any thread.
std::string requestLine(const RunRequest& request);
/// Reads such a line. The error says what a request must look like. Any thread.
Result<RunRequest> parseRequest(const std::string& line);

}  // namespace millrace
