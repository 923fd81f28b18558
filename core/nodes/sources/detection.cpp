// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/data/object_fields.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/object_text.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/short_text.h"
#include "core/spec/label_sets.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::detection {

namespace {

namespace fs = std::filesystem;

enum class Format : std::uint8_t { Auto, Coco, Voc, Yolo, OpenImages, Labelme };
enum class Crowds : std::uint8_t { Skip, Keep };
enum class Empty : std::uint8_t { Keep, Skip };

struct Params {
  std::string path;
  std::string images;
  Format format = Format::Auto;
  AnnotatedPart subset = AnnotatedPart::Train;
  TextList values;
  Crowds crowds = Crowds::Skip;
  Empty empty = Empty::Keep;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

constexpr std::string_view kArea = "area";
constexpr std::string_view kCrowd = "crowd";

bool wants(const Params& p, std::string_view value) {
  return std::ranges::find(p.values, value) != p.values.end();
}

/// The fields in the order in which the reader fills them.
std::vector<FieldSpec> fieldsOf(const Params& p, std::int64_t classes,
                                const std::vector<std::string>& points) {
  constexpr std::int64_t kAny = Shape::kUnknown;
  std::vector<FieldSpec> fields{{"image", DType::Encoded, {kAny}, Layout::Plain, Role::Image},
                                {"boxes", DType::F32, {kAny, 4}, Layout::Plain, Role::Boxes},
                                {"label", DType::I64, {kAny}, Layout::Plain, Role::Label, classes}};
  if (!points.empty()) {
    FieldSpec field{"keypoints",
                    DType::F32,
                    {kAny, static_cast<std::int64_t>(points.size()), 3},
                    Layout::Plain,
                    Role::Keypoints};
    field.mirrored = mirroredPoints(points);
    fields.push_back(std::move(field));
  }
  const auto add = [&](std::string_view name, DType type) {
    if (wants(p, name))
      fields.push_back({std::string(name), type, {kAny}, Layout::Plain, Role::Objects});
  };
  add(kArea, DType::F32);
  add(kCrowd, DType::U8);
  add(kVisibleField, DType::F32);
  return fields;
}

class Detection final : public Source, public KnowsLabelSets {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  Detection(const Params& params, AnnotationTable table, UniqueFd folder)
      : m_params(params), m_table(std::move(table)), m_folder(std::move(folder)) {
    for (std::size_t i = 0; i < m_table.pictures.size(); ++i)
      if (m_params.empty == Empty::Keep || hasObject(m_table.pictures[i]))
        m_kept.push_back(static_cast<std::uint32_t>(i));
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_kept.size()); }
  std::vector<FieldSpec> fields() const override {
    return fieldsOf(m_params, static_cast<std::int64_t>(m_table.classes.size()),
                    m_table.pointNames);
  }
  std::string name(std::uint32_t index) const override { return picture(index).path; }
  bool hasLabelSets() const override { return true; }
  std::vector<std::int64_t> labelsOf(std::uint32_t index) const override {
    std::vector<std::int64_t> labels;
    for (const AnnotatedObject& object : m_table.objectsOf(picture(index)))
      if (takes(object)) labels.push_back(object.label);
    return labels;
  }
  std::vector<std::string> classes() const override { return m_table.classes; }
  std::vector<std::string> warnings() const override { return m_table.notes; }
  std::string file(std::uint32_t index) const override {
    return (fs::path(m_table.folder) / picture(index).path).native();
  }
  std::unique_ptr<SourceReader> reader() const override;

  const AnnotationTable& table() const { return m_table; }
  const AnnotatedPicture& picture(std::uint32_t index) const {
    return m_table.pictures[m_kept[index]];
  }
  bool hasObject(const AnnotatedPicture& picture) const {
    return std::ranges::any_of(m_table.objectsOf(picture),
                               [this](const AnnotatedObject& object) { return takes(object); });
  }
  bool takes(const AnnotatedObject& object) const {
    return m_params.crowds == Crowds::Keep || !object.crowd;
  }
  int folder() const { return m_folder.get(); }
  const Params& params() const { return m_params; }

 private:
  const Params m_params;
  const AnnotationTable m_table;
  const UniqueFd m_folder;
  std::vector<std::uint32_t> m_kept;  ///< pictures
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const Detection& source)
      : m_source(source),
        m_table(source.table()),
        m_fields(source.fields()),
        m_file(source.params().readBy) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const AnnotatedPicture& picture = m_source.picture(index);
    MILLRACE_TRY(m_file.readInto(sample, 0, m_source.folder(), picture.path.c_str(), counters));
    MILLRACE_ASSIGN_OR_RETURN(const Size size, sizeOf(picture, sample[0].content()));
    m_across = m_table.relative ? static_cast<float>(size.width) : 1.0F;
    m_down = m_table.relative ? static_cast<float>(size.height) : 1.0F;
    m_objects.clear();
    for (std::size_t i = picture.first; i < picture.first + picture.count; ++i)
      if (m_source.takes(m_table.objects[i])) m_objects.push_back(i);
    for (std::size_t f = 1; f < m_fields.size(); ++f) put(f, sample);
    return {};
  }

 private:
  /// The size that its boxes are measured in.
  Result<Size> sizeOf(const AnnotatedPicture& picture, std::span<const std::byte> file) {
    const Result<ImageInfo> info = m_decoder.open(file);
    if (!info) return info.error();
    const Size stated = picture.size;
    if (stated.width > 0 && stated != info->size && stated != info->storedSize)
      return Error{fmt::format("it is {} x {} pixels, but its annotation was made for {} x {}",
                               info->size.width, info->size.height, stated.width, stated.height)};
    return info->size;
  }

  void put(std::size_t field, Sample& sample) const {
    const FieldSpec& spec = m_fields[field];
    Shape shape = spec.shape;
    shape[0] = static_cast<std::int64_t>(m_objects.size());
    const TensorView to = sample.replace(field, spec.dtype, shape, spec.layout);
    if (spec.role == Role::Boxes) return putBoxes(to.as<float>());
    if (spec.role == Role::Keypoints) return putPoints(to.as<float>());
    for (std::size_t i = 0; i < m_objects.size(); ++i) {
      const AnnotatedObject& object = m_table.objects[m_objects[i]];
      if (spec.role == Role::Label) to.as<std::int64_t>()[i] = object.label;
      if (spec.name == kArea) to.as<float>()[i] = object.area * m_across * m_down;
      if (spec.name == kCrowd) to.as<std::uint8_t>()[i] = object.crowd ? 1 : 0;
      if (spec.name == kVisibleField) to.as<float>()[i] = 1;
    }
  }

  void putBoxes(float* to) const {
    for (const std::size_t object : m_objects) {
      const auto& box = m_table.objects[object].box;
      *to++ = box[0] * m_across;
      *to++ = box[1] * m_down;
      *to++ = box[2] * m_across;
      *to++ = box[3] * m_down;
    }
  }

  void putPoints(float* to) const {
    for (const std::size_t object : m_objects) {
      const std::span<const float> points = m_table.pointsOf(object);
      for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
        *to++ = points[i] * m_across;
        *to++ = points[i + 1] * m_down;
        *to++ = points[i + 2];
      }
    }
  }

  const Detection& m_source;
  const AnnotationTable& m_table;
  const std::vector<FieldSpec> m_fields;
  FileReader m_file;
  ImageDecoder m_decoder;
  std::vector<std::size_t> m_objects;  ///< of this picture
  float m_across = 1;                  ///< pixels per unit of the table
  float m_down = 1;
};

std::unique_ptr<SourceReader> Detection::reader() const { return std::make_unique<Reader>(*this); }

Result<const AnnotationFormat*> formatOf(Format format, const fs::path& path) {
  constexpr std::array kNames{"", "coco", "voc", "yolo", "open_images", "labelme"};
  if (format != Format::Auto)
    return annotationFormatNamed(kNames[static_cast<std::size_t>(format)]);
  if (const AnnotationFormat* found = annotationFormatOf(path)) return found;
  std::vector<std::string> known;
  for (const AnnotationFormat& one : annotationFormats())
    known.push_back(fmt::format("{} ({})", one.title, one.layout));
  return Error{fmt::format("`{}` holds no annotations of a known format: {}",
                           validUtf8(path.native()), joinWords(known))};
}

Result<std::shared_ptr<const Source>> Detection::open(const Params& params, const fs::path& base) {
  MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(params.path, base));
  MILLRACE_TRY(needsDisk(path, "annotations of objects"));
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return Error{
        fmt::format("there is no file or folder `{}`; check the path (a relative one starts "
                    "at the pipeline file)",
                    validUtf8(path.native()))};
  MILLRACE_ASSIGN_OR_RETURN(const AnnotationFormat* const format, formatOf(params.format, path));
  AnnotationPlaces places{path, {}, params.subset};
  if (!params.images.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(places.pictures, resolveDataPath(params.images, base));
    MILLRACE_TRY(needsDisk(places.pictures, "pictures with annotations"));
  }
  MILLRACE_ASSIGN_OR_RETURN(auto table, format->read(places));
  UniqueFd folder(::open(table.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return folderError(table.folder, errno);
  auto source = std::make_shared<Detection>(params, std::move(table), std::move(folder));
  if (source->size() == 0)
    return Error{fmt::format("no picture of `{}` has an object", validUtf8(path.native()))};
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.path.empty())
    context.error("path", "no annotations are set", "set a file or folder of annotations");
  for (const std::string& value : params.values)
    if (value != kArea && value != kCrowd && value != kVisibleField)
      context.error("values", fmt::format("`{}` is not a value of objects", singleLine(value)),
                    "use area, crowd or visible");
  StreamType out;
  out.fields = fieldsOf(params, 0, {});
  return out;
}

/// COCO's one file, with the folder of its pictures, which is found in the data if not named.
ExportText cocoText(const Params& p, const ExportContext& context, const Detection* source) {
  const std::string near = fs::path(p.path).parent_path().native();
  const std::string images = !p.images.empty()   ? pathLiteral(p.images, context)
                             : source == nullptr ? pathLiteral(near, context)
                                                 : pythonText(source->table().folder);
  std::string settings = p.crowds == Crowds::Keep ? "crowds=True" : "";
  if (p.empty == Empty::Skip) settings += settings.empty() ? "empty=False" : ", empty=False";
  ExportText text;
  return text.needs("coco_objects")
      .option("ANNOTATIONS", pathLiteral(p.path, context))
      .option("IMAGES", images)
      .limit(
          "The size of a picture is not compared with that in the annotations. With Millrace a "
          "sample fails if they differ.")
      .step("Samples(" + settings + ")");
}

/// YOLO's pictures in one folder, each with its text file in another one.
ExportText yoloText(const Params& p, const Detection& source) {
  if (p.empty == Empty::Skip) return longForm("it leaves out pictures without objects");
  const fs::path root = source.table().folder;
  const fs::path folder = (root / source.picture(0).path).parent_path();
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    const fs::path file = root / source.picture(i).path;
    if (file.parent_path() != folder) return longForm("its pictures are in several folders");
    names.push_back(file.filename().native());
  }
  std::ranges::sort(names);
  if (names != globbed(folder, 1)) return longForm("its folder holds more than pictures");
  std::vector<fs::path> parts(folder.begin(), folder.end());
  const auto images = std::find(parts.rbegin(), parts.rend(), "images");
  if (images != parts.rend()) *images = "labels";
  fs::path labels;
  for (const fs::path& part : parts) labels /= part;
  ExportText text;
  return text.needs("place_boxes")
      .needs("yolo_objects")
      .option("IMAGES", pythonText(folder.native()))
      .option("LABELS", pythonText(labels.native()))
      .limit(
          "A text file with an outline, or with a line without an object, fails. Millrace takes "
          "the box around the outline, and leaves out the line.")
      .step("Samples()");
}

ExportText shortTorch(const Params& p, const ExportContext& context) {
  for (const FieldSpec& field : context.out.fields)
    if (field.role == Role::Keypoints || field.role == Role::Objects)
      return longForm("it delivers more than boxes and classes");
  std::shared_ptr<const Source> opened;
  if (context.dataKnown)
    if (auto found = Detection::open(p, context.base)) opened = found.take();
  const auto* source = static_cast<const Detection*>(opened.get());
  const auto path = resolveDataPath(p.path, context.base);
  const auto format = formatOf(p.format, path ? *path : fs::path());
  const std::string_view name = format ? (*format)->name : "coco";
  if (name == "coco") return cocoText(p, context, source);
  if (name == "yolo" && source != nullptr) return yoloText(p, *source);
  return longForm("code is only written for COCO, and for YOLO whose data is here");
}

std::string formatHelp() {
  std::string text = "How the objects are stored.";
  for (const AnnotationFormat& format : annotationFormats())
    text += fmt::format(" {}: {}.", format.title, format.layout);
  return text;
}

void describeObjects(Describe<Params>& d) {
  d.texts("values", &Params::values)
      .label("More values")
      .optional()
      .help(
          "More fields with a value for each object: `area` (in square pixels of the file, of the "
          "outline if the annotation has one), `crowd` (1 for one box around a group), `visible` "
          "(the share of the box that is still in the picture; filter_boxes can use it).");
  d.choice<Crowds>("crowds", &Params::crowds,
                   {{Crowds::Skip, "skip", "They are left out, as usual for training."},
                    {Crowds::Keep, "keep", "They are objects like the others."}})
      .label("Crowds")
      .help("What becomes of boxes around a group of objects.");
  d.choice<Empty>("empty", &Params::empty,
                  {{Empty::Keep, "keep", "They are samples without boxes."},
                   {Empty::Skip, "skip", "They are left out."}})
      .label("Pictures without objects")
      .help("What becomes of pictures without an object.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("detection", Category::Source, NodeRole::Source);
  d.label("Detection data set")
      .help(
          "Reads pictures with boxes, classes and keypoints of their objects: COCO, Pascal VOC, "
          "YOLO, Open Images or labelme. Boxes become left, top, right and bottom edge in pixels "
          "of the "
          "picture, whatever the format stores; classes are numbered from 0 without gaps. Geometry "
          "moves boxes and keypoints with their picture. Boxes outside their picture or without "
          "area are left out and counted.");
  d.example(R"({"path": "annotations/instances_train2017.json", "images": "train2017"})");
  d.tags({"coco", "voc", "yolo", "labelme", "bounding boxes", "object detection", "keypoints",
          "pose", "annotations"});
  d.path("path", &Params::path)
      .label("Annotations")
      .data()
      .help("The file or folder of the annotations. Relative paths start at the pipeline file.");
  d.path("images", &Params::images)
      .label("Pictures")
      .folder()
      .optional()
      .help("Folder where the paths of pictures start. Empty: found near the annotations.");
  d.choice<Format>("format", &Params::format,
                   {{Format::Auto, "auto", "Found from the files."},
                    {Format::Coco, "coco", "COCO's instances or person keypoints."},
                    {Format::Voc, "voc", "Pascal VOC's XML files."},
                    {Format::Yolo, "yolo", "YOLO's text files."},
                    {Format::OpenImages, "open_images", "Open Images' CSV of boxes."},
                    {Format::Labelme, "labelme", "labelme's JSON files, as boxes."}})
      .label("Format")
      .help(formatHelp());
  d.choice<AnnotatedPart>(
       "subset", &Params::subset,
       {{AnnotatedPart::Train, "train", "The training pictures, if they are named."},
        {AnnotatedPart::Validation, "validation", "The validation pictures, if they are named."},
        {AnnotatedPart::All, "all", "Both."}})
      .label("Subset")
      .help(
          "Which pictures of a YOLO or Pascal VOC data set to use. A COCO or Open Images file, "
          "and a folder of labelme, is one subset.");
  describeObjects(d);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return Detection::open(params, context.base);
  });
  objectsNotTranslated(d);
  d.exporter("pytorch.short", shortTorch);
  return d.take();
}

}  // namespace millrace::nodes::detection
