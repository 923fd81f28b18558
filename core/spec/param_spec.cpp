// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/param_spec.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// Limits of bytes that no memory reaches, such as 1e15, are easier to read as "1 PB".
constexpr double kHugeBytes = 1e12;

std::string numbersAllowed(const ParamSpec& spec) {
  const std::string unit = spec.unit.empty() ? "" : " " + spec.unit;
  if (spec.minimum && spec.maximum && spec.unit == "bytes" && *spec.maximum >= kHugeBytes)
    return fmt::format("{}{} to {}", *spec.minimum, unit, humanBytes(*spec.maximum));
  if (spec.minimum && spec.maximum)
    return fmt::format("{} to {}{}", *spec.minimum, *spec.maximum, unit);
  if (spec.minimum) return fmt::format("{}{} or more", *spec.minimum, unit);
  if (spec.maximum) return fmt::format("at most {}{}", *spec.maximum, unit);
  return spec.unit;
}

bool outOfRange(const ParamSpec& spec, double number) {
  if (!std::isfinite(number)) return true;
  return (spec.minimum && number < *spec.minimum) || (spec.maximum && number > *spec.maximum);
}

}  // namespace

ParamSpec::ParamSpec() = default;
ParamSpec::ParamSpec(const ParamSpec&) = default;
ParamSpec::ParamSpec(ParamSpec&&) noexcept = default;
ParamSpec& ParamSpec::operator=(const ParamSpec&) = default;
ParamSpec& ParamSpec::operator=(ParamSpec&&) noexcept = default;
ParamSpec::~ParamSpec() = default;

bool ParamUse::isMet(const ParamSpec& other, const Value& value) const {
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && !choices.empty())
    return std::ranges::find(choices, *text) != choices.end();
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  return value != other.defaultValue;
}

std::string ParamUse::text(const ParamSpec& other, const std::string& name) const {
  if (!choices.empty()) return fmt::format("{} is {}", name, join(choices, " or "));
  return fmt::format("{} is {}", name, other.type == ParamType::Boolean ? "on" : "set");
}

std::string ParamSpec::allowed() const {
  if (type == ParamType::Choice) return "one of " + join(choices, ", ");
  if (type == ParamType::Boolean) return "true or false";
  return numbersAllowed(*this);
}

std::optional<std::string> ParamSpec::problemWith(const Value& value) const {
  const auto outside = [&](double number) {
    return fmt::format("{} is out of range: {}", number, allowed());
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value);
      integer != nullptr && outOfRange(*this, static_cast<double>(*integer)))
    return fmt::format("{} is out of range: {}", *integer, allowed());
  if (const auto* real = std::get_if<double>(&value); real != nullptr && outOfRange(*this, *real))
    return outside(*real);
  if (const auto* reals = std::get_if<RealList>(&value))
    for (const double real : *reals)
      if (outOfRange(*this, real)) return outside(real);
  if (type == ParamType::Choice) {
    const auto& text = std::get<std::string>(value);
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
      return fmt::format("`{}` is not {}", text, allowed());
  }
  return std::nullopt;
}

}  // namespace millrace
