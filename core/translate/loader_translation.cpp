// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/translate/loader_translation.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/own_loader/loader_lines.h"
#include "core/own_python/python_parts.h"
#include "core/tune/trial_process.h"

namespace millrace {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::pair<const char*, Translated> kWords[] = {{"exact", Translated::Exact},
                                                         {"differs", Translated::Differs},
                                                         {"yours", Translated::Yours},
                                                         {"left out", Translated::LeftOut}};

/// What the lines of the program said.
struct Heard {
  bool started = false;
  std::optional<Json> translation;
  std::optional<PythonTrouble> trouble;
  std::optional<LoaderLeft> left;
  std::optional<LoaderExited> exited;

  void take(std::string_view line) {
    Json json = parsedJson(line);
    if (json.is_object() && json.value("event", "") == "translation") {
      translation = std::move(json);
      return;
    }
    const auto heard = parseLoaderLine(line);
    if (!heard) return;
    started = true;
    if (const auto* found = std::get_if<PythonTrouble>(&*heard)) trouble = *found;
    if (const auto* found = std::get_if<LoaderLeft>(&*heard)) left = *found;
    if (const auto* found = std::get_if<LoaderExited>(&*heard)) exited = *found;
  }
};

/// `path` as a document in the folder `base` holds it: relative if it lies below.
std::string heldPath(const std::string& path, const fs::path& base) {
  const fs::path relative = fs::path(path).lexically_relative(base);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : path;
}

/// A node of the program's answer as one of a document, with the user's file and interpreter if it
/// calls the user's code, and with paths as a document holds them.
Json documentNode(const Json& node, const OwnLoader& loader, const fs::path& base) {
  Json params = node.at("params");
  if (node.value("own", false)) {
    params["file"] = heldPath(loader.file.string(), base);
    params["python"] = heldPath(loader.interpreter.string(), base);
  }
  for (const Json& name : node.at("paths"))
    for (Json& path : params[name.get<std::string>()])
      path = heldPath(path.get<std::string>(), base);
  return {{"kind", node.at("kind")}, {"params", std::move(params)}};
}

/// The choices that the program found among the nodes of the document, which it lists in their
/// order.
void addChoices(Json& document, const Json& said) {
  Json choices = said.value("choices", Json::array());
  for (std::size_t i = 0; i < said.at("nodes").size(); ++i)
    if (const Json& node = said.at("nodes")[i]; node.contains("choice"))
      choices.at(node.at("choice").get<std::size_t>())["nodes"].push_back(
          document.at("nodes")[i].at("id"));
  for (const Json& params : choices)
    document["nodes"].push_back({{"kind", "choose"}, {"params", params}});
}

/// The nodes as a document, wired in their order.
Result<Graph> graphOf(const Json& said, const OwnLoader& loader, const fs::path& base,
                      std::vector<std::string>& own) {
  Json document = {{"format_version", 1}, {"nodes", Json::array()}, {"wires", Json::array()}};
  std::vector<std::string> kinds;
  std::vector<std::string> ids;
  for (const Json& node : said.at("nodes")) {
    Json made = documentNode(node, loader, base);
    const std::string kind = made.value("kind", "");
    const auto same = std::ranges::count(kinds, kind);
    kinds.push_back(kind);
    ids.push_back(same == 0 ? kind : fmt::format("{}_{}", kind, same + 1));
    made["id"] = ids.back();
    if (node.value("own", false)) own.push_back(ids.back());
    document["nodes"].push_back(std::move(made));
  }
  addChoices(document, said);
  for (std::size_t i = 1; i < ids.size(); ++i)
    document["wires"].push_back({{"from", ids[i - 1]}, {"to", ids[i]}});
  ReadGraph read =
      parseGraph(document.dump(-1, ' ', false, Json::error_handler_t::replace), builtinCatalog());
  if (!read.graph)
    return Error{fmt::format("the pipeline is not valid: {}", read.problems.all().empty()
                                                                  ? "there is no reason"
                                                                  : read.problems.all()[0].text())};
  return std::move(*read.graph);
}

TranslatedPart partOf(const Json& line) {
  TranslatedPart part;
  part.was = line.value("was", "");
  part.note = line.value("note", "");
  const std::string how = line.value("how", "");
  for (const auto& [word, value] : kWords)
    if (how == word) part.how = value;
  for (const Json& kind : line.at("became")) part.became.push_back(kind.get<std::string>());
  return part;
}

Result<LoaderTranslation> translationOf(const Json& said, const OwnLoader& loader,
                                        const fs::path& base) {
  try {
    LoaderTranslation result;
    result.what = said.value("what", "");
    result.base = base;
    result.dataset = said.value("dataset", "");
    result.hasManifest = said.value("listed", false);
    result.centred = said.value("centred", true);
    for (const auto& [name, version] : said.at("versions").items())
      result.versions.emplace_back(name, version.get<std::string>());
    if (said.contains("chosen") && said.at("chosen").is_array())
      result.chosen = said.at("chosen").get<std::vector<std::int64_t>>();
    for (const Json& line : said.at("lines")) result.parts.push_back(partOf(line));
    for (const Json& part : said.at("parts"))
      result.fields.emplace_back(part.at(0).get<std::string>(), part.at(1).get<std::string>());
    MILLRACE_ASSIGN_OR_RETURN(result.graph, graphOf(said, loader, base, result.own));
    return result;
  } catch (const Json::exception& wrong) {  // the user's code wrote to our pipe
    return Error{fmt::format("{}: the program that looked at it wrote something else: {}",
                             loader.file.filename().string(), wrong.what())};
  }
}

std::string whyNot(const Heard& heard, const TrialEnd& end, const OwnLoader& loader) {
  const std::string file = loader.file.filename().string();
  if (heard.trouble)
    return sentenceOf(*heard.trouble, file, loader.interpreter.string()) + framesOf(*heard.trouble);
  if (heard.left)
    return fmt::format("{} ended the program, with exit code {}", file, heard.left->code);
  if (heard.exited && heard.exited->signal != 0)
    return fmt::format("{}: it crashed: signal {} ({})", file, heard.exited->signal,
                       ::strsignal(heard.exited->signal));
  if (!heard.started) {
    const std::string_view errors = trimmed(end.errors);
    return fmt::format("{} could not begin; it must be Python 3.8 or later, with NumPy: {}",
                       loader.interpreter.string(), errors.substr(errors.rfind('\n') + 1));
  }
  return fmt::format("{}: the program that looked at it ended: {}", file, wordsOf(end));
}

}  // namespace

const char* nameOf(Translated how) {
  for (const auto& [word, value] : kWords)
    if (value == how) return word;
  return "";
}

LoaderTranslator::LoaderTranslator(OwnLoader loader, fs::path base, fs::path manifest)
    : m_loader(std::move(loader)), m_base(std::move(base)), m_manifest(std::move(manifest)) {}

Result<LoaderTranslation> LoaderTranslator::run() {
  MILLRACE_ASSIGN_OR_RETURN(const auto parts, inheritedPythonParts());
  const Json settings = {{"name", validUtf8(m_loader.name)}, {"list_file", m_manifest.string()}};
  Heard heard;
  TrialProcess process(pythonCommand(m_loader.interpreter.string(), parts.path(), "translate",
                                     settings.dump(-1, ' ', false, Json::error_handler_t::replace),
                                     m_loader.file.string()),
                       {.stopSeconds = 1}, [&heard](std::string_view line) { heard.take(line); });
  {
    const MutexLock lock(m_mutex);
    m_process = &process;
    if (m_stopped) process.stop();
  }
  const Result<TrialEnd> end = process.run();
  const MutexLock lock(m_mutex);
  m_process = nullptr;
  if (!end) return end.error();
  if (m_stopped) return Error{"stopped"};
  if (!heard.translation) return Error{whyNot(heard, *end, m_loader)};
  return translationOf(*heard.translation, m_loader, m_base);
}

void LoaderTranslator::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_process != nullptr) m_process->tell("end");
}

}  // namespace millrace
