// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/export_text.h"

#include <algorithm>
#include <utility>

namespace millrace {

ExportText& ExportText::step(std::string code, std::vector<std::string> fields) {
  steps.push_back({.code = std::move(code), .fields = std::move(fields)});
  return *this;
}

ExportText& ExportText::local(std::string code) {
  steps.push_back({std::move(code), {}, ExportStep::Form::LocalOnly});
  return *this;
}

ExportText& ExportText::value(std::vector<std::string> fields, std::string code,
                              StepTraits traits) {
  steps.push_back(
      {std::move(code), std::move(fields), ExportStep::Form::NewValue, std::move(traits)});
  return *this;
}

ExportText& ExportText::traits(StepTraits traits) {
  steps.back().traits = std::move(traits);
  return *this;
}

ExportText& ExportText::option(std::string name, std::string value, std::string comment) {
  options.push_back({std::move(name), std::move(value), std::move(comment)});
  return *this;
}

ExportText& ExportText::import(std::string line) {
  imports.push_back(std::move(line));
  return *this;
}

ExportText& ExportText::needs(std::string snippet) {
  snippets.push_back(std::move(snippet));
  return *this;
}

ExportText& ExportText::limit(std::string sentence) {
  limits.push_back(std::move(sentence));
  return *this;
}

std::vector<std::string> ExportContext::names(const std::vector<std::size_t>& fields) const {
  std::vector<std::string> all;
  for (const std::size_t i : fields) all.push_back(in.fields[i].name);
  return all;
}

std::vector<std::string> ExportContext::only(const std::vector<std::size_t>& acted,
                                             std::initializer_list<Role> roles) const {
  for (std::size_t i = 0; i < in.fields.size(); ++i) {
    const bool wanted = std::find(roles.begin(), roles.end(), in.fields[i].role) != roles.end();
    const bool taken = std::find(acted.begin(), acted.end(), i) != acted.end();
    if (wanted && !taken) return names(acted);
  }
  return {};
}

bool ExportContext::sameSize(const std::vector<std::size_t>& fields) const {
  if (fields.size() < 2) return true;
  return dataKnown && std::all_of(fields.begin(), fields.end(),
                                  [&](std::size_t i) { return in.fields[i].scale == 1; });
}

}  // namespace millrace
