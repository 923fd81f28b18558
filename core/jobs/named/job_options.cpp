// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/named/job_options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/json/json_text.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

/// A value in the form of `--set`; nullopt: it has none.
std::optional<std::string> settingText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return dumpJson(value);
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> parts;
  for (const Json& part : value) {
    if (part.is_array()) return std::nullopt;
    const auto text = settingText(part);
    if (!text) return std::nullopt;
    parts.push_back(*text);
  }
  return join(parts, ",");
}

}  // namespace

JobOptions::JobOptions(std::unique_ptr<Json> json) : m_json(std::move(json)) {}
JobOptions::~JobOptions() = default;
JobOptions::JobOptions(JobOptions&&) noexcept = default;
JobOptions& JobOptions::operator=(JobOptions&&) noexcept = default;

Result<JobOptions> JobOptions::parse(std::string_view json) {
  auto parsed = std::make_unique<Json>(parsedJson(json));
  if (!parsed->is_object())
    return Error{"the options of a job are a JSON object, such as {\"pipeline\": \"...\"}"};
  return JobOptions(std::move(parsed));
}

const Json* JobOptions::find(const char* key) {
  m_known.emplace_back(key);
  const auto found = m_json->find(key);
  return found == m_json->end() || found->is_null() ? nullptr : &*found;
}

void JobOptions::refuse(const std::string& why) {
  if (!m_error) m_error = Error{why};
}

void JobOptions::wrong(const char* key, const std::string& expected) {
  refuse(fmt::format("{}: expected {}, got {}", key, expected, dumpJson(m_json->at(key))));
}

void JobOptions::read(const char* key, std::string& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_string()) return wrong(key, "a text");
  to = value->get<std::string>();
}

void JobOptions::read(const char* key, bool& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_boolean()) return wrong(key, "true or false");
  to = value->get<bool>();
}

void JobOptions::read(const char* key, std::optional<double>& to, double least) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() < least)
    return wrong(key, fmt::format("a number of at least {:g}", least));
  to = value->get<double>();
}

void JobOptions::read(const char* key, std::optional<std::uint64_t>& to, std::uint64_t least) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() < least)
    return wrong(key, fmt::format("an integer of at least {}", least));
  to = value->get<std::uint64_t>();
}

void JobOptions::readTexts(const char* key, std::vector<std::string>& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (value->is_string()) return to.push_back(value->get<std::string>());
  const bool texts = value->is_array() && std::all_of(value->begin(), value->end(),
                                                      [](const Json& v) { return v.is_string(); });
  if (!texts) return wrong(key, "a text or a list of texts");
  for (const Json& text : *value) to.push_back(text.get<std::string>());
}

void JobOptions::readSettings(const char* key, std::vector<std::string>& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  const char* expected = "an object such as {\"workers.count\": 4}";
  if (!value->is_object()) return wrong(key, expected);
  for (const auto& [name, setting] : value->items()) {
    const auto text = settingText(setting);
    if (!text) return wrong(key, expected);
    to.push_back(name + "=" + *text);
  }
}

void JobOptions::readDocument(const char* key, std::optional<std::string>& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_object() && !value->is_string())
    return wrong(key, "a pipeline document as an object or as its text");
  to = value->is_string() ? value->get<std::string>() : dumpJson(*value);
}

void JobOptions::readNameOrDocument(const char* key, std::string& name,
                                    std::optional<std::string>& document) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_object() && !value->is_string())
    return wrong(key, "the name of a pipeline or a document");
  name = value->is_string() ? value->get<std::string>() : "-";
  if (value->is_object()) document = dumpJson(*value);
}

void JobOptions::readFile(const char* key, std::string& to, const std::string& usual) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_boolean() && !value->is_string()) return wrong(key, "true, false or a file");
  if (value->is_string())
    to = value->get<std::string>();
  else
    to = value->get<bool>() ? usual : std::string();
}

void JobOptions::readYesOrText(const char* key, std::optional<std::string>& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_boolean() && !value->is_string()) return wrong(key, "true, false or a name");
  if (value->is_string())
    to = value->get<std::string>();
  else if (value->get<bool>())
    to.emplace();
}

Status JobOptions::finish() {
  if (m_error) return *m_error;
  for (const auto& [key, value] : m_json->items())
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
      return Error{
          fmt::format("there is no option `{}`; {}", validUtf8(key), didYouMean(key, m_known))};
  return {};
}

}  // namespace millrace
