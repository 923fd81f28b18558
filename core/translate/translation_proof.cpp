// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/translate/translation_proof.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/node_parts/own_code.h"
#include "core/own_python/python_worker.h"
#include "core/preview/preview_chain.h"
#include "core/preview/preview_field.h"
#include "core/preview/preview_run.h"

namespace millrace {

namespace {

constexpr double kOneLevel = 1.001;  // rounded to the other side
constexpr double kMostLevels = 2;
constexpr double kMeanLevels = 0.5;
constexpr double kLastBits = 1e-5;
constexpr std::size_t kShownFailures = 3;

/// The user's dataset, read by the numbers of its samples.
class TheirSamples {
 public:
  static Result<TheirSamples> open(const LoaderTranslation& translation, const OwnLoader& loader) {
    PythonFunction function;
    function.interpreter = loader.interpreter;
    function.file = loader.file;
    function.base = loader.file.parent_path();
    function.name = translation.dataset;
    function.dataset = true;
    function.iterated = true;
    function.inputs = {"index"};
    for (const auto& [part, field] : translation.fields) function.results.push_back({part, false});
    MILLRACE_ASSIGN_OR_RETURN(auto program, PythonProgram::of(function));
    return TheirSamples(std::move(program), translation.chosen);
  }

  std::uint64_t size() const {
    return m_chosen ? m_chosen->size() : static_cast<std::uint64_t>(m_program->samples());
  }
  /// `centred`: every draw is the centre of its range. Otherwise with the seeds that the node
  /// that calls a dataset gives.
  Result<std::vector<TensorView>> at(std::uint64_t place, bool centred) {
    std::int64_t index = m_chosen ? (*m_chosen)[place] : static_cast<std::int64_t>(place);
    const TensorView number{
        DType::I64, Layout::Plain, {}, reinterpret_cast<std::byte*>(&index), sizeof index};
    const auto seed =
        centred ? std::nullopt : nodes::seedOfItem(static_cast<std::uint32_t>(index), SampleKey{});
    return m_worker->call({&number, 1}, seed, [] { return true; });
  }

 private:
  TheirSamples(std::shared_ptr<PythonProgram> program,
               std::optional<std::vector<std::int64_t>> chosen)
      : m_program(std::move(program)),
        m_worker(std::make_unique<PythonWorker>(m_program)),
        m_chosen(std::move(chosen)) {}

  std::shared_ptr<PythonProgram> m_program;
  std::unique_ptr<PythonWorker> m_worker;
  std::optional<std::vector<std::int64_t>> m_chosen;
};

/// One level of 255 in the values of a field; 0 if they are not on the scale of a known node.
double levelOf(const FieldSpec& spec, const Plan& plan, const std::vector<std::string>& own) {
  if (spec.role != Role::Image && spec.role != Role::Target) return 0;
  if (!isFloat(spec.dtype)) return 1;
  double level = 1.0 / 255;
  for (const CheckedNode& node : plan.pipeline.nodes) {
    if (std::ranges::find(own, node.id) != own.end()) level = 0;
    const auto found = node.values.find("deviation");
    const auto* reals =
        found == node.values.end() ? nullptr : std::get_if<RealList>(&found->second);
    if (reals == nullptr || reals->empty()) continue;
    const double deviation = *std::ranges::min_element(*reals);
    level = deviation > 0 ? 1 / (255 * deviation) : 0;
  }
  return level;
}

/// Without sizes of 1, which say nothing about the values: 1 x 224 x 224 is 224 x 224 x 1.
std::vector<std::int64_t> bareShape(const Shape& shape) {
  std::vector<std::int64_t> sizes(shape.begin(), shape.end());
  std::erase(sizes, 1);
  return sizes;
}

/// Collects the differences of one field.
class Comparison {
 public:
  Comparison(std::string name, double level) {
    m_field.name = std::move(name);
    m_field.level = level;
  }

  void add(const TensorView& theirs, const TensorView& ours) {
    if (!m_field.trouble.empty()) return;
    if (bareShape(theirs.shape) != bareShape(ours.shape)) {
      m_field.trouble = fmt::format("{} in the pipeline, but {} in your dataset", ours.shape.text(),
                                    theirs.shape.text());
      return;
    }
    if (m_field.samples == 0) note(theirs, ours);
    const std::vector<double> a = elementsOf(theirs);
    const std::vector<double> b = elementsOf(ours);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double difference = std::abs(a[i] - b[i]);
      m_sum += difference;
      m_field.largest = std::max(m_field.largest, difference);
    }
    m_elements += a.size();
    ++m_field.samples;
  }
  void trouble(std::string text) { m_field.trouble = std::move(text); }
  /// Equal values can have another type or shape.
  void note(const TensorView& theirs, const TensorView& ours) {
    const bool same = theirs.dtype == ours.dtype && std::ranges::equal(theirs.shape, ours.shape);
    if (!same)
      m_field.form = fmt::format("{} {} instead of {} {}", nameOf(ours.dtype), ours.shape.text(),
                                 nameOf(theirs.dtype), theirs.shape.text());
  }
  FieldDifference result() const {
    FieldDifference field = m_field;
    field.mean = m_elements > 0 ? m_sum / static_cast<double>(m_elements) : 0;
    return field;
  }

 private:
  FieldDifference m_field;
  double m_sum = 0;
  std::uint64_t m_elements = 0;
};

std::set<std::uint64_t> spread(std::uint64_t samples, std::size_t count) {
  std::set<std::uint64_t> chosen;
  const std::uint64_t most = std::min<std::uint64_t>(samples, count);
  for (std::uint64_t i = 0; i < most; ++i)
    chosen.insert(most == 1 ? 0 : i * (samples - 1) / (most - 1));
  return chosen;
}

/// Both sides, sample by sample.
class Prover {
 public:
  Prover(const Plan& plan, const LoaderTranslation& translation) {
    const std::vector<FieldSpec>& specs = plan.pipeline.nodes.back().out.fields;
    for (const auto& [part, name] : translation.fields) {
      const auto found = std::ranges::find(specs, name, &FieldSpec::name);
      const bool there = found != specs.end();
      m_places.push_back(static_cast<std::size_t>(found - specs.begin()));
      m_fields.emplace_back(name, there ? levelOf(*found, plan, translation.own) : 0);
      if (!there) m_fields.back().trouble("the pipeline has no such field");
    }
  }

  void compare(std::uint64_t index, const Result<std::vector<TensorView>>& theirs,
               const PreviewSample& ours, TranslationProof& proof) {
    if (ours.epochSamples) proof.pipeline = *ours.epochSamples;
    const bool failed = ours.sample == nullptr;
    if (!theirs || failed) {
      if (proof.failures.size() < kShownFailures)
        proof.failures.push_back(
            fmt::format("sample {}: {}", index, !theirs ? theirs.error().message : ours.error));
      return;
    }
    ++proof.compared;
    for (std::size_t f = 0; f < m_fields.size(); ++f)
      if (m_places[f] < ours.sample->fields())
        m_fields[f].add((*theirs)[f], (*ours.sample)[m_places[f]]);
  }

  std::vector<FieldDifference> results() const {
    std::vector<FieldDifference> results;
    for (const Comparison& field : m_fields) results.push_back(field.result());
    return results;
  }

 private:
  std::vector<std::size_t> m_places;
  std::vector<Comparison> m_fields;
};

}  // namespace

bool FieldDifference::close() const {
  if (!trouble.empty() || samples == 0) return false;
  if (level > 0)
    return largest <= kOneLevel * level ||
           (largest <= kMostLevels * level && mean <= kMeanLevels * level);
  return largest <= kLastBits;
}

bool TranslationProof::holds() const {
  return theirs == pipeline && failures.empty() && compared > 0 &&
         std::ranges::all_of(fields, &FieldDifference::close);
}

Result<TranslationProof> proveTranslation(const LoaderTranslation& translation,
                                          const OwnLoader& loader, std::size_t count,
                                          const std::function<bool()>& proceed) {
  MILLRACE_ASSIGN_OR_RETURN(auto theirs, TheirSamples::open(translation, loader));
  PreviewOptions options;
  options.graph = translation.graph;
  options.base = translation.base;
  options.noRandom = true;
  KeptSource source;
  MILLRACE_ASSIGN_OR_RETURN(const Plan plan, previewPlan(options, source));
  MILLRACE_ASSIGN_OR_RETURN(const auto ours, PreviewRun::make(plan, true));
  TranslationProof proof;
  proof.theirs = theirs.size();
  proof.centred = translation.centred;
  Prover prover(plan, translation);
  for (const std::uint64_t index : spread(proof.theirs, count)) {
    if (!proceed()) break;
    prover.compare(index, theirs.at(index, proof.centred), ours->at(index), proof);
  }
  proof.fields = prover.results();
  return proof;
}

}  // namespace millrace
