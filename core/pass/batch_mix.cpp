// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/batch_mix.h"

#include <cstring>

#include <fmt/format.h>

#include "core/kernels/mix.h"
#include "core/pass/picture_fields.h"

namespace millrace {

namespace {

bool canMix(DType type) {
  return type == DType::U8 || type == DType::F16 || type == DType::BF16 || type == DType::F32;
}

void checkPicture(const FieldSpec& field, InferContext& context) {
  if (field.role == Role::Mask)
    context.error(
        "fields",
        fmt::format("`{}` holds class indices, and class indices of pixels cannot be mixed",
                    field.name),
        "remove it from the list");
  else if (!canMix(field.dtype) || field.layout == Layout::Plain || !field.shape.known())
    context.error("", fmt::format("pictures of `{}` cannot be mixed: {}", field.name, field.text()),
                  "decode them and resize them to one size before the batch node");
}

void checkLabel(const FieldSpec& field, InferContext& context) {
  const bool isMultiHot = field.classes > 0 && field.shape.rank() == 1;
  if (!field.oneHot && !isMultiHot)
    context.error("", fmt::format("`{}` holds class numbers, which cannot be mixed", field.name),
                  "insert one_hot before the batch node");
  else if (!isFloat(field.dtype))
    context.error(
        "", fmt::format("`{}` is {}, which cannot hold fractions", field.name, nameOf(field.dtype)),
        "set one_hot.dtype to f32");
}

}  // namespace

MixedFields mixedFields(const StreamType& in, const TextList& named) {
  MixedFields fields;
  for (const std::size_t i : colourFields(in, named))
    if (in.fields[i].role != Role::Label) fields.pictures.push_back(i);
  fields.labels = actedFields(in, {}, {Role::Label});
  return fields;
}

StreamType mixedStream(const StreamType& in, const TextList& named, InferContext& context) {
  StreamType out = in;
  if (in.level != Level::Batch)
    context.error("", "mixing needs the other samples of a batch, but samples are not batched yet",
                  "move it after the batch node");
  if (!checkFields(in, named, {Role::Image, Role::Target}, context)) return out;
  const MixedFields fields = mixedFields(in, named);
  for (const std::size_t i : fields.pictures) checkPicture(in.fields[i], context);
  for (const std::size_t i : fields.labels) checkLabel(in.fields[i], context);
  if (fields.labels.empty())
    context.error("", "there are no labels to mix with the pictures",
                  "use a source that has classes");
  out.randomFrom = context.node();
  return out;
}

void mixWithPreviousRow(BatchField& field, std::size_t rows, double share, Buffer& scratch) {
  if (rows < 2) return;
  const TensorView last = field.row(rows - 1);
  std::byte* kept = scratch.reserve(last.bytes);
  std::memcpy(kept, last.data, last.bytes);
  const std::size_t count = last.bytes / sizeOf(last.dtype);
  // From the last row down, so that the previous row is still unchanged.
  for (std::size_t i = rows - 1; i > 0; --i)
    mix(field.row(i).data, field.row(i - 1).data, share, last.dtype, count, field.row(i).data);
  mix(field.row(0).data, kept, share, last.dtype, count, field.row(0).data);
}

}  // namespace millrace
