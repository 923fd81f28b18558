// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <array>

#include "core/spec/describe.h"

namespace millrace::nodes::balance {

namespace {

enum class To : std::uint8_t { Largest, Smallest, Mean };

struct Params {
  To to = To::Largest;
};

using Entries = std::vector<SampleIndex>;

/// The samples of each class that has any, in their order; classes by number. Samples without a
/// class are left out.
std::vector<Entries> byClass(const Entries& order, const Source& source) {
  std::map<std::int64_t, Entries> classes;
  for (const SampleIndex& entry : order)
    if (const std::int64_t label = source.labelOf(entry.index); label >= 0)
      classes[label].push_back(entry);
  std::vector<Entries> groups;
  for (auto& [label, entries] : classes) groups.push_back(std::move(entries));
  return groups;
}

std::size_t sizeFor(To to, const std::vector<Entries>& groups) {
  std::size_t smallest = groups.front().size();
  std::size_t largest = 0;
  std::size_t sum = 0;
  for (const Entries& group : groups) {
    smallest = std::min(smallest, group.size());
    largest = std::max(largest, group.size());
    sum += group.size();
  }
  if (to == To::Largest) return largest;
  return to == To::Smallest ? smallest : (sum + groups.size() / 2) / groups.size();
}

void shuffleEntries(Entries& entries, Draw& draw) {
  for (std::size_t left = entries.size(); left > 1; --left)
    std::swap(
        entries[left - 1],
        entries[static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(left) - 1))]);
}

/// `size` entries of a class: whole copies followed by part of a copy, each in a separate order.
/// Copies are numbered on, so that no two copies of a sample have the same draws.
Entries resized(Entries entries, std::size_t size, std::uint32_t copies, Draw& draw) {
  Entries out;
  out.reserve(size);
  for (std::uint32_t time = 0; out.size() < size; ++time) {
    if (!draw.centred()) shuffleEntries(entries, draw);
    for (std::size_t i = 0; i < entries.size() && out.size() < size; ++i)
      out.push_back({entries[i].index, entries[i].copy + time * copies});
  }
  return out;
}

class Balance final : public IndexTransform {
 public:
  explicit Balance(const Params& params) : m_params(params) {}

  void apply(Entries& order, const OrderContext& context) const override {
    std::vector<Entries> groups = byClass(order, *context.source);
    if (groups.empty()) {
      order.clear();
      return;
    }
    std::uint32_t copies = 0;
    for (const SampleIndex& entry : order) copies = std::max(copies, entry.copy + 1);
    Draw draw = context.draw();
    const std::size_t size = sizeFor(m_params.to, groups);
    for (Entries& group : groups) group = resized(std::move(group), size, copies, draw);
    order.resize(size * groups.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = groups[i % groups.size()][i / groups.size()];
  }
  bool varies() const override { return true; }

 private:
  const Params m_params;
};

StreamType infer(const Params&, const StreamType& in, InferContext& context) {
  if (!in.fields.empty() && actedFields(in, {}, {Role::Label}).empty())
    context.error("", "the samples have no label by which to balance them",
                  "use a source with labels (image_folder, or manifest with label_column), or "
                  "remove this node");
  StreamType out = in;
  out.samples.reset();  // the sizes of the classes are only known once the data is read
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  constexpr const char* kTo[] = {"largest", "smallest", "mean"};
  ExportText text;
  return text.needs("balanced")
      .step(fmt::format("balanced(order, source, \"{}\", {})", kTo[static_cast<std::size_t>(p.to)],
                        context.noRandom ? "None" : "generator"));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kTo = {"largest", "smallest", "mean"};
  ExportText text;
  return text.needs("balanced")
      .needs("balanced_dataset")
      .step(fmt::format("balanced_dataset(ds, source, \"{}\", {})",
                        kTo.at(static_cast<std::size_t>(p.to)),
                        context.noRandom ? "None" : "epoch"));
}

ExportText dali(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kTo = {"largest", "smallest", "mean"};
  ExportText text;
  return text.needs("balanced")
      .step(fmt::format("balanced(order, source, \"{}\", {})",
                        kTo.at(static_cast<std::size_t>(p.to)), context.noRandom ? "None" : "rng"));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("balance", Category::Order, NodeRole::Order);
  d.label("Balance").help(
      "Gives every class the same number of samples per epoch, with classes alternating. Samples "
      "of rare classes are repeated, or only some samples of frequent classes are used; the choice "
      "is drawn again in each epoch.");
  d.example(R"({"to": "mean"})");
  d.tags({"oversample", "undersample", "imbalance", "weighted"});
  d.choice<To>("to", &Params::to,
               {{To::Largest, "largest", "Rare classes are repeated; no sample is left out."},
                {To::Smallest, "smallest",
                 "A random part of each frequent class is used; no sample is repeated."},
                {To::Mean, "mean", "Both; the size of the epoch stays about the same."}})
      .label("To the size of")
      .help("Number of samples per class in an epoch.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Balance>(params));
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

}  // namespace millrace::nodes::balance
