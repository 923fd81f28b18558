// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/parts.h"

#include <algorithm>

#include "core/base/check.h"

namespace millrace {

const OptionalPart& partNamed(std::string_view name) {
  const auto found = std::ranges::find(allParts(), name, &OptionalPart::name);
  MILLRACE_CHECK(found != allParts().end(), "this part is not in cmake/MillraceParts.cmake");
  return *found;
}

std::string whyMissing(const OptionalPart& part) {
  return "this build of Millrace has no " + std::string(part.title) + ", which is needed for " +
         std::string(part.use);
}

std::string remedyFor(const OptionalPart& part) {
  return "install " + std::string(part.package) + " and build Millrace again";
}

Status checkPart(std::string_view name) {
  if (partNamed(name).built) return {};
  return missingPart(name);
}

Error missingPart(std::string_view name) {
  const OptionalPart& part = partNamed(name);
  return {whyMissing(part) + "; " + remedyFor(part)};
}

}  // namespace millrace
