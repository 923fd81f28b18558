// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace sample-data`: generates a data set for trying pipelines.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/common/version.h"
#include "app/cli/run/run_control.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/events/json/json_text.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/steady_seconds.h"
#include "core/sample_data/sample_data.h"
#include "core/spec/did_you_mean.h"

namespace millrace::cli {

namespace {

struct SampleDataArguments {
  std::string folder;
  SampleRequest request;
  bool list = false;
  bool cache = false;
  bool json = false;
  bool events = false;
};

std::vector<std::string> kindNames() {
  std::vector<std::string> names;
  for (const SampleKind& kind : sampleKinds()) names.emplace_back(kind.name);
  return names;
}

/// "600 samples", "12 shards of 8 192 samples".
std::string countText(const SampleKind& kind, std::uint32_t count) {
  if (kind.samplesEach == 1) return counted(count, "sample");
  return fmt::format("{} of {}", counted(count, "shard"), counted(kind.samplesEach, "sample"));
}

int listKinds(bool asJson) {
  Json all = Json::array();
  for (const SampleKind& kind : sampleKinds()) {
    all.push_back({{"name", kind.name},
                   {"description", kind.description},
                   {"default_count", kind.defaultCount},
                   {"samples_each", kind.samplesEach}});
    if (!asJson)
      print("  {:<14}{}", kind.name,
            wrapped(fmt::format("{}; {} by default (--count)", kind.description,
                                countText(kind, kind.defaultCount)),
                    16, 16));
  }
  if (asJson) print("{}\n", all.dump(2));
  return kDone;
}

/// Shows the progress: on a terminal, or as events.
class Progress {
 public:
  explicit Progress(bool events) : m_events(events), m_terminal(isatty(STDERR_FILENO) != 0) {
    if (m_events) print("{}\n", helloEvent(m_begun, kVersion));
  }

  bool operator()(std::uint32_t done, std::uint32_t of) {
    const double now = steadySeconds();
    if (now - m_last >= 0.2 || done == of) show(now, done, of);
    m_interrupted = interruptPending();
    return !m_interrupted;
  }
  void clear() const {
    if (m_terminal && !m_events) printMessage("\r\x1b[K");
  }
  bool interrupted() const { return m_interrupted; }

 private:
  void show(double now, std::uint32_t done, std::uint32_t of) {
    m_last = now;
    const std::optional<double> left = secondsFor(of - done, done, now - m_begun);
    if (m_events)
      print("{}\n", progressEvent(now, done, of, left));
    else if (m_terminal)
      printMessage("\r\x1b[K{} of {}{}", done, of,
                   left ? ", " + humanSeconds(*left) + " left" : std::string());
    if (m_events) flushOutput();
  }

  bool m_events;
  bool m_terminal;
  bool m_interrupted = false;
  double m_begun = steadySeconds();
  double m_last = 0;
};

void report(const SampleDataArguments& arguments, const SampleKind& kind) {
  const SampleRequest& request = arguments.request;
  Json made = {{"folder", validUtf8(arguments.folder)},
               {"kind", request.kind},
               {"count", request.count},
               {"seed", request.seed}};
  if (arguments.events) {
    made["event"] = "result";
    made["time"] = steadySeconds();
    print("{}\n", made.dump());
  } else if (arguments.json) {
    print("{}\n", made.dump(2));
  } else {
    print("{}: {}, {}, seed {}\n", visibleName(arguments.folder), request.kind,
          countText(kind, request.count), request.seed);
  }
}

Status make(SampleDataArguments& arguments, Progress& progress) {
  if (!arguments.cache)
    return makeSampleData(arguments.folder, arguments.request, std::ref(progress));
  arguments.folder = "sample:" + arguments.request.kind;
  MILLRACE_ASSIGN_OR_RETURN(const auto folder,
                            ensureSampleData(arguments.request.kind, std::ref(progress)));
  arguments.folder = folder.native();
  return {};
}

int sampleDataCommand(SampleDataArguments& arguments) {
  if (arguments.list) return listKinds(arguments.json);
  if (arguments.cache &&
      (!arguments.folder.empty() || arguments.request.count != 0 || arguments.request.seed != 0)) {
    printMessage(
        "error: --cache generates the data of `sample:KIND` in its own place; "
        "leave out the folder, --count and --seed\n");
    return kBadUsage;
  }
  if (arguments.folder.empty() && !arguments.cache) {
    printMessage("error: name the folder to create\n    help: millrace sample-data --help\n");
    return kBadUsage;
  }
  const auto kinds = sampleKinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const SampleKind& each) {
    return each.name == arguments.request.kind;
  });
  if (kind == kinds.end())
    return fail(fmt::format("there is no kind of sample data `{}`; {}", arguments.request.kind,
                            didYouMean(arguments.request.kind, kindNames())));
  if (arguments.request.count == 0) arguments.request.count = kind->defaultCount;
  Progress progress(arguments.events);
  const Status made = make(arguments, progress);
  progress.clear();
  if (progress.interrupted() && !made) {
    printMessage("interrupted: {} was not changed\n", visibleName(arguments.folder));
    return kInterrupted;
  }
  if (!made) return fail(made.error().message, kFailed);
  report(arguments, *kind);
  return kDone;
}

}  // namespace

void addSampleData(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SampleDataArguments>();
  arguments->request.kind = "imagenet";
  CLI::App* make = app.add_subcommand("sample-data", "Generate a data set for trying pipelines");
  make->footer(
      "Example: a hundred cats and dogs, then a run with them\n"
      "  millrace sample-data /tmp/pets --kind cats-vs-dogs --count 100\n"
      "  millrace run cats-vs-dogs --data /tmp/pets/train\n"
      "The same kind, count and seed give the same pictures on every machine.");
  make->add_option("folder", arguments->folder, "A new or empty folder");
  make->add_flag("--cache", arguments->cache,
                 "Generate the data of `sample:KIND` in its own place, unless it exists");
  make->add_option("--kind", arguments->request.kind, "Kind of data (imagenet); --list shows all");
  make->add_option("--count", arguments->request.count, "Number of images, pairs or shards")
      ->transform(whole(1, 100'000'000));
  make->add_option("--seed", arguments->request.seed,
                   "Seed: another number gives other pictures (0)")
      ->transform(whole(0));
  make->add_flag("--list", arguments->list, "List the kinds and generate nothing");
  auto* json = make->add_flag("--json", arguments->json, "Print one JSON object");
  make->add_flag("--events", arguments->events, "Print progress and result as JSON Lines")
      ->excludes(json);
  make->callback(
      [arguments, &action] { action = [arguments] { return sampleDataCommand(*arguments); }; });
}

}  // namespace millrace::cli
