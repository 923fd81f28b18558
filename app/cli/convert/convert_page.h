// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/convert/conversion.h"

namespace millrace::cli {

/// The result of `convert`, with facts that only the command knows.
struct Converted {
  std::string source;
  std::string target;
  std::string kind;
  ConvertOutcome outcome;
  double seconds = 0;
  bool verified = false;  ///< every sample was compared
  std::string next;       ///< the suggested next command
};

/// The page for the user, in 80 columns.
std::string convertedPage(const Converted& done);
/// For programs: the last line of the event stream, or one object.
std::string convertedJson(const Converted& done, bool asEvent);

}  // namespace millrace::cli
