// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/sample_formula.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/in_parallel.h"
#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/kernels/numbers.h"
#include "core/node_parts/formula.h"

namespace millrace::nodes {

namespace {

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

bool readsFor(const Formula& formula) {
  return std::ranges::any_of(formula.uses(), [](std::size_t i) { return i > kLabel; });
}

/// Computes the formula for one sample after the other. For use by one thread.
class Examiner {
 public:
  Examiner(const Source& source, Formula formula, Variables variables)
      : m_source(source), m_formula(std::move(formula)), m_variables(std::move(variables)) {
    m_reads = readsFor(m_formula);
    if (m_reads) m_reader = source.reader();
    const std::vector<FieldSpec> fields = source.fields();
    m_count = fields.size();
    const auto picture = std::ranges::find(fields, Role::Image, &FieldSpec::role);
    m_picture = static_cast<std::size_t>(picture - fields.begin());
  }

  /// NaN if the sample cannot be read.
  double value(std::uint32_t index) {
    m_formula.variable(kIndex) = index;
    m_formula.variable(kLabel) = static_cast<double>(m_source.labelOf(index));
    if (m_reads && !read(index)) return std::numeric_limits<double>::quiet_NaN();
    return m_formula.value();
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

}  // namespace

bool checkSampleFormula(const char* param, const std::string& formula, const char* example,
                        const StreamType& in, InferContext& context) {
  const Variables variables(in.fields);
  const auto made = Formula::make(formula, variables.names);
  if (!made) {
    context.error(
        param, made.error().message,
        fmt::format("it can use {}; an example is {}", joinWords(variables.names), example));
    return false;
  }
  const bool hasPicture =
      std::ranges::find(in.fields, Role::Image, &FieldSpec::role) != in.fields.end();
  const auto ofPicture = std::ranges::find_if(
      made->uses(), [](std::size_t i) { return i >= kWidth && i <= kChannels; });
  if (hasPicture || in.fields.empty() || ofPicture == made->uses().end()) return true;
  context.error(
      param, fmt::format("the samples have no picture, so `{}` is unknown", kFactNames[*ofPicture]),
      "use `bytes`, `label` or a field that is a single number");
  return false;
}

bool formulaReadsSamples(const Source& source, const std::string& formula) {
  const auto made = Formula::make(formula, Variables(source.fields()).names);
  return made && readsFor(*made);
}

std::vector<double> valuesOfSamples(const Source& source, const std::string& formula,
                                    const std::function<bool(std::uint32_t index)>& wanted) {
  std::vector<double> values(source.size());
  std::atomic<std::uint32_t> next = 0;
  constexpr std::size_t kSamplesPerThread = 64;
  const std::size_t threads = std::min<std::size_t>(
      std::max(std::thread::hardware_concurrency(), 1U), values.size() / kSamplesPerThread + 1);
  inParallel(threads, [&] {
    const Variables variables(source.fields());
    auto made = Formula::make(formula, variables.names);
    if (!made) return;  // The check has refused it.
    Examiner examiner(source, made.take(), variables);
    for (std::uint32_t i = next++; i < values.size(); i = next++)
      if (wanted(i)) values[i] = examiner.value(i);
  });
  return values;
}

}  // namespace millrace::nodes
