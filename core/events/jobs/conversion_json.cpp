// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/conversion_json.h"

#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/json/json_read.h"
#include "core/events/json/json_text.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace convert_key {
constexpr const char* kEvent = "event";
constexpr const char* kTime = "time";
constexpr const char* kFormatVersion = "format_version";
constexpr const char* kSource = "source";
constexpr const char* kTarget = "target";
constexpr const char* kKind = "kind";
constexpr const char* kSourceSamples = "source_samples";
constexpr const char* kSamples = "samples";
constexpr const char* kResumedAt = "resumed_at";
constexpr const char* kBytesRead = "bytes_read";
constexpr const char* kBytesWritten = "bytes_written";
constexpr const char* kFiles = "files";
constexpr const char* kSeconds = "seconds";
constexpr const char* kSamplesPerSecond = "samples_per_second";
constexpr const char* kVerified = "verified";
constexpr const char* kFailedSamples = "failed_samples";
constexpr const char* kFailures = "failures";
constexpr const char* kSample = "sample";
constexpr const char* kReason = "reason";
constexpr const char* kNotes = "notes";
constexpr const char* kNext = "next";
constexpr const char* kProposal = "proposal";
}  // namespace convert_key

Json convertedObject(const Converted& done) {
  using namespace convert_key;
  const ConvertOutcome& out = done.outcome;
  Json failures = Json::array();
  for (const auto& [name, reason] : out.failures)
    failures.push_back({{kSample, validUtf8(name)}, {kReason, validUtf8(reason)}});
  Json notes = Json::array();
  for (const std::string& note : out.notes) notes.push_back(validUtf8(note));
  Json all = {{kFormatVersion, 1},
              {kSource, validUtf8(done.source)},
              {kTarget, validUtf8(done.target)},
              {kKind, done.kind},
              {kSourceSamples, out.sourceSamples},
              {kSamples, out.samples},
              {kResumedAt, out.resumedAt},
              {kBytesRead, out.bytesRead},
              {kBytesWritten, out.bytesWritten},
              {kFiles, out.files},
              {kSeconds, done.seconds},
              {kSamplesPerSecond, done.samplesPerSecond()},
              {kVerified, done.verified},
              {kFailedSamples, out.failed},
              {kFailures, std::move(failures)},
              {kNotes, std::move(notes)},
              {kNext, validUtf8(done.next)}};
  all[kProposal] =
      out.proposal ? parsedJson(graphText(out.proposal->graph, builtinCatalog())) : Json();
  return all;
}

}  // namespace

std::string convertedJson(const Converted& done) { return dumpJson(convertedObject(done), true); }

std::string convertedEvent(double time, const Converted& done) {
  Json all = convertedObject(done);
  all[convert_key::kEvent] = "result";
  all[convert_key::kTime] = time;
  return dumpJson(all);
}

std::optional<Converted> parseConverted(std::string_view json) {
  using namespace convert_key;
  const Json all = parsedJson(json);
  if (!all.is_object()) return std::nullopt;
  Converted done;
  ConvertOutcome& out = done.outcome;
  json_read::readAll(all, kSource, done.source, kTarget, done.target, kKind, done.kind,
                     kSourceSamples, out.sourceSamples, kSamples, out.samples, kResumedAt,
                     out.resumedAt, kBytesRead, out.bytesRead, kBytesWritten, out.bytesWritten,
                     kFiles, out.files, kSeconds, done.seconds, kVerified, done.verified,
                     kFailedSamples, out.failed, kNotes, out.notes, kNext, done.next);
  for (const Json& failure : json_read::itemsAt(all, kFailures)) {
    auto& [name, reason] = out.failures.emplace_back();
    json_read::readAll(failure, kSample, name, kReason, reason);
  }
  const Json& proposal = json_read::at(all, kProposal);
  if (!proposal.is_object()) return done;
  if (auto graph = parseGraph(dumpJson(proposal), builtinCatalog()).graph)
    out.proposal = PipelineProposal{std::move(*graph), {}, {}};
  return done;
}

}  // namespace millrace
