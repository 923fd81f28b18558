// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/input.h"
#include "app/cli/sweep/sweep_arguments.h"
#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/storage/remote_path.h"

namespace millrace::cli {

namespace fs = std::filesystem;

namespace {

/// Keeps the order in which parameters are written, which is that of the table's columns.
using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kSweepFormat = 1;

/// Reads keys of one object, each at most once, and reports unused ones.
class Keys {
 public:
  explicit Keys(const OrderedJson& json) : m_json(json) {}

  const OrderedJson* find(const char* key) {
    m_known.emplace_back(key);
    const auto at = m_json.find(key);
    return at == m_json.end() ? nullptr : &*at;
  }
  void text(const char* key, std::string& to, bool given) {
    const OrderedJson* value = find(key);
    if (value == nullptr || given) return;
    if (value->is_string())
      to = value->get<std::string>();
    else
      wrong(key, "a text");
  }
  template <class Number>
  void number(const char* key, std::optional<Number>& to, double least) {
    const OrderedJson* value = find(key);
    if (value == nullptr || to) return;
    const bool fits = std::is_integral_v<Number> ? value->is_number_integer() : value->is_number();
    if (fits && value->get<double>() >= least)
      to = value->get<Number>();
    else
      wrong(key, fmt::format("a {}number from {} on", std::is_integral_v<Number> ? "whole " : "",
                             least));
  }
  void flag(const char* key, bool& to) {
    const OrderedJson* value = find(key);
    if (value == nullptr) return;
    if (value->is_boolean())
      to = to || value->get<bool>();
    else
      wrong(key, "true or false");
  }
  void texts(const char* key, std::vector<std::string>& to) {
    const OrderedJson* value = find(key);
    if (value == nullptr || !to.empty()) return;
    bool fits = value->is_array();
    for (const OrderedJson& item : *value) fits = fits && item.is_string();
    if (fits)
      to = value->get<std::vector<std::string>>();
    else
      wrong(key, "a list of texts");
  }
  void wrong(const char* key, const std::string& expected) {
    if (m_error.empty()) m_error = fmt::format("`{}`: expected {}", key, expected);
  }
  /// The first mistake, including unknown keys.
  std::string error() const {
    if (!m_error.empty()) return m_error;
    for (const auto& [key, value] : m_json.items())
      if (std::ranges::find(m_known, key) == m_known.end())
        return fmt::format("there is no key `{}`; valid are {}", key, joinWords(m_known));
    return {};
  }

 private:
  const OrderedJson& m_json;
  std::vector<std::string> m_known;
  std::string m_error;
};

/// A value in the form of a command-line argument.
std::string typed(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> items;
  for (const OrderedJson& item : value) items.push_back(typed(item));
  return join(items, ",");
}

/// Converts `{"workers.count": [1, 2], "batch.size": "16..64:x2"}` to the form of --vary.
void readVary(Keys& keys, std::vector<std::string>& vary) {
  const OrderedJson* json = keys.find("vary");
  if (json == nullptr || !vary.empty()) return;
  if (!json->is_object()) return keys.wrong("vary", "an object of NODE.PARAM and values");
  for (const auto& [name, values] : json->items()) {
    const bool lists = values.is_array() && std::ranges::all_of(values, [](const OrderedJson& v) {
                         return v.is_array();
                       });
    std::vector<std::string> items;
    if (values.is_array())
      for (const OrderedJson& value : values) items.push_back(typed(value));
    else
      items.push_back(typed(values));
    vary.push_back(name + "=" + join(items, lists ? ";" : ","));
  }
}

void readSet(Keys& keys, std::vector<std::string>& settings) {
  const OrderedJson* json = keys.find("set");
  if (json == nullptr) return;
  if (!json->is_object()) return keys.wrong("set", "an object of NODE.PARAM and value");
  // Flags come last and therefore win.
  std::vector<std::string> all;
  for (const auto& [name, value] : json->items()) all.push_back(name + "=" + typed(value));
  all.insert(all.end(), settings.begin(), settings.end());
  settings = std::move(all);
}

std::string from(const fs::path& folder, const std::string& path) {
  if (path.starts_with("sample:") || isRemotePath(path) || fs::path(path).is_absolute())
    return path;
  return (folder / path).lexically_normal().string();
}

void readPipeline(Keys& keys, PipelineArguments& pipeline, const fs::path& folder) {
  const bool given = !pipeline.pipeline.empty();
  keys.text("pipeline", pipeline.pipeline, given);
  std::error_code error;
  if (const std::string beside = from(folder, pipeline.pipeline);
      !given && !pipeline.pipeline.empty() && fs::exists(beside, error))
    pipeline.pipeline = beside;
  const bool ownData = pipeline.data.empty();
  keys.texts("data", pipeline.data);
  if (ownData)
    for (std::string& path : pipeline.data) path = from(folder, path);
  readSet(keys, pipeline.settings);
  for (const PipelineEditKind& kind : pipelineEditKinds())
    keys.texts(std::string(kind.name).c_str(), pipeline.edits.*kind.texts);
  keys.number("step", pipeline.stepSeconds, 1e-6);
  keys.number("seed", pipeline.seed, 0);
  keys.flag("no_random", pipeline.noRandom);
  keys.flag("no_fuse", pipeline.noFuse);
}

void readMeasuring(Keys& keys, SweepArguments& a) {
  const bool planned = !a.asked.plan.empty() || a.asked.random || a.asked.latin;
  keys.text("plan", a.asked.plan, planned);
  keys.number("repeats", a.asked.repeats, 1);
  const bool timed = a.asked.seconds || a.asked.batches;
  std::optional<double> seconds = timed ? std::optional(0.0) : std::nullopt;
  keys.number("seconds", seconds, 0.001);
  std::optional<std::uint64_t> batches = timed ? std::optional<std::uint64_t>(0) : std::nullopt;
  keys.number("batches", batches, 1);
  if (!timed) {
    a.asked.seconds = seconds;
    a.asked.batches = batches;
  }
  keys.number("warmup", a.asked.warmup, 0);
  keys.number("trial_timeout", a.asked.trialTimeout, 0.001);
  keys.text("trial_memory", a.asked.trialMemory, !a.asked.trialMemory.empty());
  keys.text("max_failures", a.maxFailures.text, a.maxFailures.text != FailureFlag().text);
  keys.text("experiment", a.keep.labels.experiment, !a.keep.labels.experiment.empty());
  keys.texts("tags", a.keep.labels.tags);
}

/// nullopt if the file cannot be read.
std::optional<std::string> argumentFile(const std::string& path) {
  if (isStream(path)) return streamText(path, kMaxGraphBytes);
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return std::nullopt;
  return text;
}

}  // namespace

Status readSweepFile(SweepArguments& a) {
  const auto failed = [&](const std::string& why) {
    return Error{"--file " + a.file + ": " + why};
  };
  const std::optional<std::string> text = argumentFile(a.file);
  if (!text) return failed("it cannot be read");
  const OrderedJson json = OrderedJson::parse(*text, nullptr, false);
  if (json.is_discarded()) return failed("this is not JSON");
  if (!json.is_object()) return failed("expected an object");
  Keys keys(json);
  std::optional<std::int64_t> version;
  keys.number("format_version", version, 1);
  if (version.value_or(kSweepFormat) != kSweepFormat)
    return failed(fmt::format("format {} is newer than this version of millrace, which reads {}",
                              *version, kSweepFormat));
  readPipeline(keys, a.pipeline, fs::path(a.file).parent_path());
  readVary(keys, a.asked.vary);
  readMeasuring(keys, a);
  if (const std::string error = keys.error(); !error.empty()) return failed(error);
  return {};
}

}  // namespace millrace::cli
