// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs tag`: words for finding runs.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

struct TagArguments {
  std::string store;
  std::vector<std::string> words;
};

/// Parsed arguments: "+draft" adds, "-old" removes, all others are runs.
struct TagChange {
  std::vector<std::string> runs;
  std::vector<std::string> add;
  std::vector<std::string> remove;
};

Result<TagChange> readWords(const std::vector<std::string>& words) {
  TagChange change;
  for (const std::string& word : words) {
    const bool sign = word.starts_with('+') || word.starts_with('-');
    if (word.starts_with("--") || (sign && word.size() == 1))
      return Error{
          fmt::format("`{}` is neither a run nor a change of tags; write +TAG or -TAG", word)};
    if (!sign)
      change.runs.push_back(word);
    else
      (word.front() == '+' ? change.add : change.remove).push_back(word.substr(1));
  }
  if (change.runs.empty())
    return Error{"name at least one run: millrace runs tag RUN... +TAG -TAG"};
  return change;
}

Status tagRun(RunStore& store, RunNumber run, const TagChange& change) {
  MILLRACE_TRY(store.changeTags(run, change.add, change.remove));
  MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(run));
  std::string tags;
  for (const std::string& tag : details.summary.tags) tags += " " + singleLine(tag);
  print("run {}:{}\n", static_cast<std::int64_t>(run), tags.empty() ? " no tags" : tags);
  return {};
}

int tagRuns(const TagArguments& arguments) {
  const auto change = readWords(arguments.words);
  if (!change) return fail(change.error().message, kBadUsage);
  return withStoreToChange(storeFile(arguments.store), [&](RunStore& store) {
    const auto runs = distinctRuns(store, change->runs);
    if (!runs) return fail(runs.error().message, kBadUsage);
    for (const RunNumber run : *runs)
      if (Status done = tagRun(store, run, *change); !done)
        return fail(done.error().message, kFailed);
    return kDone;
  });
}

}  // namespace

void addRunsTag(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<TagArguments>();
  CLI::App* tag = runs.add_subcommand("tag", "Add tags to runs, or remove them");
  tag->footer(
      "Example:  millrace runs tag 12 13 +quiet -draft\n"
      "Without +TAG or -TAG, prints the tags. Find runs by tag: millrace runs list tag:quiet");
  // -h would match every tag that begins with h.
  // Words such as -h are tags here, not flags of the commands above.
  tag->fallthrough(false);
  tag->set_help_flag("--help", "Print this help message and exit");
  tag->add_option("words", arguments->words, "Runs (number, beginning of the id, last), +TAG, -TAG")
      ->type_name("RUN... +TAG... -TAG...");
  tag->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  tag->allow_extras();
  tag->callback([arguments, tag, &action] {
    for (const std::string& word : tag->remaining()) arguments->words.push_back(word);
    action = [arguments] { return tagRuns(*arguments); };
  });
}

}  // namespace millrace::cli
