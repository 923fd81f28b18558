// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs predictions`: how accurate the predictions of changes were.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/common/output.h"
#include "app/cli/common/prediction_text.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/events/json/json_text.h"
#include "core/store/search_notes.h"

namespace millrace::cli {

namespace {

/// Half of the errors are below the median.
struct ErrorFigures {
  std::size_t count = 0;
  std::optional<double> median;
  std::optional<double> worst;
};

ErrorFigures figuresOf(std::vector<double> errors) {
  ErrorFigures figures;
  figures.count = errors.size();
  if (errors.empty()) return figures;
  std::ranges::sort(errors);
  const std::size_t half = errors.size() / 2;
  figures.median = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
  figures.worst = errors.back();
  return figures;
}

template <class Error>
ErrorFigures figuresOf(const std::vector<PredictionRecord>& all, const Error& error) {
  std::vector<double> errors;
  for (const PredictionRecord& each : all)
    if (const auto off = error(each)) errors.push_back(*off);
  return figuresOf(std::move(errors));
}

Json figuresJson(const ErrorFigures& figures) {
  return {{"count", figures.count},
          {"median", orNull(figures.median)},
          {"worst", orNull(figures.worst)}};
}

std::string predictionListJson(const std::vector<PredictionRecord>& all) {
  Json json = {{"error", figuresJson(figuresOf(all, errorOf))},
               {"no_change_error", figuresJson(figuresOf(all, noChangeErrorOf))},
               {"predictions", Json::array()}};
  for (const PredictionRecord& each : all)
    json["predictions"].push_back({{"run_id", std::to_string(static_cast<std::int64_t>(each.run))},
                                   {"edit", each.edit},
                                   {"metric", each.metric},
                                   {"low", orNull(each.low)},
                                   {"middle", each.middle},
                                   {"high", orNull(each.high)},
                                   {"measured", orNull(each.followedValue)},
                                   {"without", orNull(each.without)},
                                   {"error", orNull(errorOf(each))}});
  return prettyJson(json);
}

std::string errorLine(const char* what, const ErrorFigures& figures) {
  if (figures.count == 0) return {};
  return fmt::format("  {:<34} median {:>3.0f} %, worst {:>3.0f} %, of {}\n", what,
                     100 * *figures.median, 100 * *figures.worst, figures.count);
}

std::string predictionListText(const std::vector<PredictionRecord>& all) {
  constexpr std::size_t kShown = 30;
  if (all.empty())
    return "there are no predictions yet: millrace diagnose and millrace tune make them\n";
  std::string text = "predicted and measured effects of changes, in samples/s, newest first\n";
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    text += fmt::format("  run {:<5} {} {}\n", static_cast<std::int64_t>(all[i].run),
                        fitted(singleLine(all[i].edit), 26), predictionText(all[i]));
  if (all.size() > kShown) text += fmt::format("  and {} older ones\n", all.size() - kShown);
  return text + "\n" + errorLine("error of the model:", figuresOf(all, errorOf)) +
         errorLine("error of assuming no change:", figuresOf(all, noChangeErrorOf));
}

int listPredictions(const StoreArguments& arguments) {
  const auto none = [] { return fail(noRunsYet(), kBadUsage); };
  return withStore(arguments.file(), none, [&](RunStore& store) {
    Database::Options options;
    options.mode = Database::Mode::Read;
    auto notes = SearchNotes::open(store.file(), options);
    if (!notes) return fail(notes.error().message, kFailed);
    const auto all = notes->predictions();
    if (!all) return fail(all.error().message, kFailed);
    print("{}", arguments.json ? predictionListJson(*all) : predictionListText(*all));
    return kDone;
  });
}

}  // namespace

void addRunsPredictions(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<StoreArguments>();
  CLI::App* list = runs.add_subcommand("predictions", "List predicted and measured gains");
  list->footer(
      "Example:  millrace runs predictions\n"
      "Predictions are made by millrace diagnose (for its first advice) and millrace tune. The "
      "error is that of the prediction relative to the measurement.");
  arguments->addTo(*list);
  list->callback(
      [arguments, &action] { action = [arguments] { return listPredictions(*arguments); }; });
}

}  // namespace millrace::cli
