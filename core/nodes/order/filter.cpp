// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/node_parts/sample_formula.h"
#include "core/spec/describe.h"
#include "core/spec/order_warnings.h"
#include "core/spec/reads_samples.h"

namespace millrace::nodes::filter {

namespace {

struct Params {
  std::string where;
  TextList classes;
  TextList names;
  std::string list;
};

using NameSet = std::unordered_set<std::string>;

/// The lines of a list of samples.
Result<NameSet> readList(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return Error{fmt::format("`{}` is not a file", validUtf8(file.native()))};
  std::ifstream stream(file, std::ios::binary);
  NameSet names;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) names.insert(line);
  }
  if (stream.bad()) return Error{fmt::format("`{}` cannot be read", validUtf8(file.native()))};
  if (names.empty()) return Error{fmt::format("`{}` names no samples", validUtf8(file.native()))};
  return names;
}

bool matches(const std::string& text, const TextList& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  });
}

/// Whether each sample is kept.
using Marks = std::vector<bool>;

/// Samples are examined once per source. Thread-safe.
class Filter final : public IndexTransform, public OrderWarnings, public ReadsSamples {
 public:
  Filter(const Params& params, std::optional<NameSet> list)
      : m_params(params), m_list(std::move(list)) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext& context) const override {
    const std::shared_ptr<const Marks> kept = keptOf(*context.source);
    std::erase_if(order, [&](const SampleIndex& entry) { return !(*kept)[entry.index]; });
  }

  bool readsSamples(const Source& source) const override {
    return !m_params.where.empty() && formulaReadsSamples(source, m_params.where);
  }

  std::vector<OrderWarning> warnings(const Source& source) const override {
    const std::vector<std::string> classes = source.classes();
    std::vector<OrderWarning> all;
    for (const std::string& pattern : m_params.classes)
      if (std::ranges::none_of(classes, [&](const auto& name) { return matches(name, {pattern}); }))
        all.push_back({fmt::format("no class is named `{}`", singleLine(pattern)),
                       classes.empty() ? "the source has no classes; use `names` or `where`"
                                       : "`millrace inspect` lists the classes"});
    if (const std::size_t unknown = namesWithoutSample(source); unknown > 0)
      all.push_back({fmt::format("{} of {} in `{}` {} no sample", grouped(unknown),
                                 counted(m_list->size(), "line"), singleLine(m_params.list),
                                 unknown == 1 ? "is" : "are"),
                     "each line must be the name of a sample or the whole path of its file"});
    return all;
  }

 private:
  bool isListed(const Source& source, std::uint32_t index) const {
    return !m_list || m_list->contains(source.name(index)) || m_list->contains(source.file(index));
  }

  std::size_t namesWithoutSample(const Source& source) const {
    if (!m_list) return 0;
    NameSet rest = *m_list;
    for (std::uint32_t i = 0; i < source.size() && !rest.empty(); ++i) {
      rest.erase(source.name(i));
      rest.erase(source.file(i));
    }
    return rest.size();
  }

  std::shared_ptr<const Marks> keptOf(const Source& source) const {
    const MutexLock lock(m_mutex);
    if (m_kept && m_source == &source) return m_kept;
    auto marks = std::make_shared<Marks>(source.size());
    const std::vector<std::string> classes = source.classes();
    for (std::uint32_t i = 0; i < marks->size(); ++i) {
      const auto label = static_cast<std::size_t>(source.labelOf(i));
      const bool isClass = m_params.classes.empty() ||
                           (label < classes.size() && matches(classes[label], m_params.classes));
      const bool isNamed = m_params.names.empty() || matches(source.name(i), m_params.names);
      (*marks)[i] = isClass && isNamed && isListed(source, i);
    }
    if (!m_params.where.empty()) markByFormula(source, *marks);
    m_kept = std::move(marks);
    m_source = &source;
    return m_kept;
  }

  /// What cannot be read stays: the run reports it as that sample's failure.
  void markByFormula(const Source& source, Marks& marks) const {
    const std::vector<double> values =
        valuesOfSamples(source, m_params.where, [&](std::uint32_t i) { return marks[i]; });
    for (std::uint32_t i = 0; i < marks.size(); ++i) marks[i] = marks[i] && values[i] != 0;
  }

  const Params m_params;
  const std::optional<NameSet> m_list;
  mutable Mutex m_mutex;
  mutable const Source* m_source MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  mutable std::shared_ptr<const Marks> m_kept MILLRACE_GUARDED_BY(m_mutex);
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  out.samples.reset();  // Which samples are kept is only known once the data is read.
  if (!params.list.empty())
    if (const auto list = readList(context.base() / params.list); !list)
      context.error("list", list.error().message, "set a text file with a sample on each line");
  if (params.where.empty()) return out;
  checkSampleFormula("where", params.where, "width >= 64 && height >= 64", in, context);
  return out;
}

/// Other loaders have no such step before reading.
ExportText notExported(const Params& p, const ExportContext&) {
  ExportText text;
  if (!p.where.empty() || !p.classes.empty() || !p.names.empty() || !p.list.empty())
    text.missing =
        "The filter is not exported: choose the samples yourself, or export the pipeline as Python "
        "over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("filter", Category::Order, NodeRole::Order);
  d.label("Filter").help(
      "Keeps the samples for which all of its conditions hold, by class, by name, by a list or by "
      "a "
      "formula. "
      "The nodes after it see only these: `take` counts them, `split` and `balance` divide them. A "
      "formula that asks for more than `label` and `index` reads every sample, without decoding "
      "it, before the first batch of each repeat. A sample that cannot be read stays, and fails in "
      "the run.");
  d.example(R"({"where": "width >= 64 && height >= 64"})");
  d.tags({"select", "condition", "subset", "exclude"});
  d.text("where", &Params::where)
      .label("Condition")
      .optional()
      .help(
          "A formula such as `width >= 64 && bytes < 1000000`; samples for which it is 0 are left "
          "out. It can use `index`, `label` (the number of the class; -1: none), `bytes` (of all "
          "fields), `width`, `height` and `channels` of the picture in its file, and every field "
          "that is a single number. Empty: no condition.");
  d.texts("classes", &Params::classes)
      .label("Classes")
      .optional()
      .help(
          "Names of the classes to keep; `*` stands for any letters: `cat`, `n02*`. Classes keep "
          "their numbers. Empty: all.");
  d.texts("names", &Params::names)
      .label("Names")
      .optional()
      .help(
          "Names of the samples to keep, as `millrace preview` shows them; `*` stands for any "
          "letters: `*_frontal.jpg`. Empty: all.");
  d.path("list", &Params::list)
      .file()
      .label("List")
      .optional()
      .help(
          "A text file with a sample to keep on each line: its name or the whole path of its file. "
          "The report on data writes such a list of the samples without damage. Empty: all.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext& context) -> Result<std::shared_ptr<const IndexTransform>> {
    std::optional<NameSet> names;
    if (!params.list.empty()) {
      MILLRACE_ASSIGN_OR_RETURN(names, readList(context.base / params.list));
    }
    return std::shared_ptr<const IndexTransform>(
        std::make_shared<Filter>(params, std::move(names)));
  });
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) d.exporter(target, notExported);
  return d.take();
}

}  // namespace millrace::nodes::filter
