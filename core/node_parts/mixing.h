// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "core/pass/batch_mix_op.h"
#include "core/spec/describe.h"
#include "core/spec/export_text.h"

namespace millrace::nodes {

/// Parameters of the kinds that mix the samples of a batch.
struct MixParams {
  double alpha = 1.0;
  double probability = 1.0;
  TextList fields;
};

/// The step in PyTorch: torchvision's transform `MixUp` or `CutMix`. `cut`: boxes are replaced.
ExportText mixInPytorch(const MixParams& p, const ExportContext& context,
                        std::string_view transform, bool cut);
/// The step in tf.data: a call of `function`; `pictures` is Python source.
ExportText mixInTfdata(const MixParams& p, const ExportContext& context, std::string_view function,
                       std::string_view pictures);
/// For targets that work on samples.
ExportText notMixed();

/// Adds the parameters, whose `Params` are derived from MixParams, and the operations on both
/// sides. `make(const StreamType& in, const MixedFields&)` makes the RowMix of the kind.
template <class Params, class Make>
void describeMixing(Describe<Params>& d, std::string_view alpha, Make make) {
  d.real("alpha", &Params::alpha).label("Alpha").help(alpha).range(0.01, 100).live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the batches that are mixed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  const auto build = [make](const Params& p, const BuildContext& context, auto* op) {
    MixedFields fields = mixedFields(context.in, p.fields);
    auto mix = make(context.in, fields);
    return op(MixDraws{p.alpha, p.probability}, std::move(fields), std::move(mix));
  };
  d.batchOp([build](const Params& p, const BuildContext& context) {
    return Result<std::unique_ptr<BatchOp>>(build(p, context, batchMixOp));
  });
  d.deviceOp([build](const Params& p, const BuildContext& context) {
    return Result<std::unique_ptr<DeviceOp>>(build(p, context, deviceMixOp));
  });
  for (const char* target : {"dali", "grain"})
    d.exporter(target, [](const Params&, const ExportContext&) { return notMixed(); });
}

}  // namespace millrace::nodes
