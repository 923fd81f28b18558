// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/convert/conversion.h"

namespace millrace::cli {

/// What `convert` did, with what only the command knows.
struct Converted {
  std::string source;
  std::string target;
  std::string kind;
  ConvertOutcome outcome;
  double seconds = 0;
  bool verified = false;  ///< every sample
  std::string next;       ///< what to type
};

/// For a person, in 80 columns.
std::string convertedPage(const Converted& done);
/// For a program; the last line of the event stream, or one object.
std::string convertedJson(const Converted& done, bool asEvent);

}  // namespace millrace::cli
