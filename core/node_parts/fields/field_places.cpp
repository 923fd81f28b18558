// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/field_places.h"

#include <algorithm>

#include <fmt/format.h>

namespace millrace::nodes {

std::optional<std::size_t> fieldIndex(const StreamType& in, const std::string& name) {
  const auto found = std::find_if(in.fields.begin(), in.fields.end(),
                                  [&](const FieldSpec& field) { return field.name == name; });
  if (found == in.fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - in.fields.begin());
}

StreamType spliced(const StreamType& in, std::size_t at, const std::vector<FieldSpec>& made,
                   const std::string& param, InferContext& context) {
  StreamType out = in;
  const auto place = out.fields.begin() + static_cast<std::ptrdiff_t>(at);
  out.fields.insert(out.fields.erase(place), made.begin(), made.end());
  for (std::size_t i = 0; i < out.fields.size(); ++i)
    if (fieldIndex(out, out.fields[i].name) != i) {
      context.error(param, fmt::format("there would be two fields named `{}`", out.fields[i].name),
                    "rename one of them");
      return in;
    }
  return out;
}

}  // namespace millrace::nodes
