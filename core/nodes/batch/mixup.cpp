// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/array_text.h"
#include "core/node_parts/mixing.h"

namespace millrace::nodes::mixup {

namespace {

struct Params : MixParams {
  Params() { alpha = 0.2; }
};

/// Pictures and labels get the same share.
class Blend final : public RowMix {
 public:
  void draw(double share, Draw&) override { m_share = share; }
  double labelShare() const override { return m_share; }
  void mixPictures(BatchField& field, std::size_t rows, Buffer& scratch) const override {
    mixWithPreviousRow(field, rows, m_share, scratch);
  }
  Status mixPictures(Stream& stream, const DeviceMix& mix, const FieldSpec&) const override {
    return launchMixRows(stream, mix, m_share);
  }

 private:
  double m_share = 1;
};

}  // namespace

NodeSpec describe() {
  Describe<Params> d("mixup", Category::Tensor, NodeRole::BatchOp);
  d.label("MixUp").help(
      "Blends each sample of a batch with the previous one; pixels and labels get the same share "
      "(MixUp, Zhang et al. 2018). This makes networks less overconfident. Needs one-hot labels.");
  d.example(R"({"alpha": 0.2})");
  d.tags({"MixUp", "blend", "regularisation", "label smoothing", "augmentation"});
  describeMixing(d,
                 "The share is drawn from Beta(alpha, alpha), once per batch. 0.2 mostly mixes in "
                 "little of the other sample; with 1 all shares are equally likely.",
                 [](const StreamType&, const MixedFields&) { return std::make_unique<Blend>(); });
  d.infer([](const Params& p, const StreamType& in, InferContext& context) {
    return mixedStream(in, p.fields, context);
  });
  d.exporter("pytorch", [](const Params& p, const ExportContext& context) {
    return mixInPytorch(p, context, "MixUp", false);
  });
  d.exporter("tfdata", [](const Params& p, const ExportContext& context) {
    const MixedFields fields = mixedFields(context.in, p.fields);
    return mixInTfdata(p, context, "mixup", fieldList(context, fields.pictures));
  });
  return d.take();
}

}  // namespace millrace::nodes::mixup
