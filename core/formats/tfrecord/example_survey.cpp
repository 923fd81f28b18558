// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/example_survey.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// The last part of a key, such as `label` of `image/class/label`.
std::string_view lastPart(std::string_view key) { return key.substr(key.find_last_of("/.") + 1); }

bool mentions(std::string_view key, std::initializer_list<std::string_view> words) {
  const std::string low = fieldNameFor(key);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

bool isLabelKey(std::string_view key) {
  const std::string last = fieldNameFor(lastPart(key));
  return last == "y" || last == "class" || last == "cls" || last == "target" || last == "targets" ||
         last.find("label") != std::string::npos;
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

/// Whether values are texts that may be the names of classes, and not eight bytes of an integer.
bool isText(const ExampleSurvey::Key& key) {
  constexpr std::size_t kLongest = 256;
  return key.kind == FeatureKind::Bytes && !key.picture && key.texts == key.records &&
         key.longest <= kLongest;
}

FieldSpec textLabel(std::string name) {
  return {std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Label};
}

}  // namespace

std::string ExampleSurvey::Key::text() const {
  const auto range = [](std::size_t low, std::size_t high) {
    return low == high ? grouped(low) : grouped(low) + " to " + grouped(high);
  };
  if (kind == FeatureKind::None) return "never with a value";
  std::string text(nameOf(kind));
  if (kind == FeatureKind::Bytes) {
    text = picture ? "pictures of " : "";
    text += shortest == longest ? counted(longest, "byte") : range(shortest, longest) + " bytes";
  }
  if (fewest != 1 || most != 1) text += fmt::format(", {} values a record", range(fewest, most));
  return text;
}

bool ExampleSurvey::add(std::span<const std::byte> record) {
  if (isSequenceExample(record)) {
    addSequence(record);
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
  std::set<std::string, std::less<>> signature;
  for (const auto& [name, one] : found) {
    const auto count = countValues(one);
    if (!count) return false;
    m_keys.try_emplace(std::string(name));
    if (*count > 0) addValue(name, one, *count);
    if (*count > 0) signature.emplace(name);
  }
  ++m_signatures[signature];
  ++m_records;
  return true;
}

void ExampleSurvey::addSequence(std::span<const std::byte> record) {
  ++m_sequences;
  ExampleWalk context(record);
  ExampleFeature feature;
  for (auto more = context.next(feature); more && *more; more = context.next(feature))
    m_context.emplace(feature.key);
  for (const std::string_view list : sequenceLists(record)) m_lists.emplace(list);
}

std::string ExampleSurvey::sequenceText() const {
  const auto quoted = [](const auto& names) {
    std::vector<std::string> texts;
    for (const std::string& name : names) texts.push_back("`" + validUtf8(name) + "`");
    return join(texts, ", ");
  };
  return quoted(m_context) + (m_context.empty() ? "the lists " : " and the lists ") +
         quoted(m_lists);
}

std::size_t ExampleSurvey::together(std::string_view a, std::string_view b) const {
  std::size_t records = 0;
  for (const auto& [keys, count] : m_signatures)
    if (keys.contains(a) && keys.contains(b)) records += count;
  return records;
}

std::string ExampleSurvey::mainPicture() const {
  std::size_t all = 0;
  const std::pair<const std::string, Key>* most = nullptr;
  for (const auto& entry : m_keys) {
    if (!entry.second.picture) continue;
    all += entry.second.single;
    if (most == nullptr || entry.second.single > most->second.single) most = &entry;
  }
  return most == nullptr || 2 * most->second.single > m_records || 2 * all <= m_records
             ? std::string()
             : most->first;
}

void ExampleSurvey::addValue(std::string_view name, const ExampleFeature& feature,
                             std::size_t count) {
  auto& kinds = m_kinds[std::string(name)];
  Key& key = kinds[feature.kind];
  const bool first = key.records++ == 0;
  key.kind = feature.kind;
  if (count == 1) ++key.single;
  if (float number = 0;
      count == 1 && feature.kind == FeatureKind::Float && floatValues(feature, {&number, 1}))
    key.numbers.add(static_cast<double>(number));
  key.fewest = first ? count : std::min(key.fewest, count);
  key.most = std::max(key.most, count);
  if (const auto bytes = bytesValue(feature)) {
    key.shortest = first ? bytes->size() : std::min(key.shortest, bytes->size());
    key.longest = std::max(key.longest, bytes->size());
    if (isPictureFile(*bytes)) ++key.pictures;
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (text.find_first_of(std::string_view("\0\1\2\3", 4)) == std::string_view::npos &&
        validUtf8(text) == text)
      ++key.texts;
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
    if (role == Role::Label && 2 * key.single > key.records) {
      spec.shape = {};
      if (key.numbers.areClasses()) spec.dtype = DType::I64;
      if (key.numbers.areQuantities()) spec.role = Role::Features;
    }
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
    fields.push_back({key, specOf(m_keys.at(key), name, role), true,
                      role == Role::Label && m_keys.at(key).numbers.areClasses()});
  };
  const auto always = [&](const Key& key) { return key.records == m_records; };
  const std::string main = mainPicture();
  // Of the records with the main picture, if there is one.
  const auto mostlyOne = [&](const std::string& name, const Key& key) {
    return main.empty() ? 2 * key.single > m_records
                        : 2 * together(name, main) > m_keys.at(main).records;
  };
  const auto known = [&](const std::string& name) {
    return std::ranges::any_of(fields, [&](const ExampleField& f) { return f.key == name; });
  };
  const auto has = [&](Role role) {
    return std::ranges::any_of(fields, [&](const ExampleField& f) { return f.spec.role == role; });
  };
  bool image = has(Role::Image);
  for (const auto& [name, key] : m_keys) {
    if (known(name)) continue;
    if (!key.picture || !mostlyOne(name, key)) continue;
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
    const bool number =
        key.kind == FeatureKind::Int64 || key.numbers.areClasses() || key.numbers.areQuantities();
    if (((mostlyOne(name, key) && number) || (pictures && vector)) && isLabelKey(name) && !label) {
      add(name, "label", Role::Label);
      label = true;
    } else if (!pictures && always(key) && specOf(key, "", Role::Features).shape.known()) {
      add(name, fieldNameFor(name), Role::Features);
    }
  }
  for (const auto& [name, key] : m_keys)
    if (pictures && !label && isLabelKey(name) && isText(key) && mostlyOne(name, key)) {
      fields.push_back({name, textLabel("label")});
      label = true;
    }
  putQuantityLast(fields);
  return fields;
}

Status ExampleSurvey::complete(std::vector<ExampleField>& fields) const {
  for (ExampleField& field : fields) {
    const auto key = m_keys.find(field.key);
    if (key == m_keys.end()) {
      std::vector<std::string> names;
      for (const auto& [name, ignored] : m_keys) names.push_back("`" + validUtf8(name) + "`");
      return Error{fmt::format("none of the {} records examined has the key `{}`; they have {}",
                               grouped(m_records), validUtf8(field.key), join(names, ", "))};
    }
    if (field.spec.role == Role::Label && key->second.numbers.areQuantities())
      field.spec = quantityField(DType::F32, field.spec.name);
    if (field.spec.role == Role::Label && field.spec.shape.rank() == 0 && isText(key->second))
      field.spec = textLabel(field.spec.name);
    field.reals = field.spec.role == Role::Label && field.spec.shape.rank() == 0 &&
                  key->second.numbers.areClasses();
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
    if (key.kind == FeatureKind::Bytes ||
        (field.spec.role == Role::Label && field.spec.shape.rank() == 0))
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
      texts.push_back(fmt::format(
          "{} ({}{})", validUtf8(name), key.text(),
          key.records == m_records || key.records == 0
              ? ""
              : fmt::format(", in {} of the {} records{}", grouped(key.records), grouped(m_records),
                            key.others == 0 ? "" : "; others have another kind of value")));
  return texts;
}

}  // namespace millrace
