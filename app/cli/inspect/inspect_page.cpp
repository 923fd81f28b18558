// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/inspect_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/common/data_page.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text.h"
#include "core/events/jobs/inspection_json.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kMostClasses = 12;

std::string sizeText(const Size& size) { return fmt::format("{}x{}", size.width, size.height); }

std::string classesText(const DataSurvey& survey) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(survey.classes.size(), kMostClasses); ++i)
    texts.push_back(survey.perClass.empty() ? validUtf8(survey.classes[i])
                                            : fmt::format("{} ({})", validUtf8(survey.classes[i]),
                                                          grouped(survey.perClass[i])));
  if (survey.classes.size() > kMostClasses)
    texts.push_back(fmt::format("and {} more", grouped(survey.classes.size() - kMostClasses)));
  return fmt::format("{}: {}", grouped(survey.classes.size()), join(texts, ", "));
}

std::string picturesText(const std::string& field, const PictureSurvey& found) {
  std::vector<std::string> formats;
  for (const auto& [format, count] : found.formats)
    formats.push_back(fmt::format("{} {}", grouped(count), format));
  const bool same = found.least == found.most;
  std::string text =
      dataRow(field, fmt::format("{}, {}", join(formats, ", "),
                                 same ? "all " + sizeText(found.least)
                                      : sizeText(found.least) + " to " + sizeText(found.most)));
  if (same) return text;
  const std::uint64_t most =
      *std::max_element(found.byLongerSide.begin(), found.byLongerSide.end());
  for (std::size_t bin = 0; bin < found.byLongerSide.size(); ++bin) {
    const std::uint64_t count = found.byLongerSide[bin];
    if (count == 0) continue;
    const auto bars = static_cast<std::size_t>(std::max<std::uint64_t>(1, 30 * count / most));
    text += fmt::format("            {:<14} {:<30} {}\n", longerSideName(bin),
                        std::string(bars, '#'), grouped(count));
  }
  return text;
}

std::string brokenText(const DataSurvey& survey) {
  std::string text = dataRow("broken", fmt::format("{} of {} samples", grouped(survey.broken),
                                                   grouped(survey.samplesRead)));
  for (const auto& [name, reason] : survey.brokenSamples)
    text += "            " +
            wrapped(validUtf8(name) + ": " + validUtf8(reason), kDataIndent + 2, kDataIndent);
  if (survey.broken > survey.brokenSamples.size()) text += "            and others\n";
  return text;
}

}  // namespace

std::string inspectionPage(const Inspection& found) {
  std::string page = validUtf8(found.path) + "\n";
  page += dataRow("kind", found.kind);
  page += dataRow("", found.description);
  if (!found.survey) return page;
  const DataSurvey& survey = *found.survey;
  const bool whole = survey.samplesRead == survey.samples;
  page += dataRow("samples",
                  whole ? grouped(survey.samples)
                        : fmt::format("{}; the following is based on {} of them, evenly spread",
                                      grouped(survey.samples), grouped(survey.samplesRead)));
  page += dataRow("bytes",
                  fmt::format("{}{}; {} to read per sample", survey.bytesEstimated ? "about " : "",
                              humanBytes(static_cast<double>(survey.bytes)),
                              humanBytes(survey.bytesPerSample())));
  page += dataRow("fields", fieldsText(survey.fields));
  if (!survey.classes.empty()) page += dataRow("classes", classesText(survey));
  for (const auto& [field, pictures] : survey.pictures) page += picturesText(field, pictures);
  if (survey.broken > 0) page += brokenText(survey);
  for (const std::string& warning : survey.warnings) page += dataRow("note", validUtf8(warning));
  if (!found.proposalNotes.empty()) page += dataRow("pipeline", found.proposalNotes);
  return page + "\nNext:\n  " + found.next + "\n";
}

}  // namespace millrace::cli
