// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/data/object_fields.h"
#include "core/kernels/numbers.h"
#include "core/node_parts/batch_rows.h"
#include "core/spec/describe.h"

namespace millrace::nodes::pad_batch {

namespace {

struct Params {
  TextList fields;
  std::int64_t multiple = 1;
  double value = 0;
  std::string mask = "mask";
};

bool varies(const FieldSpec& field) {
  return field.dtype != DType::Encoded && !field.padded && !field.shape.known();
}

/// The fields to pad, in the order of the stream. Rows that pad objects would be taken for objects
/// by code that does not expect them, so objects must be named.
std::vector<std::size_t> paddedFields(const Params& params, const StreamType& in) {
  std::vector<std::size_t> found;
  const std::vector<std::size_t> objects = perObjectFields(in.fields);
  for (std::size_t i = 0; i < in.fields.size(); ++i) {
    const bool named = std::ranges::count(params.fields, in.fields[i].name) > 0;
    const bool usual = varies(in.fields[i]) && !std::ranges::binary_search(objects, i);
    if (named || (params.fields.empty() && usual)) found.push_back(i);
  }
  return found;
}

/// The sizes of a field that differ between samples.
Shape openSizes(const FieldSpec& field, const Shape& sizes) {
  Shape open;
  for (std::size_t d = 0; d < field.shape.rank(); ++d)
    if (field.shape[d] == Shape::kUnknown) open.append(sizes[d]);
  return open;
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  for (const std::string& name : params.fields) {
    const FieldSpec* const field = in.field(name);
    if (field == nullptr)
      context.error("fields", fmt::format("there is no field `{}`", name),
                    "name an existing field");
    else if (!varies(*field))
      context.error("fields", fmt::format("the samples of `{}` have one size", name),
                    "leave it out");
  }
  const std::vector<std::size_t> padded = paddedFields(params, in);
  if (padded.empty()) {
    context.error("", "no field has samples of different sizes", "remove this node");
    return out;
  }
  for (const std::size_t i : padded) out.fields[i].padded = true;
  if (params.mask.empty()) return out;
  if (in.field(params.mask) != nullptr)
    context.error("mask", fmt::format("there is a field `{}` already", params.mask),
                  "choose another name, or leave it empty");
  FieldSpec mask{params.mask, DType::U8,
                 openSizes(in.fields[padded.front()], in.fields[padded.front()].shape)};
  mask.padded = true;
  out.fields.push_back(std::move(mask));
  return out;
}

/// Copies an array into the first corner of a larger one, dimension by dimension.
class Corner {
 public:
  Corner(const Shape& from, const Shape& to, std::size_t bytes) : m_from(from), m_to(to) {
    // Dimensions of the same size at the end are copied at once.
    m_last = from.rank();
    m_run = bytes;
    while (m_last > 0 && from[m_last - 1] == to[m_last - 1])
      m_run *= static_cast<std::size_t>(to[--m_last]);
  }
  void copy(const std::byte* from, std::byte* to) const { copyFrom(0, from, to); }

 private:
  /// Bytes of one entry of dimension d.
  std::size_t entry(const Shape& shape, std::size_t d) const {
    std::size_t bytes = m_run;
    for (std::size_t i = d + 1; i < m_last; ++i) bytes *= static_cast<std::size_t>(shape[i]);
    return bytes;
  }
  void copyFrom(std::size_t d, const std::byte* from, std::byte* to) const {
    if (d + 1 >= m_last) {
      const std::size_t bytes = m_run * (m_last == 0 ? 1 : static_cast<std::size_t>(m_from[d]));
      if (bytes > 0) std::memcpy(to, from, bytes);
      return;
    }
    for (std::int64_t i = 0; i < m_from[d]; ++i)
      copyFrom(d + 1, from + static_cast<std::size_t>(i) * entry(m_from, d),
               to + static_cast<std::size_t>(i) * entry(m_to, d));
  }

  const Shape& m_from;
  const Shape& m_to;
  std::size_t m_last = 0;  ///< number of dimensions before those that are copied at once
  std::size_t m_run = 0;   ///< bytes of these
};

/// Writes the same number everywhere.
void fill(const std::vector<std::byte>& number, std::byte* to, std::size_t bytes) {
  if (bytes == 0) return;  // an empty array may have no memory
  const bool same = std::ranges::all_of(number, [&](std::byte b) { return b == number.front(); });
  if (same) {
    std::memset(to, static_cast<int>(number.front()), bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += number.size())
    std::memcpy(to + at, number.data(), number.size());
}

class PadBatch final : public BatchMap {
 public:
  PadBatch(const Params& params, const StreamType& in)
      : m_padded(paddedFields(params, in)), m_multiple(params.multiple) {
    for (const std::size_t f : m_padded) {
      const DType type = in.fields[f].dtype;
      alignas(double) std::array<std::byte, sizeof(double)> number{};
      fromDoubles(&params.value, 1, type, number.data());
      m_numbers.emplace_back(number.begin(), number.begin() + sizeOf(type));
    }
  }

  Status process(const Batch& in, Batch& out, const BatchContext&) override {
    for (std::size_t f = 0; f < in.fields.size(); ++f) {
      const auto found = std::ranges::find(m_padded, f);
      if (found == m_padded.end()) {
        copyRows(in.fields[f], in.rows, out.fields[f]);
        continue;
      }
      const auto number = m_numbers.begin() + (found - m_padded.begin());
      pad(in.fields[f], in.rows, *number, out.fields[f]);
    }
    if (out.fields.size() > in.fields.size())
      mark(in.fields[m_padded.front()], out.fields[m_padded.front()], in.rows, out.fields.back());
    return {};
  }

 private:
  /// The largest of each size that differs, as a multiple.
  Shape largest(const BatchField& field, std::size_t rows) const {
    Shape shape = field.rows.front().shape;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (field.spec.shape[d] != Shape::kUnknown) continue;
      for (std::size_t r = 1; r < rows; ++r) shape[d] = std::max(shape[d], field.rows[r].shape[d]);
      shape[d] = (shape[d] + m_multiple - 1) / m_multiple * m_multiple;
    }
    return shape;
  }

  void pad(const BatchField& from, std::size_t rows, const std::vector<std::byte>& number,
           BatchField& to) const {
    const Shape shape = largest(from, rows);
    placeRows(shape, rows, to);
    for (std::size_t r = 0; r < rows; ++r) {
      const TensorView& row = from.rows[r];
      if (row.shape != shape) fill(number, to.rows[r].data, to.rowBytes);
      Corner(row.shape, shape, sizeOf(row.dtype)).copy(row.data, to.rows[r].data);
    }
  }

  /// 1 where a row has data, 0 where it is padding.
  void mark(const BatchField& from, const BatchField& padded, std::size_t rows, BatchField& to) {
    const Shape shape = openSizes(from.spec, padded.rows.front().shape);
    placeRows(shape, rows, to);
    for (std::size_t r = 0; r < rows; ++r) {
      const Shape inside = openSizes(from.spec, from.rows[r].shape);
      m_ones.resize(static_cast<std::size_t>(inside.elements()), std::byte{1});
      if (to.rowBytes > 0) std::memset(to.rows[r].data, 0, to.rowBytes);
      Corner(inside, shape, 1).copy(m_ones.data(), to.rows[r].data);
    }
  }

  const std::vector<std::size_t> m_padded;
  const std::int64_t m_multiple;
  std::vector<std::vector<std::byte>> m_numbers;  ///< of the padding, by place in m_padded
  std::vector<std::byte> m_ones;
};

ExportText exported(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace does not write code for this target that pads a batch to its largest sample: "
      "export the pipeline as Python over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("pad_batch", Category::Tensor, NodeRole::BatchOp);
  d.label("Pad to the largest")
      .help(
          "Pads samples of different sizes to the largest of their batch, so that a batch is one "
          "array: pictures at the bottom and on the right, sequences and boxes at the end. Sizes "
          "differ from batch to batch; a bucket node before the batch keeps the padding small. A "
          "new field tells data from padding. Nothing that works on single samples can follow.");
  d.example(R"({"multiple": 32, "mask": "pixel_mask"})");
  d.cpuOnly();
  d.tags({"collate", "padded_batch", "pad_sequence", "attention_mask", "ragged", "length",
          "dynamic_padding"});
  d.fields(&Params::fields)
      .help(
          "Names of the fields to pad. Empty: every field whose samples differ in size, but not "
          "boxes and other fields of objects.");
  d.integer("multiple", &Params::multiple)
      .label("Multiple of")
      .range(1, 65536)
      .help("Sizes are rounded up to a multiple of this number, such as 8 for tensor cores.");
  d.real("value", &Params::value)
      .label("Value")
      .range(-1e9, 1e9)
      .help("The number that padding consists of, such as -100 for classes that a loss ignores.");
  d.text("mask", &Params::mask)
      .label("Mask field")
      .help(
          "Name of a new field of the padded sizes: 1 where the first padded field has data, 0 "
          "where it has padding. Empty: no such field.");
  d.infer(infer);
  d.batchMap(
      [](const Params& params, const BuildContext& context) -> Result<std::unique_ptr<BatchMap>> {
        return std::unique_ptr<BatchMap>(std::make_unique<PadBatch>(params, context.in));
      });
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) d.exporter(target, exported);
  return d.take();
}

}  // namespace millrace::nodes::pad_batch
