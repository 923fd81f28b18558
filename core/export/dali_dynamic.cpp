// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// DALI's dynamic mode: operations that run one by one, in a loop over a reader. The statements of
// the kinds are those of DALI's short form, in the names of this mode; a snippet X becomes
// dynamic_X, and a node that needs one which is not there is refused. Steps of a source, under
// "dali-dynamic.short":
//   first    statements that make `self.reader` with the arguments `options`
//   second   the head of a loop over an epoch
//   others   statements that make `sample`
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/export/dali_short.h"
#include "core/export/dali_steps.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

constexpr const char* kDynamicTarget = "dali-dynamic";
constexpr const char* kDynamicLabel = "NVIDIA DALI (dynamic mode)";
constexpr const char* kDynamicPrefix = "dynamic_";
constexpr std::int64_t kCaptured = 2;  // finished batches of a captured loop

bool isOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Translates code of a pipeline. Texts in quotes stay unchanged.
class DynamicCode {
 public:
  explicit DynamicCode(std::string_view code) : m_rest(code) {}

  std::string translated() {
    while (!m_rest.empty()) {
      if (m_rest.front() == '"')
        take(textLength());
      else if (isOfWord(m_rest.front()))
        takeWord();
      else
        takeSign();
    }
    return std::move(m_done);
  }

 private:
  void take(std::size_t length) {
    m_done += m_rest.substr(0, length);
    m_rest.remove_prefix(length);
  }
  std::size_t textLength() const {
    std::size_t at = 1;
    while (at < m_rest.size() && m_rest[at] != '"') at += m_rest[at] == '\\' ? 2 : 1;
    return std::min(at + 1, m_rest.size());
  }
  std::size_t wordLength() const {
    const auto end = std::ranges::find_if_not(m_rest, isOfWord);
    return static_cast<std::size_t>(end - m_rest.begin());
  }
  bool replace(std::string_view before, std::string_view after) {
    if (!m_rest.starts_with(before)) return false;
    const std::string_view next = m_rest.substr(before.size(), 1);
    if (isOfWord(before.back()) && !next.empty() && isOfWord(next.front())) return false;
    m_done += after;
    m_rest.remove_prefix(before.size());
    return true;
  }
  void takeWord();
  void takeSign();

  std::string_view m_rest;
  std::string m_done;
  bool m_draws = false;          ///< the next parenthesis has the arguments of a random operator
  std::vector<bool> m_brackets;  ///< of each open one: whether it has such arguments
};

void DynamicCode::takeWord() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNames = {
      {{"fn.", "ndd."},
       {"math.", "ndd.math."},
       {"DECODER", "DEVICE"},
       {"types.UINT8", "ndd.uint8"},
       {"types.INT32", "ndd.int32"},
       {"types.INT64", "ndd.int64"},
       {"types.FLOAT", "ndd.float32"}}};
  const bool isMember = m_done.ends_with('.');
  if (m_rest.starts_with("fn.random.")) m_draws = true;
  for (const auto& [before, after] : kNames)
    if (!isMember && replace(before, after)) return;
  take(wordLength());
}

void DynamicCode::takeSign() {
  const char sign = m_rest.front();
  if (sign == '(') {
    m_brackets.push_back(m_draws);
    m_draws = false;
  }
  if (sign == ')' && !m_brackets.empty()) {
    if (m_brackets.back()) m_done += ", **DRAW";
    m_brackets.pop_back();
  }
  take(1);
}

std::vector<std::string> translated(const std::vector<std::string>& statements) {
  std::vector<std::string> all;
  for (const std::string& statement : statements)
    all.push_back(DynamicCode(statement).translated());
  return all;
}

bool hasSnippet(const std::string& name) {
  return std::ranges::any_of(embeddedSnippets(), [&](const EmbeddedSnippet& snippet) {
    return snippet.target == kDaliTarget && snippet.name == name;
  });
}

/// Why the pipeline cannot be written, "NODE: reason."; empty: it can.
std::string whyNotDynamic(const ShortForm& form) {
  if (!form.why.empty()) return form.why;
  for (const NodeText& node : form.nodes)
    for (const std::string& snippet : node.text.snippets)
      if (!hasSnippet(kDynamicPrefix + snippet))
        return fmt::format("{}: it needs more than one operation.", node.node->id);
  return {};
}

bool mention(const std::vector<std::string>& statements, const char* name) {
  return std::ranges::any_of(statements, [name](const std::string& statement) {
    return statement.find(name) != std::string::npos;
  });
}

class DynamicDali {
 public:
  DynamicDali(const ExportSubject& subject, ShortForm form)
      : m_subject(subject),
        m_form(std::move(form)),
        m_runtime(runtimeOf(m_form.nodes)),
        m_file(kDaliTarget),
        m_steps(daliSteps(m_subject, m_form)) {}

  Result<Exported> write();

 private:
  void addTextsOfNodes();
  bool draws(const std::vector<std::string>& processing) const;
  void addLimits();
  void defineLoader(const std::vector<std::string>& processing);

  const ExportSubject& m_subject;
  ShortForm m_form;
  const RuntimeNodes m_runtime;
  PythonFile m_file;
  DaliSteps m_steps;
};

/// Without their imports, which are those of pipelines.
void DynamicDali::addTextsOfNodes() {
  for (NodeText& node : m_form.nodes) {
    std::erase_if(node.text.imports, [](const std::string& line) {
      return line.find("nvidia.dali") != std::string::npos;
    });
    for (std::string& snippet : node.text.snippets) snippet.insert(0, kDynamicPrefix);
  }
  addTexts(m_form.nodes, m_file);
}

/// Whether random operators run, in statements or in snippets.
bool DynamicDali::draws(const std::vector<std::string>& processing) const {
  std::vector<std::string> code = processing;
  for (const NodeText& node : m_form.nodes)
    for (const std::string& snippet : node.text.snippets)
      code.push_back(snippetNamed(kDaliTarget, snippet).body);
  return mention(code, "**DRAW");
}

void DynamicDali::addLimits() {
  m_file.limit("DALI calls this mode experimental.");
  addDaliLimits(m_file, m_subject, m_runtime, m_steps.shuffles);
  if (m_runtime.prefetch > kCaptured)
    m_file.limit(fmt::format("At most {} finished batches wait.", kCaptured));
}

void DynamicDali::defineLoader(const std::vector<std::string>& processing) {
  const std::vector<std::string>& source = m_steps.source;
  std::vector<std::string> made{
      "ndd.set_num_threads(WORKERS)",
      "ndd.random.set_seed(SEED + RANK)",
      "options = {\"shard_id\": RANK, \"num_shards\": WORLD_SIZE, \"pad_last_batch\": True}",
      fmt::format("options |= {{\"max_batch_size\": BATCH_SIZE, \"{}\": True}}",
                  m_steps.shuffles ? "shuffle_after_epoch" : "stick_to_shard"),
      source.at(0),
      "total = self.reader.get_metadata()[\"epoch_size\"]",
      "self.samples = (RANK + 1) * total // WORLD_SIZE - RANK * total // WORLD_SIZE"};
  std::vector<std::string> loop(source.begin() + 2, source.end());
  loop.insert(loop.end(), processing.begin(), processing.end());
  loop.insert(loop.end(),
              {"rows, left = min(left, BATCH_SIZE), left - BATCH_SIZE",
               fmt::format("if rows {}:", m_runtime.batch.dropLast ? "== BATCH_SIZE" : "> 0"),
               "    yield {name: sample[name].torch()[:rows] for name in FIELDS}"});
  m_file.define(
      "class Loader:\n"
      "    \"\"\"Dicts of tensors; each iteration is an epoch, to be taken to its end.\"\"\"\n\n"
      "    def __init__(self):" +
      bodyText(made, 8) + "\n\n    def __iter__(self):" +
      bodyText({"left = self.samples  # the last batch is filled up", source.at(1)}, 8) +
      bodyText(loop, 12));
  m_file.define(
      "def make_loader():\n    \"\"\"Return the loader of this rank.\"\"\"\n    return Loader()");
}

Result<Exported> DynamicDali::write() {
  addTextsOfNodes();
  const std::vector<std::string> processing = translated(m_steps.processing);
  addDaliOptions(m_file, m_subject, m_runtime);
  m_file.option({"DEVICE", "\"cpu\"", "\"gpu\": decode and process on the current CUDA device"});
  if (draws(processing))
    m_file.option({"DRAW", "{\"device\": \"cpu\", \"batch_size\": BATCH_SIZE}", "random numbers"});
  addLimits();
  m_file.import("import nvidia.dali.experimental.dynamic as ndd");
  if (mention(processing, "types.")) m_file.import("from nvidia.dali import types");
  defineLoader(processing);
  MILLRACE_TRY(addDaliMain(m_file, m_subject));
  return m_file.finish(m_subject, kDynamicLabel, kDaliNeeds);
}

Result<Exported> writeDynamic(const ExportSubject& subject) {
  const std::vector<NodeText> texts = nodeTexts(subject, kDaliTarget);
  MILLRACE_TRY(demandUnpacking(texts, kDynamicLabel));
  ShortForm form = shortForm(subject, kDaliTarget, kDynamicTarget);
  fuseDecode(form, subject, "dali.decoding");
  const std::string why = whyNotDynamic(form);
  if (why.empty()) return DynamicDali(subject, std::move(form)).write();
  const bool isAtAll =
      std::ranges::all_of(texts, [](const NodeText& node) { return node.text.missing.empty(); });
  return Error{fmt::format("{} {} cannot express it: export to {}, or change the node", why,
                           kDynamicLabel, isAtAll ? kDaliTarget : "python")};
}

}  // namespace

namespace targets {

Exporter daliDynamic() {
  Exporter exporter;
  exporter.name = kDynamicTarget;
  exporter.label = kDynamicLabel;
  exporter.about = "operations in a Python loop; runs on CPU or GPU";
  exporter.extension = ".py";
  exporter.builtOn = kDaliTarget;
  exporter.shortOnly = true;
  exporter.trains = true;
  exporter.write = writeDynamic;
  return exporter;
}

}  // namespace targets

}  // namespace millrace
