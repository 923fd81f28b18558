// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/import/import_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/text_layout.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kHowColumns = 10;

std::string partText(const TranslatedPart& part) {
  const std::string became = part.became.empty() ? "" : " -> " + join(part.became, ", ");
  std::string text = labelled(fitted(nameOf(part.how), kHowColumns), visibleName(part.was) + became,
                              kIndent + kHowColumns + kGap);
  if (!part.note.empty())
    text += labelled(std::string(kHowColumns, ' '), visibleName(part.note),
                     kIndent + kHowColumns + kGap);
  return text;
}

/// "equal", "at most 1 levels of 255 apart, 0.3 on average".
std::string differenceText(const FieldDifference& field) {
  std::string text;
  if (!field.trouble.empty())
    text = field.trouble;
  else if (field.samples == 0)
    text = "not compared";
  else if (field.equal())
    text = "equal";
  else if (field.level > 0)
    text = fmt::format("at most {:.2g} levels of 255 apart, {:.2g} on average",
                       field.largest / field.level, field.mean / field.level);
  else
    text = fmt::format("at most {:.3g} apart, {:.3g} on average", field.largest, field.mean);
  if (!field.form.empty()) text += ", as " + field.form;
  return text;
}

std::string fieldText(const FieldDifference& field) {
  return labelled(fitted(visibleName(field.name), kHowColumns), differenceText(field),
                  kIndent + kHowColumns + kGap);
}

/// How the samples compare, as a sentence; empty if they were not to be compared.
std::string verdictOf(const TranslateOutcome& outcome) {
  if (!outcome.noProof.empty()) return "The samples could not be compared: " + outcome.noProof;
  if (outcome.stopped) return "Stopped before all samples were compared.";
  if (!outcome.proof) return {};
  const TranslationProof& proof = *outcome.proof;
  if (proof.holds())
    return std::ranges::all_of(proof.fields, &FieldDifference::equal)
               ? "The samples are equal."
               : "The samples are equal but for rounding.";
  if (proof.theirs != proof.pipeline)
    return fmt::format("The pipeline has {} samples, your dataset {}.", grouped(proof.pipeline),
                       grouped(proof.theirs));
  if (!proof.failures.empty()) return "Some samples could not be made.";
  return std::ranges::any_of(outcome.translation.parts,
                             [](const auto& part) { return part.how == Translated::Differs; })
             ? "The samples differ. Decide whether the parts marked `differs` matter to you."
             : "The samples differ, although all parts should be the same. Does your file draw "
               "random numbers when it is imported? If not, do not rely on the pipeline.";
}

std::string comparedText(const TranslationProof& proof) {
  return fmt::format("{} of {}, from both, with {}", counted(proof.compared, "sample"),
                     grouped(proof.theirs),
                     proof.centred ? "the centre of each random draw" : "the same random numbers");
}

std::string proofText(const TranslateOutcome& outcome) {
  std::string text = "\n";
  if (outcome.proof) {
    text += comparedText(*outcome.proof) + ":\n";
    for (const FieldDifference& field : outcome.proof->fields) text += fieldText(field);
    for (const std::string& failure : outcome.proof->failures)
      text += labelled(fitted("failed", kHowColumns), visibleName(failure),
                       kIndent + kHowColumns + kGap);
  }
  const std::string verdict = verdictOf(outcome);
  return verdict.empty() ? std::string() : text + wrapped(visibleName(verdict), 0);
}

}  // namespace

std::string importPage(const TranslateOutcome& outcome, const TranslateSettings& settings) {
  const LoaderTranslation& translation = outcome.translation;
  std::string text = fmt::format("{}, a {}\n", visibleName(shownName(settings.loader)),
                                 visibleName(translation.what));
  for (const TranslatedPart& part : translation.parts) text += partText(part);
  text += proofText(outcome);
  const std::string output = shownShellWord(settings.output.native());
  const std::string loader = "millrace loader " + shownShellWord(settings.word);
  text += fmt::format("\nWritten: {}{}\n", visibleName(settings.output.string()),
                      translation.hasManifest
                          ? " and " + visibleName(settings.manifest().filename().string())
                          : "");
  return text + fmt::format("Next:\n  millrace run {}\n  {} --python {}\n", output, loader,
                            shownShellWord(settings.interpreter));
}

std::string importJson(const TranslateOutcome& outcome, const TranslateSettings& settings) {
  using Json = nlohmann::ordered_json;
  const LoaderTranslation& translation = outcome.translation;
  Json json = {{"loader", validUtf8(shownName(settings.loader))},
               {"kind", validUtf8(translation.what)},
               {"output", validUtf8(settings.output.string())}};
  if (translation.hasManifest) json["manifest"] = validUtf8(settings.manifest().string());
  json["parts"] = Json::array();
  for (const TranslatedPart& part : translation.parts)
    json["parts"].push_back({{"was", validUtf8(part.was)},
                             {"became", part.became},
                             {"how", nameOf(part.how)},
                             {"note", validUtf8(part.note)}});
  json["verdict"] = validUtf8(verdictOf(outcome));
  if (outcome.proof) {
    const TranslationProof& proof = *outcome.proof;
    Json fields = Json::array();
    for (const FieldDifference& field : proof.fields)
      fields.push_back({{"name", validUtf8(field.name)},
                        {"equal", field.equal()},
                        {"largest", field.largest},
                        {"mean", field.mean},
                        {"level", field.level},
                        {"form", field.form},
                        {"trouble", validUtf8(field.trouble)}});
    std::vector<std::string> failures;
    for (const std::string& failure : proof.failures) failures.push_back(validUtf8(failure));
    std::vector<std::string> words;
    for (const FieldDifference& field : proof.fields)
      words.push_back(field.name + ": " + differenceText(field));
    const std::string text = comparedText(proof) + ": " + join(words, "; ");
    json["proof"] = {{"holds", proof.holds()},
                     {"text", validUtf8(text)},
                     {"compared", proof.compared},
                     {"samples", proof.theirs},
                     {"pipeline_samples", proof.pipeline},
                     {"fields", fields},
                     {"failures", failures}};
  }
  return json.dump() + "\n";
}

}  // namespace millrace::cli
