// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/spec/node_spec.h"
#include "core/spec/runtime_settings.h"

namespace millrace {

/// Refines the parameter that was described last.
class ParamBuilder {
 public:
  ParamBuilder(std::vector<ParamSpec>& all, std::size_t at) : m_all(all), m_at(at) {}

  ParamBuilder& label(std::string text) { return spec().label = std::move(text), *this; }
  ParamBuilder& help(std::string text) { return spec().help = std::move(text), *this; }
  ParamBuilder& unit(std::string text) { return spec().unit = std::move(text), *this; }
  ParamBuilder& range(double low, double high) { return atLeast(low).atMost(high); }
  ParamBuilder& atLeast(double low) { return spec().minimum = low, *this; }
  ParamBuilder& atMost(double high) { return spec().maximum = high, *this; }
  ParamBuilder& live() { return spec().live = true, *this; }
  ParamBuilder& data() { return spec().isData = true, *this; }
  ParamBuilder& speedOnly() { return spec().speedOnly = true, *this; }
  ParamBuilder& optional() { return spec().optional = true, *this; }
  ParamBuilder& file() { return spec().names = DiskName::File, *this; }
  /// Only where another parameter has one of these values, is true, or is set (ParamUse).
  ParamBuilder& usedWith(std::string param, std::vector<std::string> choices = {}) {
    return spec().usedWith = {std::move(param), std::move(choices)}, *this;
  }
  ParamBuilder& folder() { return spec().names = DiskName::Folder, *this; }

 private:
  ParamSpec& spec() { return m_all[m_at]; }
  std::vector<ParamSpec>& m_all;
  std::size_t m_at;
};

/// One value of a choice: the enumerator, its name in the file, what it means.
template <class Enum>
struct Choice {
  Enum value;
  std::string name;
  std::string help;
};

/// Describes parameters and binds each to a member of a kind's `Params` struct, whose initialiser
/// is its default.
template <class Params>
class ParamBinding {
 public:
  ParamBuilder integer(std::string name, std::int64_t Params::* member) {
    return bind(std::move(name), ParamType::Integer, member);
  }
  ParamBuilder real(std::string name, double Params::* member) {
    return bind(std::move(name), ParamType::Real, member);
  }
  ParamBuilder boolean(std::string name, bool Params::* member) {
    return bind(std::move(name), ParamType::Boolean, member);
  }
  ParamBuilder text(std::string name, std::string Params::* member) {
    return bind(std::move(name), ParamType::Text, member);
  }
  ParamBuilder path(std::string name, std::string Params::* member) {
    return bind(std::move(name), ParamType::Path, member);
  }
  ParamBuilder reals(std::string name, RealList Params::* member) {
    return bind(std::move(name), ParamType::RealList, member);
  }
  ParamBuilder texts(std::string name, TextList Params::* member) {
    return bind(std::move(name), ParamType::TextList, member);
  }
  ParamBuilder paths(std::string name, TextList Params::* member) {
    return bind(std::move(name), ParamType::PathList, member);
  }
  template <class Enum>
  ParamBuilder choice(const std::string& name, Enum Params::* member,
                      std::vector<Choice<Enum>> choices) {
    const auto nameOfValue = [choices](Enum value) {
      for (const Choice<Enum>& choice : choices)
        if (choice.value == value) return choice.name;
      MILLRACE_CHECK(false, "every enumerator is a choice");
    };
    ParamBuilder builder = add(name, ParamType::Choice, Value{nameOfValue(Params{}.*member)});
    for (const Choice<Enum>& choice : choices) {
      m_specs.back().choices.push_back(choice.name);
      m_specs.back().choiceHelps.push_back(choice.help);
    }
    m_setters.push_back([name, member, choices](Params& params, const Values& values) {
      const auto& text = std::get<std::string>(values.find(name)->second);
      for (const Choice<Enum>& choice : choices)
        if (choice.name == text) params.*member = choice.value;
    });
    return builder;
  }
  /// The parameter `fields`, by which a person overrides what a node acts on (CONTRACT §2).
  ParamBuilder fields(TextList Params::* member) {
    return texts("fields", member)
        .label("Fields")
        .optional()
        .help("Names of the fields to act on; empty: by their role.");
  }
  /// The parameter `place` of a node that can run on either side (DESIGN §2).
  ParamBuilder place(PlaceWish Params::* member) {
    return choice<PlaceWish>(
               "place", member,
               {{PlaceWish::Auto, "auto", "On the GPU behind a transfer to one, else on the CPU."},
                {PlaceWish::Cpu, "cpu", "On the CPU; refused where the batch is on the GPU."},
                {PlaceWish::Gpu, "gpu", "On the GPU; refused where the batch is not there."}})
        .label("Place")
        .help("Which side runs the node.");
  }

  /// Makes the struct of a node's values; every parameter described so far must be among them.
  std::function<Params(const Values&)> reader() const {
    return [setters = m_setters](const Values& values) {
      Params params;
      for (const auto& set : setters) set(params, values);
      return params;
    };
  }
  const std::vector<ParamSpec>& specs() const { return m_specs; }

 private:
  template <class T>
  ParamBuilder bind(std::string name, ParamType type, T Params::* member) {
    ParamBuilder builder = add(name, type, Value{Params{}.*member});
    m_setters.push_back([name = std::move(name), member](Params& params, const Values& values) {
      params.*member = std::get<T>(values.find(name)->second);
    });
    return builder;
  }
  ParamBuilder add(const std::string& name, ParamType type, Value defaultValue) {
    ParamSpec spec;
    spec.name = name;
    spec.label = name;
    spec.type = type;
    spec.defaultValue = std::move(defaultValue);
    if (type == ParamType::Path || type == ParamType::PathList) spec.names = DiskName::FileOrFolder;
    m_specs.push_back(std::move(spec));
    return {m_specs, m_specs.size() - 1};
  }

  std::vector<ParamSpec> m_specs;
  std::vector<std::function<void(Params&, const Values&)>> m_setters;
};

}  // namespace millrace
