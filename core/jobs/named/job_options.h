// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace millrace {

/// The options of a job, read from a JSON object. A key that is missing or null leaves its target
/// unchanged. A value of the wrong type or beyond its limits is remembered as an error. After
/// everything has been read, `finish` reports the first error, or a key that nothing has read. One
/// thread.
class JobOptions {
 public:
  /// The error says that the text is not a JSON object.
  static Result<JobOptions> parse(std::string_view json);
  ~JobOptions();
  JobOptions(JobOptions&&) noexcept;
  JobOptions& operator=(JobOptions&&) noexcept;

  void read(const char* key, std::string& to);
  void read(const char* key, bool& to);
  /// Finite and at least `least`.
  void read(const char* key, std::optional<double>& to, double least = 0);
  /// An integer of at least `least`.
  void read(const char* key, std::optional<std::uint64_t>& to, std::uint64_t least = 0);
  /// A text, or a list of texts.
  void readTexts(const char* key, std::vector<std::string>& to);
  /// An object of values by "NODE.PARAM", appended as NODE.PARAM=VALUE.
  void readSettings(const char* key, std::vector<std::string>& to);
  /// An object, or its JSON text, as JSON text.
  void readDocument(const char* key, std::optional<std::string>& to);
  /// A text as `name`; or an object as `document`, whose name is then "-".
  void readNameOrDocument(const char* key, std::string& name, std::optional<std::string>& document);
  /// `true`: `usual`; a text: that file; `false`: an empty text.
  void readFile(const char* key, std::string& to, const std::string& usual);
  /// `true`: an empty text; a text: that one; `false`: unchanged.
  void readYesOrText(const char* key, std::optional<std::string>& to);

  /// Remembers a contradiction between options.
  void refuse(const std::string& why);
  Status finish();

 private:
  explicit JobOptions(std::unique_ptr<nlohmann::json> json);
  /// nullptr if there is no such key, or if its value is null.
  const nlohmann::json* find(const char* key);
  void wrong(const char* key, const std::string& expected);

  std::unique_ptr<nlohmann::json> m_json;
  std::vector<std::string> m_known;
  std::optional<Error> m_error;
};

}  // namespace millrace
