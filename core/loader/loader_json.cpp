// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a loader reports about itself, as JSON.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/stream/event_json.h"
#include "core/graph/json/graph_json.h"
#include "core/loader/loader.h"
#include "core/loader/loader_session.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

using Json = nlohmann::json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json fieldObject(const FieldSpec& field, std::int64_t rows) {
  Json shape = Json::array({rows});
  for (const std::int64_t size : field.shape)
    shape.push_back(size == Shape::kUnknown ? Json() : Json(size));
  return {{"name", field.name},
          {"dtype", nameOf(field.dtype)},
          {"shape", shape},
          {"layout", nameOf(field.layout)},
          {"role", nameOf(field.role)},
          {"classes", field.classes > 0 ? Json(field.classes) : Json()}};
}

Json failureList(const std::vector<FailedSample>& failures, std::size_t from) {
  Json list = Json::array();
  for (std::size_t i = from; i < failures.size(); ++i)
    list.push_back({{"sample", failures[i].sample}, {"reason", failures[i].reason}});
  return list;
}

}  // namespace

std::string Loader::describe() const {
  const Plan& plan = m_prepared->plan;
  Json fields = Json::array();
  for (const FieldSpec& field : plan.node(plan.consumer).in.fields)
    fields.push_back(fieldObject(field, plan.batch.size));
  const MutexLock lock(m_mutex);
  const Place place = nextPlace();
  const auto size = knownSize();
  return dump({{"batches", size ? Json(size->batches) : Json()},
               {"samples", size ? Json(size->samples) : Json()},
               {"batch_size", plan.batch.size},
               {"seed", plan.pipeline.seed},
               {"device", m_options.place.text()},
               {"epoch", place.epoch},
               {"batch", place.batch},
               {"fields", fields},
               {"classes", plan.pipeline.source->classes()},
               {"plan", plan.text()},
               {"warnings", m_warnings},
               {"pipeline", graphText(m_prepared->graph, builtinCatalog())}});
}

std::string Loader::stats() {
  std::shared_ptr<LoaderSession> session;
  {
    const MutexLock lock(m_mutex);
    session = m_session;
  }
  if (!session) return "{}";
  RunResult result;
  result.figures = session->figures();
  result.failures = session->executor->failures().failures();
  result.caches = session->caches->figures();
  RunIdentity identity{"", m_options.request.pipeline};
  if (const auto run = m_recorder ? m_recorder->run() : std::nullopt)
    identity.runId = std::to_string(static_cast<std::int64_t>(*run));
  Json json = parsedJson(resultJson(result, identity, false));
  for (const char* key : {"repeats", "environment"}) json.erase(key);
  json["step_seconds"] = session->stepSeconds();
  json["wait_seconds"] = session->waitSeconds();
  return dump(json);
}

std::string Loader::failures(std::size_t from) const {
  const MutexLock lock(m_mutex);
  std::vector<FailedSample> all = m_failures;
  std::uint64_t total = m_failedSamples;
  if (m_session) {
    const FailureBudget& budget = m_session->executor->failures();
    for (FailedSample& failure : budget.failures()) all.push_back(std::move(failure));
    total += budget.failedSamples();
  }
  return dump({{"total", total}, {"failures", failureList(all, from)}});
}

}  // namespace millrace
