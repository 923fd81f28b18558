// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/capi/millrace.h"

namespace millrace::tests {

using Json = nlohmann::json;

/// A job that closes itself.
class Started {
 public:
  Started(const char* kind, const Json& options, const char* program = nullptr)
      : Started(kind, options.dump(), program) {}
  Started(const char* kind, const std::string& options, const char* program = nullptr) {
    millrace_job_options request = MILLRACE_JOB_OPTIONS_INIT;
    request.kind = kind;
    request.options = options.c_str();
    request.program = program;
    status = millrace_job_start(&request, &job);
    error = millrace_last_error();
  }
  ~Started() { millrace_job_close(job); }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  /// The names of the remaining events, until the job has ended.
  std::vector<std::string> events(const std::string& stopAt = {}) {
    std::vector<std::string> names;
    char* text = nullptr;
    millrace_status next = MILLRACE_OK;
    while ((next = millrace_job_next_event(job, 100, &text)) == MILLRACE_OK) {
      names.push_back(Json::parse(text)["event"]);
      millrace_free(text);
      if (names.back() == stopAt && millrace_job_stop(job) != MILLRACE_OK) break;
    }
    names.push_back(next == MILLRACE_JOB_END ? "end" : millrace_last_error());
    return names;
  }
  /// Null if there is none: see `status` and `error`.
  Json result() {
    char* text = nullptr;
    status = millrace_job_result(job, &text);
    error = millrace_last_error();
    Json json = text == nullptr ? Json() : Json::parse(text);
    millrace_free(text);
    return json;
  }

  millrace_job* job = nullptr;
  millrace_status status = MILLRACE_OK;
  std::string error;
};

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace millrace::tests
