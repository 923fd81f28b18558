// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/convert_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/text_layout.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kIndent = 12;
constexpr std::size_t kNamed = 20;

std::string row(std::string_view name, std::string_view text) {
  return fmt::format("  {:<10}{}", name, wrapped(text, kIndent, kIndent));
}

double perSecond(double amount, const Converted& done) {
  return done.seconds > 0 ? amount / done.seconds : 0;
}

double samplesPerSecond(const Converted& done) {
  const ConvertOutcome& out = done.outcome;
  return perSecond(static_cast<double>(out.samples - out.resumedSamples), done);
}

std::string brokenText(const ConvertOutcome& out) {
  std::string text = row("broken", fmt::format("{} of {} samples left out", grouped(out.failed),
                                               grouped(out.sourceSamples)));
  for (std::size_t i = 0; i < std::min(kNamed, out.failures.size()); ++i)
    text += "            " +
            wrapped(singleLine(out.failures[i].first) + ": " + singleLine(out.failures[i].second),
                    kIndent + 2, kIndent);
  if (out.failed > kNamed)
    text += row("", fmt::format("and {} more; --json names up to 1 000", out.failed - kNamed));
  return text;
}

}  // namespace

std::string convertedPage(const Converted& done) {
  const ConvertOutcome& out = done.outcome;
  std::string page = validUtf8(done.target) + "\n";
  page += row("kind", done.kind);
  page += row("samples",
              out.samples == out.sourceSamples
                  ? grouped(out.samples)
                  : fmt::format("{} from {}", grouped(out.samples), grouped(out.sourceSamples)));
  std::vector<std::string> fields;
  for (const FieldSpec& field : out.fields)
    fields.push_back(fmt::format("{} ({})", field.text(), nameOf(field.role)));
  page += row("fields", join(fields, "; "));
  page += row("read", humanBytes(static_cast<double>(out.bytesRead)));
  page +=
      row("written", fmt::format("{} in {} {}", humanBytes(static_cast<double>(out.bytesWritten)),
                                 grouped(out.files), out.files == 1 ? "file" : "files"));
  page +=
      row("rate", fmt::format("{} samples/s, {}/s, {} in all",
                              grouped(static_cast<std::uint64_t>(samplesPerSecond(done) + 0.5)),
                              humanBytes(perSecond(static_cast<double>(out.bytesWritten), done)),
                              humanSeconds(done.seconds)));
  if (out.resumedAt > 0)
    page += row("resumed", fmt::format("behind sample {}", grouped(out.resumedAt)));
  page +=
      row("read back", done.verified ? "every sample, with the bytes and labels that were written"
                                     : "the number of samples agrees; --verify compares every one");
  if (out.failed > 0) page += brokenText(out);
  for (const std::string& note : out.notes) page += row("note", validUtf8(note));
  if (out.proposal && !out.proposal->words.empty()) page += row("pipeline", out.proposal->words);
  return page + "\nNext:\n  " + done.next + "\n";
}

std::string convertedJson(const Converted& done, bool asEvent) {
  const ConvertOutcome& out = done.outcome;
  nlohmann::json failures = nlohmann::json::array();
  for (const auto& [name, reason] : out.failures)
    failures.push_back({{"sample", validUtf8(name)}, {"reason", validUtf8(reason)}});
  nlohmann::json notes = nlohmann::json::array();
  for (const std::string& note : out.notes) notes.push_back(validUtf8(note));
  nlohmann::json all = {{"format_version", 1},
                        {"source", validUtf8(done.source)},
                        {"target", validUtf8(done.target)},
                        {"kind", done.kind},
                        {"source_samples", out.sourceSamples},
                        {"samples", out.samples},
                        {"resumed_at", out.resumedAt},
                        {"bytes_read", out.bytesRead},
                        {"bytes_written", out.bytesWritten},
                        {"files", out.files},
                        {"seconds", done.seconds},
                        {"samples_per_second", samplesPerSecond(done)},
                        {"verified", done.verified},
                        {"failed_samples", out.failed},
                        {"failures", std::move(failures)},
                        {"notes", std::move(notes)},
                        {"next", validUtf8(done.next)}};
  all["proposal"] =
      out.proposal
          ? nlohmann::json::parse(graphText(out.proposal->graph, builtinCatalog()), nullptr, false)
          : nlohmann::json();
  if (asEvent) {
    all["event"] = "result";
    all["time"] = toSeconds(steadyClock().now().time_since_epoch());
  }
  return all.dump(asEvent ? -1 : 2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace millrace::cli
