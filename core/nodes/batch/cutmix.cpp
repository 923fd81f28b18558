// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/kernels/mix.h"
#include "core/node_parts/mixing.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::cutmix {

namespace {

using Params = MixParams;

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

/// The share of the picture that is kept.
double keptShare(Rect box, Size size) {
  return 1.0 - static_cast<double>(box.width) * box.height /
                   (static_cast<double>(size.width) * size.height);
}

Rect scaled(Rect box, int ratio) {
  return {box.x * ratio, box.y * ratio, box.width * ratio, box.height * ratio};
}

/// A box of each picture is replaced; labels are mixed by area.
class Cut final : public RowMix {
 public:
  /// `size`: of the smallest pictures.
  explicit Cut(Size size) : m_size(size) {}

  void draw(double share, Draw& draw) override { m_box = drawBox(m_size, share, draw); }
  double labelShare() const override { return keptShare(m_box, m_size); }

  void mixPictures(BatchField& field, std::size_t rows, Buffer& scratch) const override {
    const Size size = sizeOfPicture(field.spec);
    const TensorView last = field.row(rows - 1);
    std::byte* kept = scratch.reserve(last.bytes);
    std::memcpy(kept, last.data, last.bytes);
    const auto copy = [&](const std::byte* from, std::size_t to) {
      copyBox(from, size, static_cast<int>(field.spec.channels()), sizeOf(field.spec.dtype),
              field.spec.layout, boxIn(size), field.row(to).data);
    };
    // From the last row down, so that the previous row is still unchanged.
    for (std::size_t i = rows - 1; i > 0; --i) copy(field.row(i - 1).data, i);
    copy(kept, 0);
  }

  Status mixPictures(Stream& stream, const DeviceMix& mix, const FieldSpec& field) const override {
    const Size size = sizeOfPicture(field);
    return launchMixBoxes(stream, mix, boxIn(size), size, static_cast<int>(field.channels()),
                          field.layout == Layout::Chw);
  }

 private:
  /// The box in pixels of a picture of this size.
  Rect boxIn(Size size) const { return scaled(m_box, size.width / m_size.width); }

  const Size m_size;
  Rect m_box;
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
  ExportText text = mixInPytorch(p, context, "CutMix", true);
  const std::vector<std::size_t> pictures = mixedFields(context.in, p.fields).pictures;
  if (context.chance(p.probability) > 0 && pictures.size() > 1 && !context.sameSize(pictures))
    text.missing = "boxes of pictures that differ in size are not translated";
  return text;
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  std::vector<std::string> pictures;
  for (const std::size_t i : mixedFields(context.in, p.fields).pictures)
    pictures.push_back(fmt::format("{}: {}", pythonText(context.in.fields[i].name),
                                   context.in.fields[i].layout == Layout::Chw ? 2 : 1));
  return mixInTfdata(p, context, "cutmix", "{" + join(pictures, ", ") + "}");
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
  describeMixing(d,
                 "The kept share is drawn from Beta(alpha, alpha), once per batch. 1: all shares "
                 "are equally likely.",
                 [](const StreamType& in, const MixedFields& fields) {
                   return std::make_unique<Cut>(coarsestSize(in, fields.pictures));
                 });
  d.infer(infer);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  return d.take();
}

}  // namespace millrace::nodes::cutmix
