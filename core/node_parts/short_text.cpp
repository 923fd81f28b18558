// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/short_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/python_literal.h"

namespace millrace {

std::string filledIn(std::string_view text, std::string_view place, std::string_view value) {
  std::string filled;
  for (std::size_t at = text.find(place); at != std::string_view::npos; at = text.find(place)) {
    filled += text.substr(0, at);
    filled += value;
    text.remove_prefix(at + place.size());
  }
  return filled + std::string(text);
}

ExportText longForm(std::string why) {
  ExportText text;
  text.missing = std::move(why);
  return text;
}

std::string replaceFields(const std::vector<std::string>& names, std::string_view value) {
  const std::string field =
      names.size() == 1 ? fmt::format("sample[{}]", pythonText(names.front())) : "sample[name]";
  std::string statement = field + " = " + filledIn(value, "{}", field);
  if (names.size() == 1) return statement;
  return fmt::format("for name in {}:\n    {}", pythonTexts(names), statement);
}

std::string drawText(const std::string& node) { return "draw(" + pythonText(node) + ")"; }

bool areBytes(const StreamType& stream, const std::vector<std::size_t>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [&](std::size_t i) { return stream.fields[i].dtype == DType::U8; });
}

bool isOnePicture(const StreamType& stream, const std::vector<std::size_t>& fields) {
  return fields.size() == 1 && areBytes(stream, fields) &&
         stream.fields[fields.front()].role != Role::Mask;
}

std::string shapeText(const FieldSpec& field, bool batch) {
  std::vector<std::string> sizes;
  if (batch) sizes.emplace_back("-1");
  for (std::size_t i = 0; i < field.shape.rank(); ++i) {
    if (field.shape[i] == Shape::kUnknown) return {};
    sizes.push_back(std::to_string(field.shape[i]));
  }
  return "[" + join(sizes, ", ") + "]";
}

std::vector<std::string> globbed(const std::filesystem::path& folder, int depth) {
  std::vector<std::string> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().native();
    std::error_code ignored;
    if (name.starts_with('.')) continue;
    if (depth <= 1) {
      found.push_back(name);
    } else if (at->is_directory(ignored)) {
      for (std::string& below : globbed(at->path(), depth - 1)) {
        below.insert(0, name + "/");
        found.push_back(std::move(below));
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

/// Whether a folder contains files, and exactly those that are not hidden have one of the endings.
bool areFilesOf(const std::filesystem::path& folder, const std::vector<std::string>& endings) {
  bool empty = true;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = lowerCase(at->path().filename().native());
    const bool ends = std::ranges::any_of(
        endings, [&](const std::string& ending) { return name.ends_with(ending); });
    std::error_code ignored;
    if (at->is_directory(ignored) || ends == name.starts_with('.')) return false;
    empty = false;
  }
  return !failed && !empty;
}

}  // namespace

bool isGlobbedByEndings(const std::filesystem::path& folder,
                        const std::vector<std::string>& endings) {
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code ignored;
    if (!at->is_directory(ignored)) continue;
    if (at->path().filename().native().starts_with('.') || !areFilesOf(at->path(), endings))
      return false;
  }
  return !failed;
}

}  // namespace millrace
