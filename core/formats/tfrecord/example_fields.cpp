// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/example_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/data/field_text.h"

namespace millrace {

namespace {

/// Turns a key into a field name, which may occur in file names and code.
std::string nameFor(std::string_view key) {
  std::string name;
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    const bool upper = c >= 'A' && c <= 'Z';
    name += plain ? c : upper ? static_cast<char>(c - 'A' + 'a') : '_';
  }
  if (name.empty() || name.front() < 'a' || name.front() > 'z') name = "field_" + name;
  return name;
}

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
  field.spec.name = equals == std::string::npos ? nameFor(key) : entry.substr(0, equals);
  if (key.empty() || field.spec.name != nameFor(field.spec.name))
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
  if (!said.dtype && said.shape && !encoded && field.spec.role != Role::Label)
    return Error{fmt::format("`{}`: a shape needs an element type with it, as in :u8:{}",
                             validUtf8(entry), said.shape->text())};
  if (isPicture(field.spec.role) && !encoded && field.spec.shape.rank() == 3)
    field.spec.layout = said.layout.value_or(Layout::Hwc);
  return field;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The last part of a key, such as `label` of `image/class/label`.
std::string_view lastPart(std::string_view key) { return key.substr(key.find_last_of("/.") + 1); }

bool mentions(std::string_view key, std::initializer_list<std::string_view> words) {
  const std::string low = nameFor(key);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

bool isLabelKey(std::string_view key) {
  const std::string last = nameFor(lastPart(key));
  return last == "y" || last == "class" || last == "cls" || last.find("label") != std::string::npos;
}

/// Whether the first bytes are those of a known picture format.
bool isPictureFile(std::span<const std::byte> bytes) {
  const auto begins = [&](std::string_view magic) {
    return bytes.size() > magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  return begins("\xff\xd8\xff") || begins("\x89PNG\r\n") || begins("RIFF") || begins("GIF8") ||
         begins("BM") || begins("II*") || begins("MM");
}

}  // namespace

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

std::string ExampleSurvey::Key::text() const {
  const auto range = [](std::size_t low, std::size_t high) {
    return low == high ? grouped(low) : grouped(low) + " to " + grouped(high);
  };
  if (kind == FeatureKind::None) return "nothing";
  std::string text(nameOf(kind));
  if (picture) text = "pictures";
  if (fewest != 1 || most != 1) text += fmt::format(", {} values a record", range(fewest, most));
  if (kind == FeatureKind::Bytes) text += fmt::format(" of {} bytes", range(shortest, longest));
  return text;
}

bool ExampleSurvey::add(std::span<const std::byte> record) {
  ExampleWalk walk(record);
  ExampleFeature feature;
  std::map<std::string_view, ExampleFeature> found;
  for (;;) {
    const auto more = walk.next(feature);
    if (!more) return false;
    if (!*more) break;
    found[feature.key] = feature;
  }
  if (found.empty()) return false;
  for (const auto& [name, one] : found) {
    const auto count = countValues(one);
    if (!count) return false;
    Key& key = m_keys[std::string(name)];
    if (*count == 0) continue;
    const bool first = key.records++ == 0;
    key.mixed = key.mixed || (!first && key.kind != one.kind);
    key.kind = one.kind;
    key.fewest = first ? *count : std::min(key.fewest, *count);
    key.most = std::max(key.most, *count);
    const auto bytes = bytesValue(one);
    if (!bytes) continue;
    key.shortest = first ? bytes->size() : std::min(key.shortest, bytes->size());
    key.longest = std::max(key.longest, bytes->size());
    key.picture = (first || key.picture) && isPictureFile(*bytes);
  }
  ++m_records;
  return true;
}

FieldSpec ExampleSurvey::specOf(const Key& key, std::string name, Role role) const {
  const bool oneSize = key.records == m_records && key.fewest == key.most;
  const auto count = static_cast<std::int64_t>(key.most);
  FieldSpec spec{std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  if (key.kind == FeatureKind::Float || key.kind == FeatureKind::Int64) {
    spec.dtype = key.kind == FeatureKind::Float ? DType::F32 : DType::I64;
    if (oneSize) spec.shape = count == 1 ? Shape{} : Shape{count};
  } else if (!key.picture && oneSize && count == 1 && key.shortest == key.longest &&
             key.longest > 0) {
    spec.dtype = DType::U8;
    spec.shape = {static_cast<std::int64_t>(key.longest)};
  }
  return spec;
}

std::vector<ExampleField> ExampleSurvey::guess() const {
  std::vector<ExampleField> fields;
  const auto add = [&](const std::string& key, std::string name, Role role) {
    for (int i = 2; std::any_of(fields.begin(), fields.end(),
                                [&](const ExampleField& f) { return f.spec.name == name; });
         ++i)
      name = fmt::format("{}_{}", name.substr(0, name.find_last_not_of("0123456789_") + 1), i);
    fields.push_back({key, specOf(m_keys.at(key), name, role), true});
  };
  const auto always = [&](const Key& key) { return key.records == m_records && !key.mixed; };
  bool image = false;
  for (const auto& [name, key] : m_keys) {
    if (!key.picture || key.most != 1 || !always(key)) continue;
    if (mentions(name, {"mask", "segment", "annot", "label"})) {
      add(name, "mask", Role::Mask);
    } else {
      add(name, image ? "target" : "image", image ? Role::Target : Role::Image);
      image = true;
    }
  }
  const bool pictures = !fields.empty();
  bool label = false;
  for (const auto& [name, key] : m_keys) {
    if (key.picture || !always(key)) continue;
    const bool single = key.fewest == 1 && key.most == 1;
    if (single && key.kind == FeatureKind::Int64 && isLabelKey(name) && !label) {
      add(name, "label", Role::Label);
      label = true;
    } else if (!pictures && specOf(key, "", Role::Features).shape.known()) {
      add(name, nameFor(name), Role::Features);
    }
  }
  return fields;
}

Status ExampleSurvey::complete(std::vector<ExampleField>& fields) const {
  for (ExampleField& field : fields) {
    const auto key = m_keys.find(field.key);
    if (key == m_keys.end()) {
      std::vector<std::string> names;
      for (const auto& [name, ignored] : m_keys) names.push_back("`" + validUtf8(name) + "`");
      return Error{fmt::format("the first {} records do not have the key `{}`; they have {}",
                               grouped(m_records), validUtf8(field.key), joined(names))};
    }
    if (field.typed) continue;
    field.spec = specOf(key->second, field.spec.name, field.spec.role);
    field.typed = true;
  }
  return {};
}

std::vector<std::string> ExampleSurvey::leftOut(const std::vector<ExampleField>& fields) const {
  std::vector<std::string> texts;
  for (const auto& [name, key] : m_keys)
    if (std::none_of(fields.begin(), fields.end(),
                     [&](const ExampleField& field) { return field.key == name; }))
      texts.push_back(fmt::format("{} ({})", validUtf8(name), key.text()));
  return texts;
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
  ExampleWalk walk(record);
  ExampleFeature feature;
  for (;;) {
    MILLRACE_ASSIGN_OR_RETURN(const auto more, walk.next(feature));
    if (!more) break;
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

}  // namespace

Status ExampleParser::put(std::size_t i, Sample& sample, std::size_t place) const {
  const FieldSpec& spec = m_fields[i].spec;
  const ExampleFeature& feature = m_found[i];
  if (feature.kind == FeatureKind::None)
    return Error{fmt::format("the record has no key `{}`", validUtf8(m_fields[i].key))};
  const auto wrongSize = [&](std::size_t found) {
    return Error{fmt::format("key `{}` has {} elements, which do not match {}",
                             validUtf8(feature.key), grouped(found), spec.shape.text())};
  };
  if (feature.kind == FeatureKind::Bytes) {
    MILLRACE_ASSIGN_OR_RETURN(const auto bytes, bytesValue(feature));
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
  if (spec.dtype != (isFloat ? DType::F32 : DType::I64))
    return Error{fmt::format("key `{}` contains {}, not {}", validUtf8(feature.key),
                             nameOf(feature.kind), nameOf(spec.dtype))};
  const TensorView to = sample.replace(place, spec.dtype, *shape, spec.layout);
  return isFloat ? floatValues(feature, {to.as<float>(), count})
                 : int64Values(feature, {to.as<std::int64_t>(), count});
}

}  // namespace millrace
