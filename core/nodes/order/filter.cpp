// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/base/in_parallel.h"
#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/kernels/numbers.h"
#include "core/node_parts/formula.h"
#include "core/spec/describe.h"
#include "core/spec/order_warnings.h"

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

/// What a formula can ask about every sample.
enum Fact : std::size_t { kIndex, kLabel, kBytes, kWidth, kHeight, kChannels, kFacts };
constexpr std::array<const char*, kFacts> kFactNames = {"index", "label",  "bytes",
                                                        "width", "height", "channels"};

/// The variables of a formula: the facts, then the single numbers among the source's fields. A
/// field with the name of a fact is that fact.
struct Variables {
  std::vector<std::string> names{kFactNames.begin(), kFactNames.end()};
  std::vector<std::size_t> fields;  ///< of each name after the facts

  explicit Variables(const std::vector<FieldSpec>& stream) {
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const FieldSpec& field = stream[i];
      const bool isNumber = field.dtype != DType::Encoded && field.shape.elements() == 1;
      if (!isNumber || std::ranges::find(names, field.name) != names.end()) continue;
      names.push_back(field.name);
      fields.push_back(i);
    }
  }
};

bool matches(const std::string& text, const TextList& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  });
}

/// Decides by the formula. For use by one thread.
class Examiner {
 public:
  Examiner(const Source& source, Formula formula, Variables variables)
      : m_source(source), m_formula(std::move(formula)), m_variables(std::move(variables)) {
    m_reads = std::ranges::any_of(m_formula.uses(), [](std::size_t i) { return i > kLabel; });
    if (m_reads) m_reader = source.reader();
    const std::vector<FieldSpec> fields = source.fields();
    m_count = fields.size();
    const auto picture = std::ranges::find(fields, Role::Image, &FieldSpec::role);
    m_picture = static_cast<std::size_t>(picture - fields.begin());
  }

  bool keeps(std::uint32_t index) {
    m_formula.variable(kIndex) = index;
    m_formula.variable(kLabel) = static_cast<double>(m_source.labelOf(index));
    // What cannot be read stays: the run reports it as that sample's failure.
    return (m_reads && !read(index)) || m_formula.value() != 0;
  }

 private:
  bool read(std::uint32_t index) {
    m_sample.reset({0, index, 0}, m_count);
    if (!m_reader->read(index, m_sample, m_counters)) return false;
    double bytes = 0;
    for (std::size_t i = 0; i < m_count; ++i) bytes += static_cast<double>(m_sample[i].bytes);
    m_formula.variable(kBytes) = bytes;
    for (std::size_t i = 0; i < m_variables.fields.size(); ++i) {
      const TensorView& number = m_sample[m_variables.fields[i]];
      if (number.bytes > 0)
        toDoubles(number.dtype, number.data, 1, &m_formula.variable(kFacts + i));
    }
    return m_picture == m_count || lookAt(m_sample[m_picture]);
  }

  bool lookAt(const TensorView& picture) {
    ImageInfo info;
    if (picture.dtype == DType::Encoded) {
      const auto head = m_decoder.open(picture.content());
      if (!head) return false;
      info = *head;
    } else if (picture.shape.rank() == 3) {
      info.size = {static_cast<int>(picture.width()), static_cast<int>(picture.height())};
      info.storedChannels = static_cast<int>(picture.channels());
    }
    m_formula.variable(kWidth) = info.size.width;
    m_formula.variable(kHeight) = info.size.height;
    m_formula.variable(kChannels) = info.storedChannels;
    return true;
  }

  const Source& m_source;
  Formula m_formula;
  const Variables m_variables;
  bool m_reads = false;
  std::size_t m_count = 0;
  std::size_t m_picture = 0;  ///< the field with the picture; m_count: there is none
  std::unique_ptr<SourceReader> m_reader;
  ImageDecoder m_decoder;
  Sample m_sample;
  ReadCounters m_counters;
};

/// Whether each sample is kept; not a vector<bool>, because threads write neighbours.
using Marks = std::vector<char>;

void markByFormula(const Source& source, const std::string& where, Marks& marks) {
  std::atomic<std::uint32_t> next = 0;
  constexpr std::size_t kSamplesPerThread = 64;
  const std::size_t threads = std::min<std::size_t>(
      std::max(std::thread::hardware_concurrency(), 1U), marks.size() / kSamplesPerThread + 1);
  inParallel(threads, [&] {
    const Variables variables(source.fields());
    auto formula = Formula::make(where, variables.names);
    if (!formula) return;  // The check has refused it.
    Examiner examiner(source, formula.take(), variables);
    for (std::uint32_t i = next++; i < marks.size(); i = next++)
      if (marks[i] != 0) marks[i] = examiner.keeps(i) ? 1 : 0;
  });
}

/// Samples are examined once per source. Thread-safe.
class Filter final : public IndexTransform, public OrderWarnings {
 public:
  Filter(const Params& params, std::optional<NameSet> list)
      : m_params(params), m_list(std::move(list)) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext& context) const override {
    const std::shared_ptr<const Marks> kept = keptOf(*context.source);
    std::erase_if(order, [&](const SampleIndex& entry) { return (*kept)[entry.index] == 0; });
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
    auto marks = std::make_shared<Marks>(source.size(), 1);
    const std::vector<std::string> classes = source.classes();
    for (std::uint32_t i = 0; i < marks->size(); ++i) {
      const auto label = static_cast<std::size_t>(source.labelOf(i));
      const bool isClass = m_params.classes.empty() ||
                           (label < classes.size() && matches(classes[label], m_params.classes));
      const bool isNamed = m_params.names.empty() || matches(source.name(i), m_params.names);
      (*marks)[i] = isClass && isNamed && isListed(source, i) ? 1 : 0;
    }
    if (!m_params.where.empty()) markByFormula(source, m_params.where, *marks);
    m_kept = std::move(marks);
    m_source = &source;
    return m_kept;
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
  const Variables variables(in.fields);
  if (const auto formula = Formula::make(params.where, variables.names); !formula)
    context.error("where", formula.error().message,
                  fmt::format("it can use {}; an example is width >= 64 && height >= 64",
                              joinWords(variables.names)));
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
