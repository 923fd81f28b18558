// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/random.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::split {

namespace {

enum class Part : std::uint8_t { Train, Validation };

struct Params {
  Part part = Part::Train;
  double share = 0.1;
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

/// Names are hashed once per source. Thread-safe.
class Split final : public IndexTransform {
 public:
  explicit Split(const Params& params) : m_params(params) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext& context) const override {
    const std::shared_ptr<const std::vector<bool>> validation = validationOf(*context.source);
    const bool wanted = m_params.part == Part::Validation;
    std::erase_if(order, [&](const SampleIndex& e) { return (*validation)[e.index] != wanted; });
  }

 private:
  std::shared_ptr<const std::vector<bool>> validationOf(const Source& source) const {
    const MutexLock lock(m_mutex);
    if (m_validation && m_source == &source) return m_validation;
    auto validation = std::make_shared<std::vector<bool>>(source.size());
    for (std::uint32_t i = 0; i < source.size(); ++i)
      (*validation)[i] = placeOf(source.name(i)) < m_params.share;
    m_source = &source;
    m_validation = validation;
    return validation;
  }

  const Params m_params;
  mutable Mutex m_mutex;
  mutable const Source* m_source MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  mutable std::shared_ptr<const std::vector<bool>> m_validation MILLRACE_GUARDED_BY(m_mutex);
};

StreamType infer(const Params&, const StreamType& in, InferContext&) {
  StreamType out = in;
  out.samples.reset();  // which names belong to which part is only known once the data is read
  return out;
}

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  return text.needs("split").step(fmt::format("split(order, source, \"{}\", {})",
                                              p.part == Part::Train ? "train" : "validation",
                                              pythonReal(p.share)));
}

ExportText arrays(const Params& p, const char* order) {
  ExportText text;
  return text.needs("split_part")
      .needs("kept")
      .step(fmt::format("kept({}, split_part(source, \"{}\", {}))", order,
                        p.part == Part::Train ? "train" : "validation", pythonReal(p.share)));
}

ExportText tfdata(const Params& p, const ExportContext&) { return arrays(p, "ds"); }
ExportText dali(const Params& p, const ExportContext&) { return arrays(p, "order"); }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("split", Category::Order, NodeRole::Order);
  d.label("Split").help(
      "Selects the training or the validation part of a data set that is not divided. The part of "
      "a sample follows from its name, so a sample never changes sides when others are added or "
      "removed.");
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
