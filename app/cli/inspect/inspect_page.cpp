// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/inspect_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "app/cli/common/data_page.h"
#include "app/cli/common/output.h"
#include "app/cli/common/program_words.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/events/jobs/inspection_json.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kMostClasses = 12;

std::string sizeText(const Size& size) { return fmt::format("{}x{}", size.width, size.height); }

/// The smallest and the largest side. Together they need not be the size of one picture.
std::string rangeText(int least, int most) {
  return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

std::string classesText(const DataSurvey& survey) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(survey.classes.size(), kMostClasses); ++i) {
    const std::string& folder = survey.classes[i];
    const std::string name = folder == "." ? "without a class folder" : visibleName(folder);
    texts.push_back(
        survey.perClass.empty() ? name : fmt::format("{} ({})", name, grouped(survey.perClass[i])));
  }
  if (survey.classes.size() > kMostClasses)
    texts.push_back(fmt::format("and {} more", grouped(survey.classes.size() - kMostClasses)));
  return fmt::format("{}: {}", grouped(survey.classes.size()), join(texts, ", "));
}

std::string picturesText(const std::string& field, const PictureSurvey& found) {
  std::vector<std::string> formats;
  for (const auto& [format, count] : found.formats)
    formats.push_back(fmt::format("{} {}", grouped(count), format));
  const bool same = found.least == found.most;
  std::string text = dataRow(
      field, fmt::format("{}, {}", join(formats, ", "),
                         same ? "all " + sizeText(found.least)
                              : fmt::format("{} wide, {} high",
                                            rangeText(found.least.width, found.most.width),
                                            rangeText(found.least.height, found.most.height))));
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

bool readWhole(const DataSurvey& survey) { return survey.samplesRead == survey.samples; }

/// A reason with the samples that it has, of which the first few are named.
std::string reasonText(const DataSurvey& survey, const std::string& reason, std::uint64_t count) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> names;
  for (const auto& [name, why] : survey.brokenSamples)
    if (why == reason && names.size() < kMostNamed) names.push_back(visibleName(name));
  const auto row = [](const std::string& text) {
    return std::string(kDataIndent, ' ') + wrapped(text, kDataIndent + 2, kDataIndent);
  };
  if (count == 1) return row(fmt::format("{}: {}", join(names, ", "), visibleName(reason)));
  const std::string more =
      count > names.size() ? fmt::format(" and {} more", grouped(count - names.size())) : "";
  return row(
      fmt::format("{}: {} ({}{})", grouped(count), visibleName(reason), join(names, ", "), more));
}

std::string brokenText(const DataSurvey& survey) {
  std::string text = dataRow("broken", fmt::format("{} of {} samples", grouped(survey.broken),
                                                   grouped(survey.samplesRead)));
  std::uint64_t others = survey.broken;
  for (const auto& [reason, count] : survey.brokenReasons) {
    text += reasonText(survey, reason, count);
    others -= std::min(others, count);
  }
  if (others > 0) text += dataRow("", fmt::format("and {} for other reasons", grouped(others)));
  if (survey.isBroken())
    text += dataRow("", readWhole(survey) ? "No sample can be read, so a run delivers nothing."
                                          : "None of the samples examined can be read.");
  if (const std::uint64_t percent = survey.percentToAllow(); percent > 0)
    text += dataRow("", fmt::format("A run ends when more than 1 % fail. With these it needs "
                                    "--max-failures {}%. Of each picture only the beginning "
                                    "was examined: `millrace inspect --all` finds all damage.",
                                    percent));
  return text;
}

std::string belowText(const Inspection& found) {
  constexpr int kMostCommands = 3;
  int shown = 0;
  std::string text;
  std::string commands = "\nNext:\n";
  for (const DataBelow& data : found.below) {
    const std::string name = data.path.lexically_relative(found.path).native();
    text += dataRow("data", fmt::format("{}: {}. {}", name, data.kind, data.description));
    if (++shown <= kMostCommands)
      commands +=
          fmt::format("  {} inspect {}\n", programWords(), shownShellWord(data.path.native()));
  }
  if (shown > kMostCommands) commands += "  and so on, for each of them\n";
  return text + commands;
}

/// The flags that switch on what the proposal leaves off.
std::string switchText(const Inspection& found) {
  std::string text;
  if (!found.proposal) return text;
  const bool colours = std::ranges::any_of(found.proposal->nodes, [](const GraphNode& node) {
    const auto mask = node.params.find("mask");
    return mask != node.params.end() && mask->second == ParamValue(Value(std::string("rgb")));
  });
  for (const GraphNode& node : found.proposal->nodes) {
    if (node.state != NodeState::Bypass) continue;
    const std::string setting = !node.params.contains("classes") ? ""
                                : colours ? fmt::format("--set {}.colours=FILE ", node.id)
                                          : fmt::format("--set {}.classes=N ", node.id);
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    const bool needsFigures = spec != nullptr && spec->param("mean") != nullptr;
    text += dataRow("", fmt::format("Switched on by {}--on {}{}", setting, node.id,
                                    needsFigures ? ", with the mean and deviation that `millrace "
                                                   "inspect --all` prints"
                                                 : ""));
  }
  return text;
}

}  // namespace

std::string inspectionPage(const Inspection& found) {
  std::string page = visibleName(found.path) + "\n";
  page += dataRow("kind", found.below.empty() ? found.kind : "folder of data sets");
  page += dataRow("", found.description);
  if (!found.below.empty()) return page + belowText(found);
  if (!found.survey) return page;
  const DataSurvey& survey = *found.survey;
  page += dataRow("samples",
                  readWhole(survey)
                      ? grouped(survey.samples)
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
  for (const std::string& warning : survey.warnings) page += dataRow("note", warning);
  if (!found.proposalNotes.empty()) page += dataRow("pipeline", found.proposalNotes);
  page += switchText(found);
  return found.next.empty() ? page : page + "\nNext:\n  " + found.next + "\n";
}

int refuseNoPipeline(const Inspection& found) {
  const bool broken = found.survey && found.survey->isBroken();
  std::string text = "no pipeline can be written: " +
                     (broken ? std::string("no sample can be read") : found.description);
  text = visibleName(text);
  if (!found.below.empty()) text += " Name one of them:";
  for (const DataBelow& data : found.below) text += "\n  " + shownShellWord(data.path.native());
  printMessage("error: {}\n", text);
  return kFailed;
}

}  // namespace millrace::cli
