// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/label_text.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/real_labels.h"

namespace millrace::nodes {

std::string_view textIn(std::span<const std::byte> bytes) {
  return trimmed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::optional<double> realIn(std::span<const std::byte> bytes) {
  constexpr std::size_t kLongest = 64;
  return bytes.size() > kLongest ? std::nullopt : realNumberIn(textIn(bytes));
}

namespace {

Result<std::int64_t> classNumberIn(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return Error{fmt::format("`{}` is not a number", visibleName(text.substr(0, 40)))};
  return value;
}

/// The numbers of `1 3`, `1,3` or `[1, 3]`.
std::vector<std::string> numbersIn(std::string_view text) {
  const std::size_t separator = text.find_first_of(kLabelSeparators);
  return labelsIn(text, separator == std::string_view::npos ? kNoSeparator : text[separator]);
}

/// Parses a class number from text: "17", possibly surrounded by spaces or a line end.
Status putNumber(std::span<const std::byte> bytes, const FieldSpec& spec, Sample& sample,
                 std::size_t field) {
  const std::string_view text = textIn(bytes);
  const auto value = classNumberIn(text);
  if (const auto real = realIn(bytes); !value && real && classIn(*real)) {
    *sample.replace(field, spec.dtype, {}, spec.layout).as<std::int64_t>() = *classIn(*real);
    return {};
  }
  if (!value) {
    const std::vector<std::string> several = numbersIn(text);
    if (several.size() < 2 || !classNumberIn(several.front())) return value.error();
    return Error{fmt::format(
        "`{}` is several numbers; for several classes a sample, write `:?` after the part in "
        "`parts`, as in label=cls:?, and add a node one_hot",
        visibleName(text.substr(0, 40)))};
  }
  *sample.replace(field, spec.dtype, {}, spec.layout).as<std::int64_t>() = *value;
  return {};
}

/// Parses a list of class numbers, or a number for each class, from text.
Status putNumbers(std::span<const std::byte> bytes, const FieldSpec& spec, Sample& sample,
                  std::size_t field) {
  const std::vector<std::string> texts = numbersIn(textIn(bytes));
  if (spec.shape.known() && spec.shape.elements() != static_cast<std::int64_t>(texts.size()))
    return Error{
        fmt::format("it has {}, not {}", counted(texts.size(), "number"), spec.shape.text())};
  auto* to =
      sample.replace(field, spec.dtype, {static_cast<std::int64_t>(texts.size())}, spec.layout)
          .as<std::int64_t>();
  for (const std::string& text : texts) {
    MILLRACE_ASSIGN_OR_RETURN(const std::int64_t value, classNumberIn(text));
    *to++ = value;
  }
  return {};
}

/// Parses a quantity such as `0.5` or `37`.
Status putReal(std::span<const std::byte> bytes, const FieldSpec& spec, Sample& sample,
               std::size_t field) {
  const auto number = realIn(bytes);
  if (!number)
    return Error{fmt::format("`{}` is not a number", visibleName(textIn(bytes).substr(0, 40)))};
  const TensorView to = sample.replace(field, spec.dtype, {}, spec.layout);
  if (spec.dtype == DType::F32)
    *to.as<float>() = static_cast<float>(*number);
  else
    *to.as<double>() = *number;
  return {};
}

}  // namespace

bool isLabelList(const FieldSpec& field) {
  return field.role == Role::Label && field.dtype != DType::Encoded && !isFloat(field.dtype) &&
         field.shape.rank() == 1 && !field.shape.known();
}

bool isLabelText(const FieldSpec& field, std::size_t bytes) {
  if (field.dtype != DType::I64) return false;
  if (field.shape.rank() == 0 || isLabelList(field)) return true;
  return field.role == Role::Label && field.shape.rank() == 1 &&
         bytes != sizeOf(field.dtype) * static_cast<std::size_t>(field.shape.elements());
}

std::optional<std::vector<std::int64_t>> classListIn(std::span<const std::byte> bytes) {
  constexpr std::size_t kLongest = 65536;
  const std::string_view text = textIn(bytes.first(std::min(bytes.size(), kLongest)));
  const std::vector<std::string> texts = numbersIn(text);
  if (texts.size() < 2 && !text.starts_with('[')) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const std::string& one : texts) {
    const auto number = classNumberIn(one);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

Status putLabelText(std::span<const std::byte> bytes, const FieldSpec& spec, Sample& sample,
                    std::size_t field) {
  if (isFloat(spec.dtype)) return putReal(bytes, spec, sample, field);
  return spec.shape.rank() == 1 ? putNumbers(bytes, spec, sample, field)
                                : putNumber(bytes, spec, sample, field);
}

}  // namespace millrace::nodes
