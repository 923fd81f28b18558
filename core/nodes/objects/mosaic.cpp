// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/data/object_fields.h"
#include "core/node_parts/batch_rows.h"
#include "core/pass/object_moves.h"
#include "core/spec/describe.h"

namespace millrace::nodes::mosaic {

namespace {

constexpr std::size_t kParts = 4;

struct Params {
  double probability = 1;
  double minShare = 0.25;
  double minSize = 2;
  double minVisible = 0.1;
};

/// A part of a mosaic: the rectangle of the result that shows a picture, and where the picture's
/// top left corner is.
struct Part {
  std::size_t row = 0;
  Rect shown;
  int x = 0;
  int y = 0;
};

/// An object of a picture that is still to be seen.
struct Kept {
  std::size_t part = 0;
  std::size_t object = 0;
  Box box;
  float visible = 1;  ///< the share of the box that is left
};

/// What becomes of a row.
struct Mosaic {
  std::vector<Part> parts;
  std::vector<Kept> kept;
};

bool isPixels(const FieldSpec& field) {
  return isPicture(field.role) && field.dtype != DType::Encoded && field.layout != Layout::Plain;
}

Size sizeOfPicture(const FieldSpec& field) {
  return {static_cast<int>(field.width()), static_cast<int>(field.height())};
}

/// Indices and roles of the fields that are joined.
struct Fields {
  std::vector<std::size_t> pictures;
  std::vector<std::size_t> objects;
  std::optional<std::size_t> boxes;
  std::optional<std::size_t> visible;
  Size size;

  explicit Fields(const std::vector<FieldSpec>& fields) : objects(perObjectFields(fields)) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (isPixels(fields[i])) pictures.push_back(i);
      if (fields[i].role == Role::Boxes && !boxes) boxes = i;
      if (fields[i].role == Role::Objects && fields[i].name == kVisibleField) visible = i;
    }
    if (!pictures.empty()) size = sizeOfPicture(fields[pictures.front()]);
  }
};

/// The four pictures meet at (x, y); each shows the corner that is there.
std::vector<Part> partsAround(int x, int y, Size size,
                              const std::array<std::size_t, kParts>& rows) {
  const int right = size.width - x;
  const int below = size.height - y;
  return {{rows[0], {0, 0, x, y}, x - size.width, y - size.height},
          {rows[1], {x, 0, right, y}, x, y - size.height},
          {rows[2], {0, y, x, below}, x - size.width, y},
          {rows[3], {x, y, right, below}, x, y}};
}

/// Copies the part of a picture that is shown.
void copyPart(const TensorView& from, const Part& part, const TensorView& to) {
  const bool planar = from.layout == Layout::Chw;
  const auto pixel = sizeOf(from.dtype) * static_cast<std::size_t>(planar ? 1 : from.channels());
  const auto line = static_cast<std::size_t>(from.width()) * pixel;
  const auto plane = line * static_cast<std::size_t>(from.height());
  const auto bytes = static_cast<std::size_t>(part.shown.width) * pixel;
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(y) * line + static_cast<std::size_t>(x) * pixel;
  };
  for (std::size_t p = 0; p < (planar ? static_cast<std::size_t>(from.channels()) : 1); ++p)
    for (int y = part.shown.y; y < part.shown.y + part.shown.height; ++y)
      std::memcpy(to.data + p * plane + at(part.shown.x, y),
                  from.data + p * plane + at(part.shown.x - part.x, y - part.y), bytes);
}

class MosaicMap final : public BatchMap {
 public:
  MosaicMap(const Params& params, const StreamType& in) : m_params(params), m_fields(in.fields) {}

  Status process(const Batch& in, Batch& out, const BatchContext& context) override {
    m_mosaics.resize(in.rows);
    for (std::size_t r = 0; r < in.rows; ++r) {
      Draw draw = context.draw(in, static_cast<std::uint32_t>(r));
      m_mosaics[r].parts = drawn(r, in.rows, draw);
      keepObjects(in, m_mosaics[r]);
    }
    for (std::size_t f = 0; f < in.fields.size(); ++f) {
      if (std::ranges::count(m_fields.pictures, f) > 0)
        joinPictures(in.fields[f], in.rows, out.fields[f]);
      else if (std::ranges::count(m_fields.objects, f) > 0)
        joinObjects(in.fields[f], f, in.rows, out.fields[f]);
      else
        copyRows(in.fields[f], in.rows, out.fields[f]);
    }
    return {};
  }

 private:
  /// Row r and three others of the batch; or one part, the whole picture.
  std::vector<Part> drawn(std::size_t r, std::size_t rows, Draw& draw) const {
    const Size size = m_fields.size;
    if (draw.centred() || !draw.bernoulli(m_params.probability))
      return {{r, {0, 0, size.width, size.height}, 0, 0}};
    const auto meeting = [&](int length) {
      return static_cast<int>(
          std::lround(draw.uniform(m_params.minShare, 1 - m_params.minShare) * length));
    };
    const int x = meeting(size.width);
    const int y = meeting(size.height);
    std::array<std::size_t, kParts> from{r};
    for (std::size_t p = 1; p < kParts; ++p)
      from[p] = static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(rows) - 1));
    return partsAround(x, y, size, from);
  }

  std::size_t objectsOf(const Batch& in, std::size_t row) const {
    std::int64_t least = INT64_MAX;
    for (const std::size_t f : m_fields.objects)
      least = std::min(least, in.fields[f].rows[row].shape[0]);
    return static_cast<std::size_t>(least);
  }

  void keepObjects(const Batch& in, Mosaic& mosaic) const {
    mosaic.kept.clear();
    if (m_fields.objects.empty()) return;
    for (std::size_t p = 0; p < mosaic.parts.size(); ++p) {
      const std::size_t objects = objectsOf(in, mosaic.parts[p].row);
      for (std::size_t i = 0; i < objects; ++i)
        if (const auto kept = cut(in, mosaic, p, i)) mosaic.kept.push_back(*kept);
    }
  }

  /// nullopt if too little of the object is left.
  std::optional<Kept> cut(const Batch& in, const Mosaic& mosaic, std::size_t p,
                          std::size_t object) const {
    Kept kept{p, object, {}, 1};
    if (!m_fields.boxes) return kept;
    const Part& part = mosaic.parts[p];
    const float* const edges =
        in.fields[*m_fields.boxes].rows[part.row].as<const float>() + object * 4;
    const Box box{edges[0], edges[1], edges[2], edges[3]};
    const Box moved{box.left + part.x, box.top + part.y, box.right + part.x, box.bottom + part.y};
    const Rect& shown = part.shown;
    kept.box = clipped(moved, {static_cast<double>(shown.x), static_cast<double>(shown.y),
                               static_cast<double>(shown.x + shown.width),
                               static_cast<double>(shown.y + shown.height)});
    if (mosaic.parts.size() == 1) return kept;
    const double width = kept.box.right - kept.box.left;
    const double height = kept.box.bottom - kept.box.top;
    if (width < m_params.minSize || height < m_params.minSize || width * height <= 0)
      return std::nullopt;
    kept.visible = static_cast<float>(areaOf(kept.box) / areaOf(moved));
    return kept.visible >= static_cast<float>(m_params.minVisible) ? std::optional(kept)
                                                                   : std::nullopt;
  }

  void joinPictures(const BatchField& from, std::size_t rows, BatchField& to) const {
    placeRows(from.spec.shape, rows, to);
    for (std::size_t r = 0; r < rows; ++r)
      for (const Part& part : m_mosaics[r].parts) copyPart(from.rows[part.row], part, to.rows[r]);
  }

  void joinObjects(const BatchField& from, std::size_t f, std::size_t rows, BatchField& to) const {
    for (std::size_t r = 0; r < rows; ++r) {
      to.rows[r] = from.rows[r];
      to.rows[r].shape[0] = static_cast<std::int64_t>(m_mosaics[r].kept.size());
    }
    placeRagged(rows, to);
    for (std::size_t r = 0; r < rows; ++r) {
      const Mosaic& mosaic = m_mosaics[r];
      if (mosaic.kept.empty()) continue;
      const std::size_t bytes = to.rows[r].bytes / mosaic.kept.size();
      std::byte* at = to.rows[r].data;
      for (const Kept& kept : mosaic.kept) {
        const Part& part = mosaic.parts[kept.part];
        std::memcpy(at, from.rows[part.row].data + kept.object * bytes, bytes);
        change(f, from.spec, part, kept, bytes, at);
        at += bytes;
      }
    }
  }

  /// Moves what is placed in the picture.
  void change(std::size_t f, const FieldSpec& field, const Part& part, const Kept& kept,
              std::size_t bytes, std::byte* to) const {
    auto* const values = reinterpret_cast<float*>(to);
    if (f == m_fields.boxes) {
      const std::array<float, 4> edges{
          static_cast<float>(kept.box.left), static_cast<float>(kept.box.top),
          static_cast<float>(kept.box.right), static_cast<float>(kept.box.bottom)};
      std::ranges::copy(edges, values);
    } else if (f == m_fields.visible) {
      *values *= kept.visible;
    } else if (field.role == Role::Keypoints) {
      for (std::size_t k = 0; k + 2 < bytes / sizeof(float); k += 3) movePoint(part, values + k);
    }
  }

  /// A keypoint outside becomes 0, 0, 0, as with other geometry.
  static void movePoint(const Part& part, float* point) {
    if (point[2] <= 0) return;
    const float x = point[0] + static_cast<float>(part.x);
    const float y = point[1] + static_cast<float>(part.y);
    const Rect& shown = part.shown;
    const bool inside = x >= static_cast<float>(shown.x) && y >= static_cast<float>(shown.y) &&
                        x <= static_cast<float>(shown.x + shown.width) &&
                        y <= static_cast<float>(shown.y + shown.height);
    point[0] = inside ? x : 0;
    point[1] = inside ? y : 0;
    if (!inside) point[2] = 0;
  }

  const Params m_params;
  const Fields m_fields;
  std::vector<Mosaic> m_mosaics;  ///< by row of this batch
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  const Fields fields(in.fields);
  if (fields.pictures.empty())
    context.error("", "there are no pictures here", "connect it after a decode node");
  for (const std::size_t i : fields.pictures)
    if (!in.fields[i].shape.known() || sizeOfPicture(in.fields[i]) != fields.size)
      context.error("", fmt::format("the pictures of `{}` differ in size", in.fields[i].name),
                    "resize all pictures to one size before the batch node");
  for (std::size_t i = 0; i < in.fields.size(); ++i)
    if (in.fields[i].role == Role::Label && !std::ranges::binary_search(fields.objects, i))
      context.error("",
                    fmt::format("`{}` belongs to a whole picture, and a mosaic shows four",
                                in.fields[i].name),
                    "use it with boxes or masks; cutmix mixes labels of whole pictures");
  if (params.probability > 0) out.randomFrom = context.node();
  return out;
}

ExportText exported(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace does not write code for this target that joins the pictures of a batch: export the "
      "pipeline as Python over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("mosaic", Category::Geometry, NodeRole::BatchOp);
  d.label("Mosaic").help(
      "Joins four pictures of a batch to one of the same size, as YOLO trains (Bochkovskiy et al. "
      "2020). They meet at a random point; the first is the sample, and the others are drawn from "
      "its batch, so each picture is decoded once. Boxes, keypoints and masks come along; boxes "
      "are "
      "clipped, and dropped if too little of them is left.");
  d.example(R"({"probability": 0.5})");
  d.cpuOnly();
  d.tags({"detection", "yolo", "Mosaic", "RandomMosaic", "augmentation"});
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that become a mosaic.")
      .range(0, 1)
      .live();
  d.real("min_share", &Params::minShare)
      .label("Smallest part")
      .help(
          "Each picture gets at least this share of the width and of the height. 0.5: they always "
          "meet in the middle.")
      .range(0, 0.5)
      .live();
  d.real("min_size", &Params::minSize)
      .label("Smallest side")
      .help("Boxes of a mosaic that are narrower or lower than this are dropped.")
      .range(0, 65535)
      .unit("pixels")
      .live();
  d.real("min_visible", &Params::minVisible)
      .label("Least visible")
      .help("Boxes of which a mosaic shows less than this share of their area are dropped.")
      .range(0, 1)
      .live();
  d.infer(infer);
  d.batchMap(
      [](const Params& params, const BuildContext& context) -> Result<std::unique_ptr<BatchMap>> {
        return std::unique_ptr<BatchMap>(std::make_unique<MosaicMap>(params, context.in));
      });
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) d.exporter(target, exported);
  return d.take();
}

}  // namespace millrace::nodes::mosaic
