// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/example_fields.h"

#include <cstring>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/field_text.h"
#include "core/formats/real_labels.h"

namespace millrace {

std::string fieldNameFor(std::string_view key) {
  std::string name;
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    const bool upper = c >= 'A' && c <= 'Z';
    name += plain ? c : upper ? static_cast<char>(c - 'A' + 'a') : '_';
  }
  if (name.empty() || name.front() < 'a' || name.front() > 'z') name = "field_" + name;
  return name;
}

namespace {

Result<ExampleField> fieldOf(const std::string& entry) {
  const std::size_t equals = entry.find('=');
  std::string key = equals == std::string::npos ? entry : entry.substr(equals + 1);
  FieldDescription said;
  for (std::size_t colon = key.rfind(':'); colon != std::string::npos && colon > 0;
       colon = key.rfind(':')) {
    if (!said.take(std::string_view(key).substr(colon + 1))) break;
    key.resize(colon);
  }
  ExampleField field;
  field.key = key;
  field.spec.name = equals == std::string::npos ? fieldNameFor(key) : entry.substr(0, equals);
  if (key.empty() || field.spec.name != fieldNameFor(field.spec.name))
    return Error{fmt::format(
        "`{}`: write NAME=KEY, with a name of lower-case letters, digits and _", validUtf8(entry))};
  const auto byName = roleNamed(field.spec.name);
  field.spec.role = said.role.value_or(byName.value_or(Role::Features));
  const bool pictureFile = isPicture(field.spec.role) && !said.shape;
  if (said.dtype)
    field.spec.dtype = *said.dtype;
  else if (field.spec.role == Role::Label)
    field.spec.dtype = DType::I64;
  else if (pictureFile)
    field.spec.dtype = DType::Encoded;
  else
    field.typed = false;
  const bool encoded = field.spec.dtype == DType::Encoded;
  const Shape run{Shape::kUnknown};
  field.spec.shape =
      encoded ? run : said.shape.value_or(field.spec.role == Role::Label ? Shape{} : run);
  field.typed = field.typed || said.shape.has_value();
  if (!said.role && field.spec.role == Role::Label && isFloat(field.spec.dtype) &&
      field.spec.shape.rank() == 0)
    field.spec.role = Role::Features;  // a quantity (RealLabels)
  if (!said.dtype && said.shape && !encoded && field.spec.role != Role::Label)
    return Error{fmt::format("`{}`: a shape needs an element type with it, as in :u8:{}",
                             validUtf8(entry), said.shape->text())};
  if (isPicture(field.spec.role) && !encoded && field.spec.shape.rank() == 3)
    field.spec.layout = said.layout.value_or(Layout::Hwc);
  return field;
}

}  // namespace

bool isNumberList(const FieldSpec& spec) {
  return spec.dtype != DType::Encoded && spec.shape.rank() == 1 && !spec.shape.known();
}

Result<std::vector<ExampleField>> parseExampleKeys(const std::vector<std::string>& entries) {
  std::vector<ExampleField> fields;
  for (const std::string& entry : entries) {
    MILLRACE_ASSIGN_OR_RETURN(auto field, fieldOf(entry));
    for (const ExampleField& other : fields)
      if (other.spec.name == field.spec.name)
        return Error{fmt::format("two fields have the name `{}`", field.spec.name)};
    fields.push_back(std::move(field));
  }
  return fields;
}

std::string textOf(const ExampleField& field) {
  std::string text =
      fmt::format("{}={}:{}", field.spec.name, validUtf8(field.key), nameOf(field.spec.dtype));
  if (field.spec.dtype != DType::Encoded) text += ":" + field.spec.shape.text();
  const auto byName = roleNamed(field.spec.name);
  if (field.spec.role != byName.value_or(Role::Features))
    text += fmt::format(":{}", nameOf(field.spec.role));
  return text;
}

std::vector<FieldSpec> specsOf(const std::vector<ExampleField>& fields) {
  std::vector<FieldSpec> specs;
  for (const ExampleField& field : fields) specs.push_back(field.spec);
  return specs;
}

ExampleParser::ExampleParser(std::vector<ExampleField> fields)
    : m_fields(std::move(fields)), m_inOrder(m_fields.size()), m_found(m_fields.size()) {
  std::iota(m_inOrder.begin(), m_inOrder.end(), 0);
}

Status ExampleParser::parse(std::span<const std::byte> record, Sample& sample) {
  return parse(record, sample, m_inOrder);
}

Status ExampleParser::parse(std::span<const std::byte> record, Sample& sample,
                            std::span<const std::size_t> places) {
  for (ExampleFeature& found : m_found) found = {};
  m_empty = true;
  ExampleWalk walk(record);
  ExampleFeature feature;
  for (;;) {
    MILLRACE_ASSIGN_OR_RETURN(const auto more, walk.next(feature));
    if (!more) break;
    m_empty = false;
    for (std::size_t i = 0; i < m_fields.size(); ++i)
      if (m_fields[i].key == feature.key) m_found[i] = feature;
  }
  for (std::size_t i = 0; i < m_fields.size(); ++i) MILLRACE_TRY(put(i, sample, places[i]));
  return {};
}

namespace {

TensorView borrowed(std::span<const std::byte> bytes, const FieldSpec& spec, const Shape& shape) {
  return {spec.dtype, spec.layout, shape, const_cast<std::byte*>(bytes.data()), bytes.size()};
}

/// A class that is stored as a float.
Status putWhole(const ExampleFeature& feature, Sample& sample, std::size_t place) {
  float number = 0;
  MILLRACE_TRY(floatValues(feature, {&number, 1}));
  const auto label = classIn(static_cast<double>(number));
  if (!label)
    return Error{fmt::format("key `{}` is {}, not a class", validUtf8(feature.key), number)};
  *sample.replace(place, DType::I64, {}, Layout::Plain).as<std::int64_t>() = *label;
  return {};
}

}  // namespace

Status ExampleParser::put(std::size_t i, Sample& sample, std::size_t place) const {
  const FieldSpec& spec = m_fields[i].spec;
  const ExampleFeature& feature = m_found[i];
  if (feature.kind == FeatureKind::None) {
    // The list of a sample without a class has no type.
    if (feature.key.empty() || !isNumberList(spec))
      return Error{fmt::format("the record has no {} `{}`{}",
                               feature.key.empty() ? "key" : "value for the key",
                               validUtf8(m_fields[i].key),
                               m_empty ? ": it is not a tf.train.Example, or an empty one" : "")};
    sample.replace(place, spec.dtype, {0}, spec.layout);
    return {};
  }
  const auto wrongSize = [&](std::size_t found) {
    return Error{fmt::format("key `{}` has {} elements, which do not match {}",
                             validUtf8(feature.key), grouped(found), spec.shape.text())};
  };
  if (feature.kind == FeatureKind::Bytes) {
    MILLRACE_ASSIGN_OR_RETURN(const auto bytes, onlyBytesValue(feature));
    const std::size_t elements = bytes.size() / sizeOf(spec.dtype);
    const auto shape = fitted(spec.shape, elements);
    if (!shape || bytes.size() % sizeOf(spec.dtype) != 0) return wrongSize(elements);
    if (sizeOf(spec.dtype) == 1) {
      sample.borrow(place, borrowed(bytes, spec, *shape));
      return {};
    }
    // Numbers of several bytes must be aligned.
    const TensorView to = sample.replace(place, spec.dtype, *shape, spec.layout);
    if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
    return {};
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto count, countValues(feature));
  const auto shape = fitted(spec.shape, count);
  if (!shape) return wrongSize(count);
  const bool isFloat = feature.kind == FeatureKind::Float;
  if (isFloat && m_fields[i].reals && count == 1) return putWhole(feature, sample, place);
  if (spec.dtype != (isFloat ? DType::F32 : DType::I64))
    return Error{fmt::format("key `{}` contains {}, not {}", validUtf8(feature.key),
                             nameOf(feature.kind), nameOf(spec.dtype))};
  const TensorView to = sample.replace(place, spec.dtype, *shape, spec.layout);
  return isFloat ? floatValues(feature, {to.as<float>(), count})
                 : int64Values(feature, {to.as<std::int64_t>(), count});
}

}  // namespace millrace
