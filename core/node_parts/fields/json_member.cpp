// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/json_member.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/io/open_file.h"
#include "core/node_parts/fields/label_text.h"

namespace millrace::nodes {

namespace {

std::string namesIn(const nlohmann::json& object) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) {
    if (names.size() == kMost) {
      names.emplace_back("others");
      break;
    }
    names.push_back(visibleName(name));
  }
  return names.empty() ? "it has none" : "it has " + join(names, ", ");
}

}  // namespace

WebKey webKey(std::string_view key) {
  const std::size_t slash = std::min(key.find('/'), key.size());
  return {split(key.substr(0, slash), ';'),
          std::string(key.substr(std::min(slash + 1, key.size())))};
}

Result<std::string> webText(int fd, std::uint64_t offset, std::span<std::byte> text,
                            std::string_view member) {
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(fd, offset, text.data(), text.size()));
  const std::span<const std::byte> bytes = text.first(got);
  if (member.empty()) return std::string(textIn(bytes));
  MILLRACE_ASSIGN_OR_RETURN(const auto value, jsonMember(bytes, member));
  return std::string(trimmed(value));
}

Result<std::string> jsonMember(std::span<const std::byte> text, std::string_view member) {
  const std::string_view chars(reinterpret_cast<const char*>(text.data()), text.size());
  const nlohmann::json json = parsedJson(chars);
  if (json.is_discarded()) return Error{"it is not valid JSON"};
  const nlohmann::json* value = &json;
  for (const std::string& name : split(member, '/')) {
    if (!value->is_object())
      return Error{fmt::format("it has no member `{}`", visibleName(member))};
    const auto found = value->find(name);
    if (found == value->end())
      return Error{fmt::format("it has no member `{}`; {}", visibleName(member), namesIn(*value))};
    value = &*found;
  }
  if (value->is_null()) return Error{fmt::format("its member `{}` is null", visibleName(member))};
  if (value->is_string()) return value->get<std::string>();
  // The library writes nested values by recursion.
  if (std::ranges::any_of(*value, &nlohmann::json::is_structured) || value->is_object())
    return Error{fmt::format("its member `{}` is neither a text, a number nor a list of such",
                             visibleName(member))};
  return value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace millrace::nodes
