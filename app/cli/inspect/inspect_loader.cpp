// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/inspect_loader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/program_words.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/run_control.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/jobs/loader/loader_record.h"
#include "core/own_loader/loader_run.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kNames = 10;

class FirstBatch final : public LoaderRunObserver {
 public:
  void onLoader(const LoaderFacts& seen) override { facts = seen; }
  LoaderFacts facts;
};

std::string line(const std::string& name, const std::string& text) {
  return labelled(fitted(name, kNames), visibleText(text), kIndent + kNames + kGap);
}

std::string page(const OwnLoader& loader, const LoaderFacts& facts, const std::string& word,
                 const std::string& interpreter) {
  const LoaderReady& ready = facts.ready;
  std::string text =
      fmt::format("{}, a {}\n", visibleText(shownName(loader)), visibleText(ready.what));
  for (const auto& [name, value] : ready.about) text += line(name, value);
  text += line("batch", batchText(facts.first));
  // Those of a Keras PyDataset are threads or processes.
  if (ready.workers > 0)
    text += line("workers", ready.what == kKeras ? std::to_string(ready.workers)
                                                 : counted(ready.workers, "process"));
  if (!facts.first.steps.empty()) text += line("steps", join(facts.first.steps, ", "));
  std::vector<std::string> versions;
  for (const auto& [name, version] : ready.versions)
    versions.push_back(fmt::format("{} {}", name, version));
  text += line("packages", join(versions, ", "));
  const std::string more =
      fmt::format("{} --python {}", shownShellWord(word), shownShellWord(interpreter));
  return text + fmt::format("\nNext:\n  {0} run {1}\n  {0} import {1} -o mine.millrace.json\n",
                            programWords(), more);
}

std::string object(const OwnLoader& loader, const LoaderFacts& facts) {
  using Json = nlohmann::ordered_json;
  Json json = {{"loader", validUtf8(shownName(loader))}, {"kind", validUtf8(facts.ready.what)}};
  for (const auto& [name, value] : facts.ready.about)
    json[name == "data set" ? "data_set" : name] = validUtf8(value);
  json["batch"] = validUtf8(facts.first.item);
  json["samples"] = facts.first.samples;
  json["workers"] = facts.ready.workers;
  json["steps"] = Json::array();
  for (const std::string& step : facts.first.steps) json["steps"].push_back(validUtf8(step));
  json["packages"] = Json::object();
  for (const auto& [name, version] : facts.ready.versions)
    json["packages"][validUtf8(name)] = validUtf8(version);
  return json.dump() + "\n";
}

}  // namespace

int inspectLoader(const std::string& word, const std::string& interpreter, bool json) {
  auto loader = findOwnLoader(word, interpreter);
  if (!loader) return fail(loader.error().message, kBadUsage);
  loader->about = true;
  MeasureSettings settings;
  settings.seconds.reset();
  settings.batches = 1;
  settings.repeats = 1;
  settings.warmupSeconds = 0;
  FirstBatch first;
  LoaderRun run(*loader, settings, first);
  const Result<RunResult> result = [&] {
    const InterruptWatch interrupts([&run] { run.stop(); });
    return run.run();
  }();
  if (!result) return fail(result.error().message, kBadUsage);
  if (first.facts.ready.what.empty()) return kInterrupted;
  print("{}", json ? object(*loader, first.facts) : page(*loader, first.facts, word, interpreter));
  return kDone;
}

}  // namespace millrace::cli
