// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/param_binding.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"

namespace millrace {

namespace {

template <class T>
const T& memberAt(const void* params, std::size_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(params) + offset);
}
template <class T>
T& memberAt(void* params, std::size_t offset) {
  return *reinterpret_cast<T*>(static_cast<std::byte*>(params) + offset);
}

/// Calls `f` with a null pointer to the type that members of `type` have.
template <class F>
auto withMemberType(ParamType type, F f) {
  switch (type) {
    case ParamType::Boolean: return f(static_cast<bool*>(nullptr));
    case ParamType::Integer: return f(static_cast<std::int64_t*>(nullptr));
    case ParamType::Real: return f(static_cast<double*>(nullptr));
    case ParamType::RealList: return f(static_cast<RealList*>(nullptr));
    case ParamType::TextList:
    case ParamType::PathList: return f(static_cast<TextList*>(nullptr));
    case ParamType::Text:
    case ParamType::Choice:
    case ParamType::Path: break;
  }
  return f(static_cast<std::string*>(nullptr));
}

/// The machine is little-endian: the low bytes come first.
std::uint64_t enumeratorAt(const void* params, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, static_cast<const std::byte*>(params) + offset, size);
  return value;
}

Value valueAt(ParamType type, const void* params, std::size_t offset) {
  return withMemberType(type, [&]<class T>(T*) { return Value{memberAt<T>(params, offset)}; });
}

}  // namespace

std::vector<std::string> textsOf(std::initializer_list<std::string_view> texts) {
  return {texts.begin(), texts.end()};
}

ParamBuilder& ParamBuilder::label(std::string_view text) { return spec().label = text, *this; }
ParamBuilder& ParamBuilder::help(std::string_view text) { return spec().help = text, *this; }
ParamBuilder& ParamBuilder::unit(std::string_view text) { return spec().unit = text, *this; }
ParamBuilder& ParamBuilder::atLeast(double low) { return spec().minimum = low, *this; }
ParamBuilder& ParamBuilder::atMost(double high) { return spec().maximum = high, *this; }
ParamBuilder& ParamBuilder::range(double low, double high) { return atLeast(low).atMost(high); }

ParamBuilder& ParamBuilder::usedWith(std::string_view param,
                                     std::initializer_list<std::string_view> choices) {
  return spec().usedWith = {std::string(param), textsOf(choices)}, *this;
}

ParamBuilder ParamTable::add(std::string_view name, ParamType type, const void* params,
                             std::size_t offset) {
  ParamSpec spec;
  spec.label = name;
  spec.name = name;
  spec.type = type;
  spec.defaultValue = valueAt(type, params, offset);
  if (type == ParamType::Path || type == ParamType::PathList) spec.names = DiskName::FileOrFolder;
  return append(std::move(spec), {offset, 0, {}});
}

ParamBuilder ParamTable::addChoice(std::string_view name, const void* params, std::size_t offset,
                                   std::size_t size,
                                   std::span<const Choice<std::uint64_t>> choices) {
  const auto held =
      std::ranges::find(choices, enumeratorAt(params, offset, size), &Choice<std::uint64_t>::value);
  MILLRACE_CHECK(held != choices.end(), "every enumerator is a choice");
  ParamSpec spec;
  spec.label = name;
  spec.name = name;
  spec.type = ParamType::Choice;
  spec.defaultValue = std::string(held->name);
  std::vector<std::uint64_t> values;
  for (const Choice<std::uint64_t>& choice : choices) {
    values.push_back(choice.value);
    spec.choices.emplace_back(choice.name);
    spec.choiceHelps.emplace_back(choice.help);
  }
  return append(std::move(spec), {offset, size, std::move(values)});
}

ParamBuilder ParamTable::append(ParamSpec spec, Member member) {
  m_specs.push_back(std::move(spec));
  m_members.push_back(std::move(member));
  return {m_specs, m_specs.size() - 1};
}

void ParamTable::read(const Values& values, void* params) const {
  for (std::size_t i = 0; i < m_specs.size(); ++i) {
    const ParamSpec& spec = m_specs[i];
    const Member& member = m_members[i];
    const Value& value = values.find(spec.name)->second;
    if (spec.type == ParamType::Choice) {
      const auto name = std::ranges::find(spec.choices, std::get<std::string>(value));
      if (name != spec.choices.end())  // Else the check has reported it, and the default stays.
        std::memcpy(static_cast<std::byte*>(params) + member.offset,
                    &member.enumerators[static_cast<std::size_t>(name - spec.choices.begin())],
                    member.enumBytes);
      continue;
    }
    withMemberType(spec.type,
                   [&]<class T>(T*) { memberAt<T>(params, member.offset) = std::get<T>(value); });
  }
}

}  // namespace millrace
