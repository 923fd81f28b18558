// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace nodes`: the list of node kinds, and the help page of each.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/nodes/node_json.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/nodes/builtin.h"
#include "core/spec/catalog_text.h"
#include "core/spec/did_you_mean.h"

namespace millrace::cli {

namespace {

struct NodesArguments {
  std::string kind;
  bool json = false;
  bool markdown = false;
};

int unknownKind(const std::string& kind, const Catalog& catalog) {
  const std::string meant = kindLike(catalog, kind);
  fail(fmt::format("there is no kind `{}`", singleLine(kind)) +
       (meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant)));
  for (const std::string& reason : catalog.refused())
    printMessage("    a plug-in was refused: {}\n", visibleName(reason));
  printMessage("    all kinds: millrace nodes\n");
  return kBadUsage;
}

int nodesCommand(const NodesArguments& arguments) {
  const Catalog& catalog = builtinCatalog();
  constexpr std::size_t kReadable = 100;
  const std::size_t columns = std::min(pageColumns(), kReadable);
  if (arguments.kind.empty()) {
    if (arguments.markdown)
      print("{}", catalogMarkdown(catalog));
    else
      print("{}", arguments.json ? catalogJson(catalog) : catalogOverviewText(catalog, columns));
    for (const std::string& refused : catalog.refused()) printMessage("warning: {}\n", refused);
    return kDone;
  }
  const NodeSpec* spec = catalog.find(arguments.kind);
  if (spec == nullptr) return unknownKind(arguments.kind, catalog);
  if (arguments.markdown) {
    Catalog one;
    one.add(*spec);
    print("{}", catalogMarkdown(one));
  } else {
    print("{}", arguments.json ? nodeSpecJson(*spec) : nodeHelpText(*spec, columns));
  }
  return kDone;
}

}  // namespace

void addNodes(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<NodesArguments>();
  CLI::App* nodes = app.add_subcommand("nodes", "List all node kinds, or explain one");
  nodes->footer(
      "Example: what does resize do?\n"
      "  millrace nodes resize");
  nodes->add_option("kind", arguments->kind, "Explain this kind, with all its parameters");
  auto* json = nodes->add_flag("--json", arguments->json, "Print as JSON");
  nodes->add_flag("--markdown", arguments->markdown, "Print as a Markdown page")->excludes(json);
  nodes->callback(
      [arguments, &action] { action = [arguments] { return nodesCommand(*arguments); }; });
}

}  // namespace millrace::cli
