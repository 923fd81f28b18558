// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/convert/convert_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/common/data_page.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kNamed = 20;

double perSecond(double amount, const Converted& done) {
  return done.seconds > 0 ? amount / done.seconds : 0;
}

std::string brokenText(const ConvertOutcome& out) {
  std::string text = dataRow("broken", fmt::format("{} of {} samples left out", grouped(out.failed),
                                                   grouped(out.sourceSamples)));
  for (std::size_t i = 0; i < std::min(kNamed, out.failures.size()); ++i)
    text += "            " +
            wrapped(visibleName(out.failures[i].first) + ": " + visibleName(out.failures[i].second),
                    kDataIndent + 2, kDataIndent);
  if (out.failed > kNamed)
    text += dataRow("", fmt::format("and {} more; --json lists up to 1 000", out.failed - kNamed));
  return text;
}

}  // namespace

std::string convertedPage(const Converted& done) {
  const ConvertOutcome& out = done.outcome;
  std::string page = visibleName(done.target) + "\n";
  page += dataRow("kind", done.kind);
  page += dataRow(
      "samples", out.samples == out.sourceSamples
                     ? grouped(out.samples)
                     : fmt::format("{} from {}", grouped(out.samples), grouped(out.sourceSamples)));
  page += dataRow("fields", fieldsText(out.fields));
  page += dataRow("read", humanBytes(static_cast<double>(out.bytesRead)));
  page += dataRow("written",
                  fmt::format("{} in {} {}", humanBytes(static_cast<double>(out.bytesWritten)),
                              grouped(out.files), out.files == 1 ? "file" : "files"));
  page += dataRow("rate",
                  fmt::format("{} samples/s, {}/s, {} in total",
                              grouped(static_cast<std::uint64_t>(done.samplesPerSecond() + 0.5)),
                              humanBytes(perSecond(static_cast<double>(out.bytesWritten), done)),
                              humanSeconds(done.seconds)));
  if (out.resumedAt > 0)
    page += dataRow("resumed", fmt::format("after sample {}", grouped(out.resumedAt)));
  page +=
      dataRow("read back",
              done.verified ? "every sample: bytes and labels are equal to those written"
                            : "the number of samples is correct; --verify compares every sample");
  if (out.failed > 0) page += brokenText(out);
  for (const std::string& note : out.notes) page += dataRow("note", note);
  if (out.proposal && !out.proposal->notes.empty())
    page += dataRow("pipeline", out.proposal->notes);
  return page + "\nNext:\n  " + done.next + "\n";
}

}  // namespace millrace::cli
