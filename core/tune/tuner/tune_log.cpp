// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_log.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/tune/tuner/tune_log_fields.h"

namespace millrace {

namespace {

using Json = nlohmann::json;
using Names = std::span<const std::string_view>;

constexpr std::int64_t kLogVersion = 1;

// The fields of each struct are listed once, in tune_log_fields.h; these two classes walk the list.

/// Writes the fields it is given to a JSON object.
class LogWriter {
 public:
  template <class T>
  void operator()(const char* key, T& value) {
    m_json[key] = jsonOf(value);
  }
  template <class E>
  void named(const char* key, E& value, Names names) {
    m_json[key] = std::string(names[static_cast<std::size_t>(value)]);
  }
  Json take() { return std::move(m_json); }

 private:
  template <class T>
  static Json jsonOf(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      LogWriter inner;
      logFields(inner, value);
      return inner.take();
    }
  }
  template <class T>
  static Json jsonOf(std::optional<T>& value) {
    return value ? jsonOf(*value) : Json();
  }
  template <class T>
  static Json jsonOf(std::vector<T>& values) {
    Json json = Json::array();
    for (T& value : values) json.push_back(jsonOf(value));
    return json;
  }
  /// Non-empty buckets as pairs of index and count.
  static Json jsonOf(Histogram& histogram) {
    Json json = Json::array();
    for (std::size_t b = 0; b < Histogram::kBuckets; ++b)
      if (histogram.counts[b] > 0) json.push_back({b, histogram.counts[b]});
    return json;
  }

  Json m_json = Json::object();
};

/// Reads the fields it is given from a JSON object; missing ones and wrong types stay unchanged.
class LogReader {
 public:
  explicit LogReader(const Json& json) : m_json(json) {}

  template <class T>
  void operator()(const char* key, T& value) {
    if (const auto at = m_json.find(key); at != m_json.end()) read(*at, value);
  }
  template <class E>
  void named(const char* key, E& value, Names names) {
    std::string name;
    (*this)(key, name);
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) value = static_cast<E>(found - names.begin());
  }

 private:
  // Each returns false if the JSON has another type.
  static bool read(const Json& json, double& value) {
    if (json.is_number()) value = json.get<double>();
    return json.is_number();
  }
  static bool read(const Json& json, bool& value) {
    if (json.is_boolean()) value = json.get<bool>();
    return json.is_boolean();
  }
  static bool read(const Json& json, std::uint64_t& value) {
    if (json.is_number_unsigned()) value = json.get<std::uint64_t>();
    return json.is_number_unsigned();
  }
  static bool read(const Json& json, std::int64_t& value) {
    if (json.is_number_integer()) value = json.get<std::int64_t>();
    return json.is_number_integer();
  }
  static bool read(const Json& json, std::string& value) {
    if (json.is_string()) value = json.get<std::string>();
    return json.is_string();
  }
  template <class T>
  static bool read(const Json& json, std::optional<T>& value) {
    T content{};
    if (read(json, content))
      value = std::move(content);
    else
      value.reset();
    return true;
  }
  template <class T>
  static bool read(const Json& json, std::vector<T>& values) {
    values.clear();
    if (!json.is_array()) return false;
    for (const Json& each : json) read(each, values.emplace_back());
    return true;
  }
  static bool read(const Json& json, Histogram& histogram) {
    if (!json.is_array()) return false;
    for (const Json& pair : json) {
      std::vector<std::uint64_t> both;
      if (read(pair, both) && both.size() == 2 && both[0] < Histogram::kBuckets)
        histogram.counts[both[0]] = both[1];
    }
    return true;
  }
  template <class T>
  static bool read(const Json& json, T& value) {
    if (!json.is_object()) return false;
    LogReader inner(json);
    logFields(inner, value);
    return true;
  }

  const Json& m_json;
};

std::string lineOfStep(const char* name, Json json) {
  json["step"] = name;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
std::string lineNamed(const char* name, T& value) {
  LogWriter writer;
  logFields(writer, value);
  return lineOfStep(name, writer.take());
}

template <class T>
T valueIn(const Json& json) {
  T value{};
  LogReader reader(json);
  logFields(reader, value);
  return value;
}

Status takeLine(const Json& json, TuneLog& log) {
  std::string step;
  std::int64_t version = 0;
  LogReader reader(json);
  reader("step", step);
  reader("format_version", version);
  if (version > kLogVersion)
    return Error{fmt::format(
        "this tuning was recorded by a newer Millrace (log version {}, this one reads up to {})",
        version, kLogVersion)};
  if (step == "asked") log.request = valueIn<TuneRequest>(json);
  if (step == "surveyed") log.survey = valueIn<TuneSurvey>(json);
  if (step == "tried") log.steps.push_back(valueIn<TuneStep>(json));
  if (step == "ended") log.ended = true;
  return {};
}

}  // namespace

std::string lineOf(TuneRequest request) {
  LogWriter writer;
  logFields(writer, request);
  Json json = writer.take();
  json["format_version"] = kLogVersion;
  return lineOfStep("asked", std::move(json));
}

std::string lineOf(TuneSurvey survey) { return lineNamed("surveyed", survey); }

std::string lineOf(TuneStep step) { return lineNamed("tried", step); }

std::string lineOfEnd() { return lineOfStep("ended", Json::object()); }

Result<TuneLog> readTuneLog(const std::vector<std::string>& lines) {
  TuneLog log;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json json = parsedJson(lines[i]);
    if (!json.is_object())
      return Error{fmt::format("step {} of the tuning is not a JSON object", i)};
    MILLRACE_TRY(takeLine(json, log));
  }
  return log;
}

}  // namespace millrace
