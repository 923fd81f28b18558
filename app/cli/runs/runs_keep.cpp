// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs backup` and `millrace runs tidy`: the store as a file.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/whole_file.h"

namespace millrace::cli {

namespace {

struct BackupArguments {
  std::string store;
  std::string target;
  bool force = false;
};

/// Copies the store to a temporary file of the target; messages name the target.
Status copyTo(const std::filesystem::path& part, RunStore& store, const std::string& target) {
  const Status written = store.backup(part);
  if (written) return {};
  std::string message = ofArgument(written.error().message);
  if (const std::size_t at = message.find(part.string()); at != std::string::npos)
    message.replace(at, part.string().size(), target);
  return Error{message};
}

int backup(const BackupArguments& arguments) {
  // An earlier backup is a database, too, which mayWrite() would not let be replaced.
  if (!arguments.force)
    if (Status may = mayWrite(arguments.target, IfThere::Refuse); !may)
      return fail(may.error().message, kFailed);
  const auto none = [] { return fail(noRunsYet(), kBadUsage); };
  return withStore(storeFile(arguments.store), none, [&](RunStore& store) {
    std::error_code error;
    if (std::filesystem::equivalent(arguments.target, store.file(), error))
      return fail("the backup would replace the store itself", kBadUsage);
    const Status written = replaceFile(arguments.target, [&](const std::filesystem::path& part) {
      return copyTo(part, store, arguments.target);
    });
    if (!written) return fail(written.error().message, kFailed);
    print("{} in {}\n",
          humanBytes(static_cast<double>(std::filesystem::file_size(arguments.target, error))),
          visibleName(arguments.target));
    return kDone;
  });
}

int tidy(const std::string& file) {
  return withStoreToChange(storeFile(file), [](RunStore& store) {
    const auto tidied = store.tidy();
    if (!tidied) return fail(tidied.error().message, kFailed);
    const auto bytes = [](std::int64_t count) { return humanBytes(static_cast<double>(count)); };
    if (tidied->removedRuns > 0)
      print("removed {} that {} deleted\n", runCount(tidied->removedRuns),
            tidied->removedRuns == 1 ? "was" : "were");
    print("{} now, {} before: {} freed\n", bytes(tidied->bytesAfter), bytes(tidied->bytesBefore),
          bytes(std::max<std::int64_t>(0, tidied->bytesBefore - tidied->bytesAfter)));
    return kDone;
  });
}

}  // namespace

void addRunsBackup(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<BackupArguments>();
  CLI::App* out =
      runs.add_subcommand("backup", "Copy the whole store, even while runs are being kept");
  out->footer("Example:  millrace runs backup ~/runs-2026-11.db");
  out->add_option("file", arguments->target, "The copy")->required()->type_name("FILE");
  out->add_flag("--force", arguments->force, "Replace an existing file");
  out->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  out->callback([arguments, &action] { action = [arguments] { return backup(*arguments); }; });
}

void addRunsTidy(CLI::App& runs, Action& action) {
  auto store = std::make_shared<std::string>();
  CLI::App* command = runs.add_subcommand("tidy", "Return the space of deleted runs to the disk");
  command->footer(
      "Example:  millrace runs tidy\n"
      "Not possible while a run is being kept. Needs as much free space as the store takes.");
  command->add_option("--store", *store, "Use this store")->type_name("FILE");
  command->callback([store, &action] { action = [store] { return tidy(*store); }; });
}

}  // namespace millrace::cli
