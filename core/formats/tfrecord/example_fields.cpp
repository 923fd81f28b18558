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

#include "core/base/text/text.h"
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

/// A list whose length differs, such as the classes of a sample; it may be empty.
bool isNumberList(const FieldSpec& spec) {
  return spec.dtype != DType::Encoded && spec.shape.rank() == 1 && !spec.shape.known();
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

std::vector<FieldSpec> specsOf(const std::vector<ExampleField>& fields) {
  std::vector<FieldSpec> specs;
  for (const ExampleField& field : fields) specs.push_back(field.spec);
  return specs;
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
  if (isSequenceExample(record)) {
    ++m_sequences;
    return false;
  }
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
    m_keys.try_emplace(std::string(name));
    if (*count > 0) addValue(name, one, *count);
  }
  ++m_records;
  return true;
}

void ExampleSurvey::addValue(std::string_view name, const ExampleFeature& feature,
                             std::size_t count) {
  auto& kinds = m_kinds[std::string(name)];
  Key& key = kinds[feature.kind];
  const bool first = key.records++ == 0;
  key.kind = feature.kind;
  if (count == 1) ++key.single;
  key.fewest = first ? count : std::min(key.fewest, count);
  key.most = std::max(key.most, count);
  if (const auto bytes = bytesValue(feature)) {
    key.shortest = first ? bytes->size() : std::min(key.shortest, bytes->size());
    key.longest = std::max(key.longest, bytes->size());
    if (isPictureFile(*bytes)) ++key.pictures;
    key.picture = 2 * key.pictures > key.records;
    constexpr std::size_t kLongestEntry = 256;
    if (first && name.ends_with(kFieldEntry) && bytes->size() <= kLongestEntry)
      key.entry.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }
  Key& most = m_keys.find(name)->second;
  std::size_t all = 0;
  for (const auto& [kind, one] : kinds) {
    all += one.records;
    if (one.records >= most.records || one.kind == most.kind) most = one;
  }
  most.others = all - most.records;
}

FieldSpec ExampleSurvey::specOf(const Key& key, std::string name, Role role) const {
  const bool oneSize = key.fewest == key.most;
  const auto count = static_cast<std::int64_t>(key.most);
  FieldSpec spec{std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  if (key.kind == FeatureKind::Float || key.kind == FeatureKind::Int64) {
    spec.dtype = key.kind == FeatureKind::Float ? DType::F32 : DType::I64;
    if (oneSize) spec.shape = count == 1 ? Shape{} : Shape{count};
    if (role == Role::Label && 2 * key.single > m_records) spec.shape = {};
  } else if (!key.picture && oneSize && count == 1 && key.shortest == key.longest &&
             key.longest > 0) {
    spec.dtype = DType::U8;
    spec.shape = {static_cast<std::int64_t>(key.longest)};
  }
  return spec;
}

std::vector<ExampleField> ExampleSurvey::described() const {
  std::vector<std::string> entries;
  for (const auto& [name, key] : m_keys)
    if (!key.entry.empty()) entries.push_back(key.entry);
  auto fields = parseExampleKeys(entries);
  if (!fields) return {};
  std::erase_if(*fields, [this](const ExampleField& field) { return !m_keys.contains(field.key); });
  return fields.take();
}

std::vector<ExampleField> ExampleSurvey::guess() const {
  std::vector<ExampleField> fields = described();
  const bool told = !fields.empty();
  const auto add = [&](const std::string& key, std::string name, Role role) {
    for (int i = 2; std::any_of(fields.begin(), fields.end(),
                                [&](const ExampleField& f) { return f.spec.name == name; });
         ++i)
      name = fmt::format("{}_{}", name.substr(0, name.find_last_not_of("0123456789_") + 1), i);
    fields.push_back({key, specOf(m_keys.at(key), name, role), true});
  };
  const auto always = [&](const Key& key) { return key.records == m_records; };
  const auto mostlyOne = [&](const Key& key) { return 2 * key.single > m_records; };
  const auto known = [&](const std::string& name) {
    return std::ranges::any_of(fields, [&](const ExampleField& f) { return f.key == name; });
  };
  const auto has = [&](Role role) {
    return std::ranges::any_of(fields, [&](const ExampleField& f) { return f.spec.role == role; });
  };
  bool image = has(Role::Image);
  for (const auto& [name, key] : m_keys) {
    if (known(name)) continue;
    if (!key.picture || !mostlyOne(key)) continue;
    if (mentions(name, {"mask", "segment", "annot", "label"})) {
      add(name, "mask", Role::Mask);
    } else {
      add(name, image ? "target" : "image", image ? Role::Target : Role::Image);
      image = true;
    }
  }
  const bool pictures = told || !fields.empty();
  bool label = has(Role::Label);
  for (const auto& [name, key] : m_keys) {
    if (known(name) || key.picture) continue;
    const bool vector = key.kind != FeatureKind::Bytes && always(key) && key.fewest == key.most;
    if (((mostlyOne(key) && key.kind == FeatureKind::Int64) || (pictures && vector)) &&
        isLabelKey(name) && !label) {
      add(name, "label", Role::Label);
      label = true;
    } else if (!pictures && always(key) && specOf(key, "", Role::Features).shape.known()) {
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

std::vector<std::string> ExampleSurvey::missing(const std::vector<ExampleField>& fields) const {
  std::vector<std::string> notes;
  const auto note = [&](std::size_t count, std::string_view has, const std::string& key) {
    if (count > 0)
      notes.push_back(fmt::format("{} of the {} records examined {} {} the key `{}` and will fail",
                                  grouped(count), grouped(m_records), count == 1 ? "has" : "have",
                                  has, validUtf8(key)));
  };
  for (const ExampleField& field : fields) {
    const auto found = m_keys.find(field.key);
    const Key key = found == m_keys.end() ? Key{} : found->second;
    if (!isNumberList(field.spec))
      note(m_records - key.records - key.others, "no value for", field.key);
    if (field.spec.role == Role::Label && field.spec.shape.rank() == 0)
      note(key.records - key.single, "several values for", field.key);
    note(key.others, fmt::format("another type than {} for", nameOf(key.kind)), field.key);
  }
  return notes;
}

std::string ExampleSurvey::listOfClasses(const std::vector<ExampleField>& fields) const {
  if (std::ranges::any_of(fields, [](const ExampleField& f) { return f.spec.role == Role::Label; }))
    return {};
  const auto found = std::ranges::find_if(m_keys, [](const auto& entry) {
    // Those of objects belong to boxes.
    return entry.second.kind == FeatureKind::Int64 && entry.second.most > 1 &&
           isLabelKey(entry.first) && !mentions(entry.first, {"object", "bbox", "box"});
  });
  return found == m_keys.end() ? std::string() : found->first;
}

std::vector<std::string> ExampleSurvey::leftOut(const std::vector<ExampleField>& fields) const {
  std::vector<std::string> texts;
  for (const auto& [name, key] : m_keys)
    if (key.entry.empty() &&
        std::none_of(fields.begin(), fields.end(),
                     [&](const ExampleField& field) { return field.key == name; }))
      texts.push_back(fmt::format("{} ({}{})", validUtf8(name), key.text(),
                                  key.records == m_records
                                      ? ""
                                      : fmt::format(", in {} of the {} records",
                                                    grouped(key.records), grouped(m_records))));
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
  if (feature.kind == FeatureKind::None) {
    // The list of a sample without a class has no type.
    if (feature.key.empty() || !isNumberList(spec))
      return Error{fmt::format("the record has no key `{}`", validUtf8(m_fields[i].key))};
    sample.replace(place, spec.dtype, {0}, spec.layout);
    return {};
  }
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
