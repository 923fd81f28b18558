// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/open_options.h"

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/store/named_run.h"

namespace millrace::capi {

namespace {

Result<std::string> documentOfRun(const char* file, const std::string& which) {
  const std::filesystem::path path =
      file == nullptr ? defaultStorePath() : std::filesystem::path(file);
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return Error{path.string() + ": there is no such store of runs"};
  Database::Options options;
  options.mode = Database::Mode::Read;
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(path, options));
  MILLRACE_ASSIGN_OR_RETURN(const auto run, runNamed(store, which));
  return store.pipelineJson(run);
}

/// How many of the three ways to name a pipeline are used.
int named(const millrace_options& options) {
  return (options.pipeline != nullptr ? 1 : 0) + (options.text != nullptr ? 1 : 0) +
         (options.run != nullptr ? 1 : 0);
}

Status readPipeline(const millrace_options& options, PipelineRequest& request) {
  if (named(options) != 1)
    return Error{"name one pipeline: a file or example, its text, or a kept run"};
  if (options.pipeline != nullptr) request.pipeline = options.pipeline;
  if (options.text != nullptr) request.document = options.text;
  if (options.run != nullptr) {
    MILLRACE_ASSIGN_OR_RETURN(request.document, documentOfRun(options.store, options.run));
  }
  return {};
}

std::vector<std::string> texts(const char* const* first, std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; first != nullptr && i < count; ++i)
    all.emplace_back(first[i] == nullptr ? "" : first[i]);
  return all;
}

std::optional<TrainingRecord> recordOf(const millrace_options& options) {
  if (options.record == nullptr) return std::nullopt;
  TrainingRecord record;
  record.file = *options.record == '\0' ? defaultStorePath() : options.record;
  if (options.record_experiment != nullptr)
    record.labels.experiment = validUtf8(options.record_experiment);
  if (options.record_name != nullptr) record.labels.name = validUtf8(options.record_name);
  return record;
}

}  // namespace

std::optional<LoaderOptions> loaderOptions(const millrace_options& options, LoaderError& error) {
  const auto refuse = [&](LoaderFault fault, const std::string& why) {
    error = {fault, validUtf8(why)};
    return std::nullopt;
  };
  if (options.abi < 1 || options.abi > MILLRACE_ABI)
    return refuse(LoaderFault::Use,
                  fmt::format("this program is compiled for the interface {} of libmillrace, which "
                              "has the interfaces 1 to {}; compile it with this library's "
                              "millrace.h",
                              options.abi, MILLRACE_ABI));
  constexpr std::uint32_t kMostHeld = 1024;
  LoaderOptions made;
  if (Status read = readPipeline(options, made.request); !read)
    return refuse(LoaderFault::Input, read.error().message);
  if (options.held > kMostHeld)
    return refuse(LoaderFault::Input,
                  fmt::format("held is {}, at most {} are allowed", options.held, kMostHeld));
  if (options.base != nullptr) made.request.base = options.base;
  made.request.data = texts(options.data, options.data_count);
  made.request.settings = texts(options.settings, options.settings_count);
  if (options.seed != nullptr) made.request.seed = *options.seed;
  made.request.noRandom = options.no_random != 0;
  if (options.world > 0) made.shard = LoaderShard{options.rank, options.world};
  made.held = options.held;
  if (options.max_failures != nullptr) {
    const auto limit = FailureLimit::parse(options.max_failures);
    if (!limit) return refuse(LoaderFault::Input, "max_failures: " + limit.error().message);
    made.failureLimit = *limit;
  }
  // A program compiled for an earlier interface passes a shorter struct.
  if (options.abi >= 2) made.record = recordOf(options);
  if (options.abi >= 3 && options.device != nullptr) {
    const auto place = LoaderPlace::parse(options.device);
    if (!place) return refuse(LoaderFault::Input, place.error().message);
    made.place = *place;
  }
  return made;
}

}  // namespace millrace::capi
