// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/sample_op.h"

namespace millrace::nodes {

/// Parameters of the kinds that make some of the images worse; targets and masks stay.
struct DegradationParams {
  double probability = 0.5;
  TextList fields;
};

/// `Work` is constructed from Params, and `Status run(MutableImageView, Draw&)` changes an image.
template <class Params, class Work>
class DegradationOp final : public SampleOp {
 public:
  DegradationOp(const Params& params, std::vector<std::size_t> fields)
      : m_probability(params.probability), m_fields(std::move(fields)), m_work(params) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_probability)) return {};
    for (const std::size_t i : m_fields)
      MILLRACE_TRY(m_work.run(pixelsOf(sample.writable(i)), draw));
    return {};
  }

 private:
  double m_probability;
  std::vector<std::size_t> m_fields;
  Work m_work;
};

/// The parameters after the kind's own, its stream and its work. `check(params, in, context)`
/// reports what does not fit.
template <class Work, class Params, class Check>
void degradationNode(Describe<Params>& d, Check check) {
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer([check](const Params& p, const StreamType& in, InferContext& context) {
    check(p, in, context);
    return inPlaceStream(in, imageFields(in, p.fields), p.fields, p.probability > 0, context);
  });
  d.acts([](const Params& p, const StreamType& in) { return imageFields(in, p.fields); });
  d.sample([](const Params& p, const BuildContext& context) {
    return Result<std::unique_ptr<SampleOp>>(
        std::make_unique<DegradationOp<Params, Work>>(p, imageFields(context.in, p.fields)));
  });
}

}  // namespace millrace::nodes
