// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/web_fields.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/node_parts/fields/json_member.h"
#include "core/node_parts/fields/label_text.h"

namespace millrace::nodes {

namespace {

/// The last extension: `seg.png` is a `png` of something other than the picture itself.
std::string_view lastOf(std::string_view extension) {
  return extension.substr(extension.rfind('.') + 1);
}

bool isPicturePart(std::string_view extension) { return isPictureExtension(lastOf(extension)); }

/// "jpg (64 picture files)" for the extensions that `wanted` accepts.
template <class Wanted>
std::vector<std::string> describedParts(const WebSurvey& survey, const Wanted& wanted) {
  std::vector<std::string> parts;
  for (const auto& [extension, found] : survey)
    if (wanted(extension))
      parts.push_back(fmt::format("{} ({})", validUtf8(extension), found.text()));
  return parts;
}

bool uses(const ExampleField& field, const std::string& extension) {
  const auto names = webKey(field.key).extensions;
  return std::find(names.begin(), names.end(), extension) != names.end();
}

/// The parts that no field reads.
std::vector<std::string> unusedParts(const WebSurvey& survey,
                                     const std::vector<ExampleField>& fields) {
  return describedParts(survey, [&](const std::string& extension) {
    return std::none_of(fields.begin(), fields.end(),
                        [&](const ExampleField& field) { return uses(field, extension); });
  });
}

/// No part is named as the picture alone: the one that is not a mask, as `left.jpg` with `seg.png`,
/// is it.
void nameImage(std::vector<ExampleField>& fields) {
  const auto picture = std::ranges::find(fields, Role::Target,
                                         [](const ExampleField& field) { return field.spec.role; });
  if (picture == fields.end()) return;
  picture->spec.name = "image";
  picture->spec.role = Role::Image;
  std::rotate(fields.begin(), picture, picture + 1);
}

}  // namespace

std::vector<ExampleField> usualWebFields() {
  return {
      {"jpg;jpeg;png", {"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image}},
      {"cls", {"label", DType::I64, {}, Layout::Plain, Role::Label}}};
}

std::vector<ExampleField> guessedWebFields(const WebSurvey& survey, const std::string& label) {
  std::size_t most = 0;
  for (const auto& [extension, found] : survey) most = std::max(most, found.members);
  std::string images;
  std::vector<ExampleField> fields;
  const auto bytes = [](std::string name, Role role) {
    return FieldSpec{std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  };
  for (const auto& [extension, found] : survey) {
    // A part that few samples have comes from a dot in a name.
    const bool dotted = extension != lastOf(extension);
    if (!isPicturePart(extension) ||
        (dotted && (2 * found.members < most || extension.find(' ') != std::string::npos)))
      continue;
    if (extension == lastOf(extension)) {
      images += (images.empty() ? "" : ";") + extension;
      continue;
    }
    const std::string first = extension.substr(0, extension.find('.'));
    const bool mask = first.find("seg") != std::string::npos ||
                      first.find("mask") != std::string::npos ||
                      first.find("label") != std::string::npos;
    const bool taken = std::any_of(fields.begin(), fields.end(), [&](const ExampleField& field) {
      return (field.spec.role == Role::Mask) == mask;
    });
    if (!taken)
      fields.push_back(
          {extension, bytes(mask ? "mask" : "target", mask ? Role::Mask : Role::Target)});
  }
  if (images.empty()) nameImage(fields);
  if (!images.empty()) fields.insert(fields.begin(), {images, bytes("image", Role::Image)});
  if (!label.empty()) fields.push_back({label, usualWebFields().back().spec});
  if (!fields.empty()) return fields;
  for (const auto& [extension, found] : survey) {
    std::string name = extension;
    for (char& letter : name)
      if ((letter < 'a' || letter > 'z') && (letter < '0' || letter > '9')) letter = '_';
    fields.push_back({extension, bytes("part_" + name, Role::Features)});
  }
  return fields;
}

Result<std::vector<ExampleField>> webFields(const std::vector<std::string>& entries,
                                            const WebSurvey& survey, const std::string& label,
                                            std::vector<std::string>& notes) {
  MILLRACE_ASSIGN_OR_RETURN(auto fields, parseExampleKeys(entries));
  if (fields.empty()) {
    fields = guessedWebFields(survey, label);
    const std::vector<std::string> unused = unusedParts(survey, fields);
    if (!unused.empty())
      notes.push_back(
          fmt::format("unused parts: {}; select them with `parts`", join(unused, ", ")));
    return fields;
  }
  for (ExampleField& field : fields) {
    if (!field.typed) field.spec.dtype = DType::Encoded;
    if (field.spec.dtype != DType::Encoded && !field.spec.shape.known() && !isLabelList(field.spec))
      return Error{fmt::format("part `{}` needs a shape: its number of bytes alone is not enough",
                               field.spec.name)};
    const auto names = webKey(field.key).extensions;
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return survey.count(name) != 0; }))
      return Error{
          fmt::format("no sample has a part {}; the first ones have {}", field.key,
                      join(describedParts(survey, [](const std::string&) { return true; }), ", "))};
  }
  return fields;
}

}  // namespace millrace::nodes
