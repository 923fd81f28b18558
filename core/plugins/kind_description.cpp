// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/kind_description.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"
#include "core/data/field_text.h"

namespace millrace {

namespace {

using json = nlohmann::json;

/// An object of the description. The first error is kept, and what follows it does nothing.
class ObjectReader {
 public:
  /// `where` begins its messages: "", or "params[0].".
  ObjectReader(const json& object, std::string where, Status& status)
      : m_object(object), m_where(std::move(where)), m_status(status) {
    if (!m_object.is_object()) fail("", "expected an object");
  }

  void fail(std::string_view key, const std::string& what) {
    if (!m_status) return;
    std::string at = m_where + std::string(key);
    if (at.ends_with('.')) at.pop_back();
    m_status = Error{at.empty() ? what : fmt::format("`{}`: {}", validUtf8(at), what)};
  }

  void onlyKeys(const std::vector<std::string>& known) {
    if (!m_status) return;
    for (const auto& [key, value] : m_object.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const std::string like = nearest(key, known);
      fail(key, "there is no such key" + (like.empty() ? "" : "; did you mean `" + like + "`?"));
    }
  }

  /// nullptr if it is absent or null.
  const json* find(std::string_view key) const {
    if (!m_status) return nullptr;
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
  }

  std::string text(std::string_view key, bool needed = false) {
    const json* const value = find(key);
    if (value == nullptr) {
      if (needed) fail(key, "missing");
      return {};
    }
    if (!value->is_string()) {
      fail(key, "expected a text");
      return {};
    }
    auto text = value->get<std::string>();
    if (needed && text.empty()) fail(key, "is empty");
    return text;
  }

  bool flag(std::string_view key, bool otherwise) {
    const json* const value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) fail(key, "expected true or false");
    return value->is_boolean() ? value->get<bool>() : otherwise;
  }

  std::optional<double> number(std::string_view key) {
    const json* const value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) fail(key, "expected a number");
    return value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
  }

  /// The entries of a list; empty if it is absent.
  std::vector<const json*> list(std::string_view key) {
    std::vector<const json*> entries;
    const json* const value = find(key);
    if (value == nullptr) return entries;
    if (!value->is_array()) fail(key, "expected a list");
    if (value->is_array())
      for (const json& entry : *value) entries.push_back(&entry);
    return entries;
  }

  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> all;
    for (const json* const entry : list(key)) {
      if (!entry->is_string()) fail(key, "expected a list of texts");
      if (entry->is_string()) all.push_back(entry->get<std::string>());
    }
    return all;
  }

 private:
  const json& m_object;
  const std::string m_where;
  Status& m_status;
};

constexpr std::array kParamTypes = {ParamType::Integer,  ParamType::Real,     ParamType::Text,
                                    ParamType::Boolean,  ParamType::Choice,   ParamType::Path,
                                    ParamType::RealList, ParamType::TextList, ParamType::PathList};

std::optional<ParamType> paramTypeNamed(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(kParamTypes, [&](ParamType type) { return nameOf(type) == name; });
  return found == kParamTypes.end() ? std::nullopt : std::optional(*found);
}

template <class T>
Result<Value> listOf(const json& value, bool (json::*is)() const noexcept) {
  if (!value.is_array() || !std::ranges::all_of(value, [is](const json& e) { return (e.*is)(); }))
    return Error{"does not have the parameter's type"};
  return Value{value.get<std::vector<T>>()};
}

Result<Value> valueOf(ParamType type, const json& value) {
  switch (type) {
    case ParamType::Boolean:
      if (value.is_boolean()) return Value{value.get<bool>()};
      break;
    case ParamType::Integer:
      if (value.is_number_integer()) return Value{value.get<std::int64_t>()};
      break;
    case ParamType::Real:
      if (value.is_number()) return Value{value.get<double>()};
      break;
    case ParamType::Text:
    case ParamType::Choice:
    case ParamType::Path:
      if (value.is_string()) return Value{value.get<std::string>()};
      break;
    case ParamType::RealList: return listOf<double>(value, &json::is_number);
    case ParamType::TextList:
    case ParamType::PathList: return listOf<std::string>(value, &json::is_string);
  }
  return Error{fmt::format("does not have the type {}", nameOf(type))};
}

bool isSnakeCase(std::string_view name) { return isFieldName(name) && name.size() <= 40; }

void readChoices(ObjectReader& object, const std::string& where, Status& status, ParamSpec& spec) {
  for (const json* const entry : object.list("choices")) {
    if (entry->is_string()) {
      spec.choices.push_back(entry->get<std::string>());
      spec.choiceHelps.emplace_back();
      continue;
    }
    ObjectReader choice(*entry, where + "choices.", status);
    choice.onlyKeys({"name", "help"});
    spec.choices.push_back(choice.text("name", true));
    spec.choiceHelps.push_back(choice.text("help"));
  }
  if ((spec.type == ParamType::Choice) == spec.choices.empty())
    object.fail("choices", spec.choices.empty() ? "a choice needs some"
                                                : "only a parameter of the type choice has them");
}

void readUse(ObjectReader& object, const std::string& where, Status& status,
             const std::vector<ParamSpec>& before, ParamSpec& spec) {
  const json* const used = object.find("used_with");
  if (used == nullptr) return;
  ObjectReader use(*used, where + "used_with.", status);
  use.onlyKeys({"param", "choices"});
  spec.usedWith = ParamUse{use.text("param", true), use.texts("choices")};
  if (std::ranges::find(before, spec.usedWith->param, &ParamSpec::name) == before.end())
    use.fail("param", "no parameter before this one has that name");
}

ParamSpec readParam(const json& value, const std::string& where, Status& status,
                    const std::vector<ParamSpec>& before) {
  ParamSpec spec;
  ObjectReader object(value, where, status);
  object.onlyKeys({"name", "label", "help", "unit", "type", "default", "minimum", "maximum",
                   "choices", "live", "is_data", "optional", "used_with"});
  spec.name = object.text("name", true);
  if (!isSnakeCase(spec.name) || spec.name == "fields" || spec.name == "place")
    object.fail("name", "use lower-case letters, digits and _, and not `fields` or `place`");
  if (std::ranges::find(before, spec.name, &ParamSpec::name) != before.end())
    object.fail("name", "two parameters have this name");
  spec.label = object.text("label");
  if (spec.label.empty()) spec.label = spec.name;
  spec.help = object.text("help", true);
  spec.unit = object.text("unit");
  const std::string type = object.text("type", true);
  spec.type = paramTypeNamed(type).value_or(ParamType::Text);
  if (!paramTypeNamed(type)) object.fail("type", fmt::format("there is no type `{}`", type));
  if (spec.type == ParamType::Path || spec.type == ParamType::PathList)
    spec.names = DiskName::FileOrFolder;
  spec.minimum = object.number("minimum");
  spec.maximum = object.number("maximum");
  spec.live = object.flag("live", false);
  spec.optional = object.flag("optional", false);
  readChoices(object, where, status, spec);
  readUse(object, where, status, before, spec);
  const json* const standard = object.find("default");
  if (standard == nullptr) object.fail("default", "missing");
  if (!status) return spec;
  if (auto read = valueOf(spec.type, *standard))
    spec.defaultValue = read.take();
  else
    object.fail("default", read.error().message);
  if (!status) return spec;
  if (const auto problem = spec.problemWith(spec.defaultValue)) object.fail("default", *problem);
  return spec;
}

Category readCategory(ObjectReader& object) {
  const std::string name = object.text("category");
  for (const Category category : {Category::Geometry, Category::Colour, Category::Tensor})
    if (nameOf(category) == name) return category;
  if (!name.empty()) object.fail("category", "expected geometry, colour or tensor");
  return Category::Tensor;
}

void readRoles(ObjectReader& object, std::vector<Role>& roles) {
  for (const std::string& name : object.texts("roles")) {
    const auto role = roleNamed(name);
    if (role) roles.push_back(*role);
    if (!role) object.fail("roles", fmt::format("there is no role `{}`", name));
  }
  if (roles.empty()) object.fail("roles", "name the roles of the fields that it gets");
}

KindDescription readKind(const json& root, Status& status) {
  KindDescription kind;
  ObjectReader object(root, "", status);
  object.onlyKeys({"kind", "label", "help", "category", "example", "tags", "can_bypass", "plugin",
                   "params", "roles", "level", "random", "shared"});
  kind.spec.kind = object.text("kind", true);
  if (!isSnakeCase(kind.spec.kind))
    object.fail("kind", "use at most 40 lower-case letters, digits and _, a letter first");
  kind.spec.label = object.text("label", true);
  kind.spec.help = object.text("help", true);
  kind.spec.category = readCategory(object);
  kind.spec.tags = object.texts("tags");
  kind.spec.canBypass = object.flag("can_bypass", true);
  kind.spec.example = "{}";
  if (const json* const example = object.find("example")) {
    if (!example->is_object()) object.fail("example", "expected an object of parameters");
    kind.spec.example = example->dump();
  }
  readRoles(object, kind.roles);
  const std::string level = object.text("level");
  if (!level.empty() && level != "sample" && level != "batch")
    object.fail("level", "expected sample or batch");
  kind.batch = level == "batch";
  kind.spec.role = kind.batch ? NodeRole::BatchOp : NodeRole::Sample;
  kind.random = object.flag("random", false);
  kind.shared = object.flag("shared", false);
  const auto params = object.list("params");
  for (std::size_t i = 0; i < params.size() && status; ++i)
    kind.spec.params.push_back(
        readParam(*params[i], fmt::format("params[{}].", i), status, kind.spec.params));
  return kind;
}

}  // namespace

Result<KindDescription> readKindDescription(std::string_view text) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::exception& thrown) {
    return Error{fmt::format("the description is not JSON: {}", validUtf8(thrown.what()))};
  }
  Status status;
  KindDescription kind = readKind(root, status);
  if (!status) return Error{"the description: " + status.error().message};
  return kind;
}

}  // namespace millrace
