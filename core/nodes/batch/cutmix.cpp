// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/kernels/mix.h"
#include "core/node_parts/array_text.h"
#include "core/pass/batch_mix.h"
#include "core/pass/device_mix_op.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::cutmix {

namespace {

struct Params {
  double alpha = 1.0;
  double probability = 1.0;
  TextList fields;
};

Size sizeOfPicture(const FieldSpec& field) {
  return {static_cast<int>(field.width()), static_cast<int>(field.height())};
}

/// The smallest of the pictures: boxes are drawn in its pixels.
Size coarsestSize(const StreamType& in, const std::vector<std::size_t>& pictures) {
  Size least;
  for (const std::size_t i : pictures) {
    const Size size = sizeOfPicture(in.fields[i]);
    if (least.width == 0 || size.width < least.width) least = size;
  }
  return least;
}

/// torchvision v2's CutMix.make_params: a box around a random centre, clipped to the picture.
Rect drawBox(Size size, double share, Draw& draw) {
  const auto x = static_cast<int>(draw.integer(0, size.width - 1));
  const auto y = static_cast<int>(draw.integer(0, size.height - 1));
  const double half = 0.5 * std::sqrt(1.0 - share);
  const auto halfWidth = static_cast<int>(half * size.width);
  const auto halfHeight = static_cast<int>(half * size.height);
  const int left = std::max(0, x - halfWidth);
  const int top = std::max(0, y - halfHeight);
  return {left, top, std::min(size.width, x + halfWidth) - left,
          std::min(size.height, y + halfHeight) - top};
}

/// The box in pixels of the coarsest pictures, or nullopt if the batch is not mixed.
std::optional<Rect> drawCut(const Params& params, Size size, Draw draw) {
  if (!draw.bernoulli(params.probability)) return std::nullopt;
  return drawBox(size, draw.beta(params.alpha, params.alpha), draw);
}

/// The share of the picture that is kept.
double keptShare(Rect box, Size size) {
  return 1.0 - static_cast<double>(box.width) * box.height /
                   (static_cast<double>(size.width) * size.height);
}

Rect scaled(Rect box, int ratio) {
  return {box.x * ratio, box.y * ratio, box.width * ratio, box.height * ratio};
}

class Cutmix final : public BatchOp {
 public:
  Cutmix(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(mixedFields(in, params.fields)),
        m_size(coarsestSize(in, m_fields.pictures)) {}

  Status process(Batch& batch, const BatchContext& context) override {
    const std::optional<Rect> box = drawCut(m_params, m_size, context.draw(batch));
    if (!box) return {};
    for (const std::size_t i : m_fields.pictures) cut(batch.fields[i], batch.rows, *box);
    for (const std::size_t i : m_fields.labels)
      mixWithPreviousRow(batch.fields[i], batch.rows, keptShare(*box, m_size), m_scratch);
    return {};
  }

 private:
  void cut(BatchField& field, std::size_t rows, Rect box) {
    if (rows < 2) return;
    const Rect part = scaled(box, static_cast<int>(field.spec.width()) / m_size.width);
    const TensorView last = field.row(rows - 1);
    std::byte* kept = m_scratch.reserve(last.bytes);
    std::memcpy(kept, last.data, last.bytes);
    const auto copy = [&](const std::byte* from, std::size_t to) {
      copyBox(from, sizeOfPicture(field.spec), static_cast<int>(field.spec.channels()),
              sizeOf(field.spec.dtype), field.spec.layout, part, field.row(to).data);
    };
    // From the last row down, so that the previous row is still unchanged.
    for (std::size_t i = rows - 1; i > 0; --i) copy(field.row(i - 1).data, i);
    copy(kept, 0);
  }

  Params m_params;
  MixedFields m_fields;
  Size m_size;
  Buffer m_scratch;
};

/// The device side.
class CutmixOnDevice final : public DeviceMixOp {
 public:
  CutmixOnDevice(const Params& params, const StreamType& in)
      : DeviceMixOp(mixedFields(in, params.fields)),
        m_params(params),
        m_size(coarsestSize(in, fields().pictures)) {}

  Status prepare(const DeviceWork& work) override {
    m_box = drawCut(m_params, m_size, batchDraw(work));
    return {};
  }

 private:
  Status mixPictures(Stream& stream, const DeviceMix& mix, const FieldSpec& field) override {
    if (!m_box) return launchCopyRows(stream, mix);
    const Size size = sizeOfPicture(field);
    return launchMixBoxes(stream, mix, scaled(*m_box, size.width / m_size.width), size,
                          static_cast<int>(field.channels()), field.layout == Layout::Chw);
  }
  Status mixLabels(Stream& stream, const DeviceMix& mix) override {
    return m_box ? launchMixRows(stream, mix, keptShare(*m_box, m_size))
                 : launchCopyRows(stream, mix);
  }

  Params m_params;
  Size m_size;
  std::optional<Rect> m_box;  ///< for the current batch, between `prepare` and `launch`
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const StreamType out = mixedStream(in, p.fields, context);
  const std::vector<std::size_t> pictures = mixedFields(in, p.fields).pictures;
  const Size least = coarsestSize(in, pictures);
  for (const std::size_t i : pictures) {
    const Size size = sizeOfPicture(in.fields[i]);
    if (least.width <= 0 || size.width <= 0 || least.height <= 0) continue;
    const int ratio = size.width / least.width;
    if (least.width * ratio != size.width || least.height * ratio != size.height)
      context.error("",
                    fmt::format("the size of `{}` is not a whole multiple of its partner's",
                                in.fields[i].name),
                    "resize the pairs so that one size is a multiple of the other");
  }
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const MixedFields mixed = mixedFields(context.in, p.fields);
  const double chance = context.chance(p.probability);
  ExportText text;
  if (chance == 0) return text;
  const std::string fields =
      pythonTexts(context.names(mixed.pictures)) + ", " + pythonTexts(context.names(mixed.labels));
  if (mixed.pictures.size() > 1 && !context.sameSize(mixed.pictures))
    text.missing = "boxes of pictures that differ in size are not translated";
  if (context.noRandom) return text.needs("mix_middle").step("MixMiddle(" + fields + ", cut=True)");
  return text.needs("mix_batch")
      .import("from operator import itemgetter")
      .step(fmt::format(
          "MixBatch({}, v2.CutMix(alpha={}, labels_getter=itemgetter(\"label\")), p={})", fields,
          pythonReal(p.alpha), pythonReal(chance)));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.chance(p.probability) == 0) return text;
  const MixedFields fields = mixedFields(context.in, p.fields);
  std::vector<std::string> pictures;
  for (const std::size_t i : fields.pictures)
    pictures.push_back(fmt::format("{}: {}", pythonText(context.in.fields[i].name),
                                   context.in.fields[i].layout == Layout::Chw ? 2 : 1));
  const std::string draw = drawIn(context, text);
  return text.needs("cutmix").step(
      fmt::format("cutmix(batch, {{{}}}, {}, {}, alpha={}, probability={})",
                  fmt::join(pictures, ", "), fieldList(context, fields.labels), draw,
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
  Describe<Params> d("cutmix", Category::Tensor, NodeRole::BatchOp);
  d.label("CutMix").help(
      "Replaces a random box of each sample by the same box of the previous sample in the batch, "
      "and mixes the labels in proportion to the area (CutMix, Yun et al. 2019). Needs one-hot "
      "labels.");
  d.example(R"({"alpha": 1.0})");
  d.tags({"CutMix", "paste", "regularisation", "augmentation"});
  d.real("alpha", &Params::alpha)
      .label("Alpha")
      .help(
          "The kept share is drawn from Beta(alpha, alpha), once per batch. 1: all shares are "
          "equally likely.")
      .range(0.01, 100)
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the batches that are mixed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  d.batchOp([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<BatchOp>> {
    return std::unique_ptr<BatchOp>(std::make_unique<Cutmix>(p, context.in));
  });
  d.deviceOp([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<DeviceOp>> {
    return std::unique_ptr<DeviceOp>(std::make_unique<CutmixOnDevice>(p, context.in));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::cutmix
