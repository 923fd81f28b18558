// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What other programs answer: the lines of `preview --serve` in both directions, and the results of
// the jobs. What was read can be written, and reads back equal.
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/events/jobs/conversion_json.h"
#include "core/events/jobs/inspection_json.h"
#include "core/events/jobs/preview_json.h"
#include "core/events/results/comparison_summary.h"
#include "core/events/results/diagnosis_summary.h"
#include "core/events/results/verdict_json.h"
#include "core/events/search/tune_json.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

void checkPreview(const std::string& line) {
  const ParsedPreviewRequest asked = parsePreviewRequest(line);
  if (asked.error.empty() && asked.id) {
    const std::string written = previewRequestLine(*asked.id, asked.request);
    const ParsedPreviewRequest again = parsePreviewRequest(written);
    if (!again.error.empty() || previewRequestLine(*again.id, again.request) != written)
      std::abort();
  }
  const auto answer = parsePreviewAnswer(line);
  if (!answer || answer->kind != PreviewAnswer::Kind::Sample) return;
  const std::string written = previewSampleLine(answer->id, answer->sample);
  const auto again = parsePreviewAnswer(written);
  if (!again || previewSampleLine(again->id, again->sample) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  checkPreview(text);
  (void)parseConverted(text);
  (void)parseInspection(text);
  (void)readComparison(text);
  (void)readDiagnosis(text);
  (void)readTuneResult(text);
  return 0;
}
