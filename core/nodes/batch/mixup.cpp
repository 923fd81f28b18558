// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/pass/batch_mix.h"
#include "core/pass/device_mix_op.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::mixup {

namespace {

struct Params {
  double alpha = 0.2;
  double probability = 1.0;
  TextList fields;
};

/// The share of each sample, or nullopt if the batch is not mixed.
std::optional<double> drawShare(const Params& params, Draw draw) {
  if (!draw.bernoulli(params.probability)) return std::nullopt;
  return draw.beta(params.alpha, params.alpha);
}

class Mixup final : public BatchOp {
 public:
  Mixup(const Params& params, const StreamType& in)
      : m_params(params), m_fields(mixedFields(in, params.fields)) {}

  Status process(Batch& batch, const BatchContext& context) override {
    const std::optional<double> share = drawShare(m_params, context.draw(batch));
    if (!share) return {};
    for (const std::size_t i : m_fields.pictures)
      mixWithPreviousRow(batch.fields[i], batch.rows, *share, m_scratch);
    for (const std::size_t i : m_fields.labels)
      mixWithPreviousRow(batch.fields[i], batch.rows, *share, m_scratch);
    return {};
  }

 private:
  Params m_params;
  MixedFields m_fields;
  Buffer m_scratch;
};

/// The device side.
class MixupOnDevice final : public DeviceMixOp {
 public:
  MixupOnDevice(const Params& params, const StreamType& in)
      : DeviceMixOp(mixedFields(in, params.fields)), m_params(params) {}

  Status prepare(const DeviceWork& work) override {
    m_share = drawShare(m_params, batchDraw(work));
    return {};
  }

 private:
  Status mixPictures(Stream& stream, const DeviceMix& mix, const FieldSpec&) override {
    return mixLabels(stream, mix);
  }
  Status mixLabels(Stream& stream, const DeviceMix& mix) override {
    return m_share ? launchMixRows(stream, mix, *m_share) : launchCopyRows(stream, mix);
  }

  Params m_params;
  std::optional<double> m_share;  ///< for the current batch, between `prepare` and `launch`
};

ExportText pytorch(const Params& p, const ExportContext& context) {
  const MixedFields mixed = mixedFields(context.in, p.fields);
  const double chance = context.chance(p.probability);
  ExportText text;
  if (chance == 0) return text;
  const std::string fields =
      pythonTexts(context.names(mixed.pictures)) + ", " + pythonTexts(context.names(mixed.labels));
  if (context.noRandom)
    return text.needs("mix_middle").step("MixMiddle(" + fields + ", cut=False)");
  return text.needs("mix_batch")
      .import("from operator import itemgetter")
      .step(
          fmt::format("MixBatch({}, v2.MixUp(alpha={}, labels_getter=itemgetter(\"label\")), p={})",
                      fields, pythonReal(p.alpha), pythonReal(chance)));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.chance(p.probability) == 0) return text;
  const MixedFields fields = mixedFields(context.in, p.fields);
  const std::string draw = drawIn(context, text);
  return text.needs("mixup").step(
      fmt::format("mixup(batch, {}, {}, {}, alpha={}, probability={})",
                  fieldList(context, fields.pictures), fieldList(context, fields.labels), draw,
                  pythonReal(p.alpha), pythonReal(context.chance(p.probability))));
}

ExportText dali(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "A DALI graph works on samples and has no draw for a whole batch; mix in the training step.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("mixup", Category::Tensor, NodeRole::BatchOp);
  d.label("MixUp").help(
      "Blends each sample of a batch with the previous one; pixels and labels get the same share "
      "(MixUp, Zhang et al. 2018). This makes networks less overconfident. Needs one-hot labels.");
  d.example(R"({"alpha": 0.2})");
  d.tags({"MixUp", "blend", "regularisation", "label smoothing", "augmentation"});
  d.real("alpha", &Params::alpha)
      .label("Alpha")
      .help(
          "The share is drawn from Beta(alpha, alpha), once per batch. 0.2 mostly mixes in little "
          "of the other sample; with 1 all shares are equally likely.")
      .range(0.01, 100)
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the batches that are mixed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer([](const Params& p, const StreamType& in, InferContext& context) {
    return mixedStream(in, p.fields, context);
  });
  d.batchOp([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<BatchOp>> {
    return std::unique_ptr<BatchOp>(std::make_unique<Mixup>(p, context.in));
  });
  d.deviceOp([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<DeviceOp>> {
    return std::unique_ptr<DeviceOp>(std::make_unique<MixupOnDevice>(p, context.in));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::mixup
