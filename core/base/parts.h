// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

/// A library that only some files or node kinds need, and that a build may be made without
/// (cmake/MillraceParts.cmake, option MILLRACE_WITH_NAME). Static storage.
struct OptionalPart {
  std::string_view name;     ///< "tiff"
  std::string_view title;    ///< what messages call the library: "libtiff"
  std::string_view package;  ///< Debian's package with its headers: "libtiff-dev"
  std::string_view use;      ///< what needs it, as the end of "is needed for ...": "TIFF pictures"
  std::string_view version;  ///< of the library at build time; empty if unknown or not built
  bool built = false;        ///< this build has it
};

/// All parts, those that this build lacks too. Any thread, as are the functions below.
std::span<const OptionalPart> allParts();

/// The part must exist.
const OptionalPart& partNamed(std::string_view name);

/// Of a part that this build lacks: "this build of Millrace has no libtiff, which is needed for
/// TIFF pictures".
std::string whyMissing(const OptionalPart& part);
/// What a user does to get a part that this build lacks: "install libtiff-dev and build Millrace
/// again".
std::string remedyFor(const OptionalPart& part);

/// Fails if this build lacks the part; the error is whyMissing() and remedyFor().
Status checkPart(std::string_view name);

/// The error of checkPart(), for code that is only compiled without the part.
Error missingPart(std::string_view name);

}  // namespace millrace
