// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/random.h"
#include "core/base/text/text.h"
#include "core/spec/describe.h"
#include "core/spec/order_warnings.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::split {

namespace {

enum class Part : std::uint8_t { Train, Validation };

struct Params {
  Part part = Part::Train;
  double share = 0.1;
  bool eachClass = false;
};

/// A number in [0, 1) that depends on the name alone. The high bits of FNV-1a depend little on the
/// last characters, in which names usually differ, so they are mixed with the finalizer of
/// MurmurHash3 (fmix64, Appleby 2011).
double placeOf(const std::string& name) {
  std::uint64_t hash = fnv1a(name);
  hash = (hash ^ (hash >> 33U)) * 0xff51afd7ed558ccdULL;
  hash = (hash ^ (hash >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
  return static_cast<double>((hash ^ (hash >> 33U)) >> 11U) * 0x1p-53;
}

/// Whether each sample is in the validation part.
using Marks = std::vector<bool>;

Marks markedByName(const Source& source, double share) {
  Marks marks(source.size());
  for (std::uint32_t i = 0; i < source.size(); ++i) marks[i] = placeOf(source.name(i)) < share;
  return marks;
}

std::map<std::int64_t, std::vector<std::uint32_t>> samplesByClass(const Source& source) {
  std::map<std::int64_t, std::vector<std::uint32_t>> classes;
  for (std::uint32_t i = 0; i < source.size(); ++i) classes[source.labelOf(i)].push_back(i);
  return classes;
}

/// How many of a class's samples are in the validation part: the share, rounded, but if there are
/// two samples or more, one in each part.
std::size_t validationCount(std::size_t samples, double share) {
  const auto count =
      static_cast<std::size_t>(std::floor(share * static_cast<double>(samples) + 0.5));
  const bool inBoth = samples > 1 && share > 0 && share < 1;
  return inBoth ? std::clamp<std::size_t>(count, 1, samples - 1) : count;
}

Marks markedByClass(const Source& source, double share) {
  Marks marks(source.size());
  for (const auto& [label, samples] : samplesByClass(source)) {
    std::vector<std::pair<double, std::uint32_t>> places;
    places.reserve(samples.size());
    for (const std::uint32_t i : samples) places.emplace_back(placeOf(source.name(i)), i);
    std::ranges::sort(places);
    places.resize(validationCount(samples.size(), share));
    for (const auto& [place, i] : places) marks[i] = true;
  }
  return marks;
}

/// The classes that are far from the share: "dog has none of its 5 samples there". Empty if there
/// is one class only.
std::vector<std::string> farClasses(const Source& source, const Marks& marks, const Params& p) {
  std::vector<std::string> found;
  const std::vector<std::string> names = source.classes();
  const auto classes = samplesByClass(source);
  for (const auto& [label, samples] : classes) {
    if (classes.size() < 2 || label < 0 || samples.size() < 2) continue;
    const auto all = static_cast<double>(samples.size());
    const auto validation =
        static_cast<double>(std::ranges::count_if(samples, [&](auto i) { return marks[i]; }));
    const bool isWhole = validation == 0 || validation == all;
    if (!isWhole && std::abs(validation - p.share * all) < all / 2) continue;
    const auto at = static_cast<std::size_t>(label);
    const double kept = p.part == Part::Validation ? validation : all - validation;
    found.push_back(fmt::format("{} has {} of its {} samples there",
                                at < names.size() ? singleLine(names[at]) : std::to_string(label),
                                kept == 0 ? "none" : fmt::format("{}", kept), all));
  }
  return found;
}

/// Names are hashed once per source. Thread-safe.
class Split final : public IndexTransform, public OrderWarnings {
 public:
  explicit Split(const Params& params) : m_params(params) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext& context) const override {
    const std::shared_ptr<const Marks> validation = validationOf(*context.source);
    const bool wanted = m_params.part == Part::Validation;
    std::erase_if(order, [&](const SampleIndex& e) { return (*validation)[e.index] != wanted; });
  }

  std::vector<OrderWarning> warnings(const Source& source) const override {
    const std::shared_ptr<const Marks> validation = validationOf(source);
    const auto chosen = static_cast<double>(std::ranges::count(*validation, true));
    const auto all = static_cast<double>(validation->size());
    if (all == 0 || m_params.share <= 0 || m_params.share >= 1) return {};
    std::vector<std::string> classes = farClasses(source, *validation, m_params);
    const bool isFar = std::abs(chosen - m_params.share * all) > kFar * m_params.share * all;
    if (!isFar && classes.empty()) return {};
    const bool isValidation = m_params.part == Part::Validation;
    std::string message =
        fmt::format("the {} part has {} of {} samples ({:.0f} %; the share asks for {:.0f} %)",
                    isValidation ? "validation" : "training", isValidation ? chosen : all - chosen,
                    all, 100 * (isValidation ? chosen : all - chosen) / all,
                    100 * (isValidation ? m_params.share : 1 - m_params.share));
    const std::size_t more = classes.size() > kShown ? classes.size() - kShown : 0;
    classes.resize(classes.size() - more);
    for (const std::string& words : classes) message += "; " + words;
    if (more > 0) message += fmt::format("; the same holds for {} more classes", more);
    return {
        {message, m_params.eachClass ? "" : "set each_class to divide each class by the share"}};
  }

 private:
  static constexpr double kFar = 0.5;       ///< of the share, from which a deviation is reported
  static constexpr std::size_t kShown = 5;  ///< most classes that a warning names

  std::shared_ptr<const Marks> validationOf(const Source& source) const {
    const MutexLock lock(m_mutex);
    if (m_validation && m_source == &source) return m_validation;
    m_validation =
        std::make_shared<const Marks>(m_params.eachClass ? markedByClass(source, m_params.share)
                                                         : markedByName(source, m_params.share));
    m_source = &source;
    return m_validation;
  }

  const Params m_params;
  mutable Mutex m_mutex;
  mutable const Source* m_source MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  mutable std::shared_ptr<const Marks> m_validation MILLRACE_GUARDED_BY(m_mutex);
};

StreamType infer(const Params&, const StreamType& in, InferContext&) {
  StreamType out = in;
  out.samples.reset();  // which names belong to which part is only known once the data is read
  return out;
}

/// The arguments that say which samples are wanted.
std::string choiceText(const Params& p) {
  return fmt::format("\"{}\", {}{}", p.part == Part::Train ? "train" : "validation",
                     pythonReal(p.share), p.eachClass ? ", each_class=True" : "");
}

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  return text.needs("split").step(fmt::format("split(order, source, {})", choiceText(p)));
}

ExportText arrays(const Params& p, const char* order) {
  ExportText text;
  return text.needs("split_part")
      .needs("kept")
      .step(fmt::format("kept({}, split_part(source, {}))", order, choiceText(p)));
}

ExportText tfdata(const Params& p, const ExportContext&) { return arrays(p, "ds"); }
ExportText dali(const Params& p, const ExportContext&) { return arrays(p, "order"); }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("split", Category::Order, NodeRole::Order);
  d.label("Split").help(
      "Selects the training or the validation part of a data set that is not divided. The part of "
      "a sample follows from its name, so a sample never changes sides when others are added or "
      "removed. For small data sets `each_class` divides every class by the share.");
  d.example(R"({"part": "validation", "share": 0.1})");
  d.tags({"train", "validation", "holdout"});
  d.choice<Part>("part", &Params::part,
                 {{Part::Train, "train", "All samples that are not in the validation part."},
                  {Part::Validation, "validation", "About `share` of the samples."}})
      .label("Part")
      .help("Which part to keep.");
  d.real("share", &Params::share)
      .label("Validation share")
      .range(0, 1)
      .help("Fraction of the samples in the validation part.");
  d.boolean("each_class", &Params::eachClass)
      .label("Divide each class")
      .help(
          "Divide every class by exactly the share, with at least one sample in each part. Samples "
          "may then change sides when others are added to their class. Without labels, all samples "
          "count as one class.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Split>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", [](const Params&, const ExportContext&) {
    ExportText text;
    text.missing = "Grain does not have this choice of samples: let Samples list them.";
    return text;
  });
  return d.take();
}

}  // namespace millrace::nodes::split
