// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/infer_context.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

bool contains(std::initializer_list<Role> roles, Role role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

std::vector<std::string> fieldNames(const StreamType& stream) {
  std::vector<std::string> names;
  for (const FieldSpec& field : stream.fields) names.push_back(field.name);
  return names;
}

}  // namespace

std::vector<std::size_t> actedFields(const StreamType& stream,
                                     const std::vector<std::string>& named,
                                     std::initializer_list<Role> roles) {
  std::vector<std::size_t> acted;
  for (std::size_t i = 0; i < stream.fields.size(); ++i) {
    const FieldSpec& field = stream.fields[i];
    const bool isNamed = std::find(named.begin(), named.end(), field.name) != named.end();
    if (named.empty() ? contains(roles, field.role) : isNamed) acted.push_back(i);
  }
  return acted;
}

bool checkFields(const StreamType& stream, const std::vector<std::string>& named,
                 std::initializer_list<Role> roles, InferContext& context) {
  bool fine = true;
  const std::vector<std::string> there = fieldNames(stream);
  for (const std::string& name : named) {
    if (stream.field(name) != nullptr) continue;
    fine = false;
    context.error("fields", fmt::format("the stream has no field `{}`", name),
                  "it has " + joinWords(there));
  }
  if (fine && actedFields(stream, named, roles).empty()) {
    fine = false;
    std::vector<std::string> wanted;
    for (const Role role : roles) wanted.emplace_back(nameOf(role));
    context.error("", fmt::format("there is no field to act on: none is {}", join(wanted, " or ")),
                  there.empty() ? "connect it after a source"
                                : "the stream has " + joinWords(there) +
                                      "; name the fields in `fields` or remove the node");
  }
  return fine;
}

}  // namespace millrace
