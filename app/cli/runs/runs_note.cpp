// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs note`: the user's notes about a run.
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/input.h"
#include "app/cli/common/output.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/store/named_run.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kMostNoteBytes = 1U << 20U;

struct NoteArguments {
  std::string store;
  std::string run;
  std::optional<std::string> text;
  bool append = false;
};

int printNotes(const NoteArguments& arguments) {
  const auto none = [] { return fail(noRunsYet(), kBadUsage); };
  return withStore(storeFile(arguments.store), none, [&](RunStore& store) {
    const auto run = runNamed(store, arguments.run);
    if (!run) return fail(run.error().message, kBadUsage);
    const auto details = store.show(*run);
    if (!details) return fail(details.error().message, kFailed);
    if (!details->notes.empty()) print("{}\n", visibleText(details->notes));
    return kDone;
  });
}

int writeNotes(const NoteArguments& arguments, std::string text) {
  return withStoreToChange(storeFile(arguments.store), [&](RunStore& store) {
    const auto run = runNamed(store, arguments.run);
    if (!run) return fail(run.error().message, kBadUsage);
    // One transaction, so that no other program writes between reading and writing.
    const Status done = store.together([&]() -> Status {
      if (!arguments.append) return store.setNotes(*run, text);
      MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(*run));
      return store.setNotes(*run, details.notes.empty() ? text : details.notes + "\n" + text);
    });
    return done ? kDone : fail(done.error().message, kFailed);
  });
}

int noteRun(const NoteArguments& arguments) {
  if (!arguments.text) return printNotes(arguments);
  std::string text = *arguments.text;
  if (text == "-") {
    text = standardInput(kMostNoteBytes);
    if (text.size() > kMostNoteBytes)
      return fail("the text from standard input is longer than 1 MiB", kBadUsage);
    while (text.ends_with('\n')) text.pop_back();
  }
  return writeNotes(arguments, std::move(text));
}

}  // namespace

void addRunsNote(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<NoteArguments>();
  CLI::App* note = runs.add_subcommand("note", "Write notes about a run, or print them");
  note->footer(
      "Example:  millrace runs note 12 \"other users on the machine\"\n"
      "          millrace runs note 12 --append - < more.txt\n"
      "Without TEXT, prints the notes; TEXT \"\" removes them.");
  note->add_option("run", arguments->run, "A run's number, the beginning of its id, or last")
      ->required();
  note->add_option("text", arguments->text, "The notes; - reads them from standard input")
      ->type_name("TEXT");
  note->add_flag("--append", arguments->append, "Append to the notes, on a new line");
  note->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  note->callback([arguments, &action] { action = [arguments] { return noteRun(*arguments); }; });
}

}  // namespace millrace::cli
