// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/sample_maker.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/object_fields.h"

namespace millrace {

namespace {

using Form = PictureOptions::Form;

bool isEncoded(const FieldSpec& field) { return field.dtype == DType::Encoded; }

/// Adjusts the form for formats that store only encoded pictures or only arrays.
void settleForm(const Format& format, const std::vector<FieldSpec>& fields,
                PictureOptions& pictures) {
  using Pictures = Format::Pictures;
  const bool raw = std::any_of(fields.begin(), fields.end(), [](const FieldSpec& field) {
    return isPicture(field.role) && !isEncoded(field);
  });
  if (format.pictures == Pictures::Raw) pictures.form = Form::Raw;
  if (format.pictures == Pictures::Raw || format.pictures == Pictures::Any) return;
  const bool rawAsked = pictures.form == Form::Raw;
  if (!rawAsked && !(raw && pictures.form == Form::Keep)) return;
  const bool mayBeRaw = format.pictures == Pictures::EncodedOrRaw;
  pictures.form = rawAsked && mayBeRaw ? Form::Raw : Form::Png;
}

FieldSpec targetField(const FieldSpec& from, const PictureOptions& pictures) {
  FieldSpec field = from;
  if (!isPicture(field.role)) {
    if (field.role == Role::Label && (field.dtype != DType::I64 || field.shape.rank() != 0))
      field.role = Role::Features;
    return field;
  }
  const bool touched = pictures.form != Form::Keep || pictures.changesPixels();
  if (!touched) return field;
  const bool raw = pictures.form == Form::Raw || (pictures.form == Form::Keep && !isEncoded(from));
  const bool numbers = isEncoded(from) && field.role != Role::Mask && pictures.keepsNumbers();
  field.dtype = !raw ? DType::Encoded : numbers ? DType::F32 : DType::U8;
  field.layout = raw ? Layout::Hwc : Layout::Plain;
  field.shape =
      raw ? Shape{Shape::kUnknown, Shape::kUnknown, Shape::kUnknown} : Shape{Shape::kUnknown};
  return field;
}

/// Whether the field can be the single value of a sample (Format::oneValue): a picture if there is
/// one.
bool mayBeValue(const FieldSpec& field, std::size_t pictures) {
  return pictures > 0 ? isPicture(field.role) : field.role != Role::Label;
}

/// The label of a folder of pictures without classes, which holds nothing.
bool isSingleClass(const FieldSpec& field, const Source& source) {
  return field.role == Role::Label && source.classes() == std::vector<std::string>{"."};
}

/// No format stores fields with any number of rows, as objects of pictures have them.
Error wouldLoseObjects(const std::vector<std::string>& objects) {
  return Error{
      fmt::format("`{}` of objects cannot be written: add the setting `lossy` to convert the rest, "
                  "and keep the "
                  "annotations",
                  joinWords(objects))};
}

/// Refuses to lose fields, and names the formats that store them.
Error wouldLose(const std::vector<std::string>& left, const std::vector<FieldSpec>& fields,
                const Format& format, const PictureOptions& pictures, bool lz4) {
  const std::string lost = joinWords(left);
  if (lz4 || (pictures.patch > 0 && pictures.downscale > 1))
    return Error{fmt::format(
        "{} stores no `{}`: add the setting `lossy` to leave it out",
        lz4 ? "the setting `lz4`" : "a pair of patches (the setting `downscale`)", lost)};
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(fields, [](const FieldSpec& f) { return isPicture(f.role); }));
  std::vector<std::string> others;
  for (const Format& other : allFormats()) {
    PictureOptions as = pictures;
    settleForm(other, fields, as);
    const bool all = std::ranges::all_of(fields, [&](const FieldSpec& f) {
      return other.takes == nullptr || other.takes(targetField(f, as), count);
    });
    if (other.openWriter != nullptr && all && !(other.oneValue && count == 0))
      others.emplace_back(other.name);
  }
  return Error{
      fmt::format("{} cannot store `{}`: add the setting `lossy` to leave it out{}", format.title,
                  lost, others.empty() ? "" : ", or choose another format: " + join(others, ", "))};
}

/// Numbers of files, of any range and count of channels, become values, and no pictures again.
Status refuseNumbers(const PictureOptions& pictures) {
  if (!pictures.keepsNumbers()) return {};
  const bool encodes = pictures.form == Form::Jpeg || pictures.form == Form::Png ||
                       (pictures.form == Form::Keep && pictures.changesPixels());
  if (!encodes && pictures.patch == 0) return {};
  return Error{fmt::format(
      "pictures are decoded to the numbers in their files (decode.form = stored), {}; or convert a "
      "pipeline with decode.form = rgb, which reduces them to three channels of 8 bits",
      encodes ? "which JPEG and PNG files cannot hold: use the setting `raw` and a format that "
                "stores arrays"
              : "which cannot be cut into patches")};
}

Status refusePatches(const std::vector<FieldSpec>& fields, const PictureOptions& pictures) {
  const auto count = std::count_if(fields.begin(), fields.end(),
                                   [](const FieldSpec& field) { return isPicture(field.role); });
  if (count != 1)
    return Error{
        fmt::format("patches need samples with exactly one picture, these have {}", count)};
  if (pictures.downscale > 1 &&
      (pictures.patch % pictures.downscale != 0 || pictures.stride % pictures.downscale != 0))
    return Error{fmt::format("patch size {} and stride {} must be multiples of downscale {}",
                             pictures.patch, pictures.stride, pictures.downscale)};
  return {};
}

}  // namespace

Result<MakePlan> planMaking(std::shared_ptr<const Source> source, const Format& format,
                            PictureOptions pictures, bool lz4, bool lossy) {
  MakePlan plan;
  plan.keys = std::make_shared<SampleKeys>(*source);
  const std::vector<FieldSpec> fields = source->fields();
  plan.source = std::move(source);
  if (lz4) pictures.form = Form::Raw;
  settleForm(format, fields, pictures);
  plan.pictures = pictures;
  const bool files = std::ranges::any_of(
      fields, [](const FieldSpec& field) { return isPicture(field.role) && isEncoded(field); });
  if (files) MILLRACE_TRY(refuseNumbers(pictures));
  if (pictures.patch > 0) MILLRACE_TRY(refusePatches(fields, pictures));
  const auto count = static_cast<std::size_t>(std::count_if(
      fields.begin(), fields.end(), [](const FieldSpec& f) { return isPicture(f.role); }));
  const bool pairs = pictures.patch > 0 && pictures.downscale > 1;
  if (lz4 && pairs)
    return Error{
        "the setting `lz4` stores one picture per sample, but the setting `downscale` makes two"};
  const bool oneValue = format.oneValue && (lz4 || count == 0);
  std::vector<std::string> left;
  std::vector<std::string> objects;
  for (const std::size_t f : perObjectFields(fields))
    if (!fields[f].shape.known()) objects.push_back(fields[f].name);
  if (!objects.empty() && !lossy) return wouldLoseObjects(objects);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (std::ranges::find(objects, fields[f].name) != objects.end()) {
      left.push_back(fields[f].name);
      continue;
    }
    FieldSpec field = targetField(fields[f], pictures);
    const bool taken = oneValue ? plan.fields.empty() && mayBeValue(field, count)
                                : format.takes == nullptr || format.takes(field, pairs ? 2 : count);
    if (!taken || (pairs && !isPicture(field.role))) {
      if (!isSingleClass(field, *plan.source)) left.push_back(field.name);
      continue;
    }
    plan.from.push_back(f);
    if (pairs) field.name = "image", field.role = Role::Image;
    plan.fields.push_back(field);
    if (!pairs) continue;
    field.name = "target", field.role = Role::Target;
    plan.from.push_back(f);
    plan.fields.push_back(field);
  }
  if (plan.fields.empty())
    return Error{
        "this format can store none of the samples' fields; choose tfrecord or "
        "webdataset"};
  if (left.empty()) return plan;
  if (!lossy) return wouldLose(left, fields, format, pictures, lz4);
  plan.notes.push_back(
      fmt::format("left out, because the target format cannot store it: {}", join(left, ", ")));
  return plan;
}

SampleMaker::SampleMaker(const MakePlan& plan)
    : m_plan(plan),
      m_sourceFields(plan.source->fields()),
      m_reader(plan.source->reader()),
      m_names(storedNamesOf(*plan.source)),
      m_small(plan.pictures) {
  for (std::size_t f = 0; f < plan.fields.size(); ++f) m_work.emplace_back(plan.pictures);
}

Result<SampleMaker::Made> SampleMaker::make(std::uint32_t index) {
  m_sample.reset({0, index, 0}, m_sourceFields.size());
  MILLRACE_TRY(m_reader->read(index, m_sample, m_counters));
  Made made;
  for (std::size_t f = 0; f < m_sourceFields.size(); ++f) made.bytesRead += m_sample[f].bytes;
  made.samples.push_back({m_plan.keys->key(index, m_names.get()), {}});
  const Status done = m_plan.pictures.patch > 0 ? makePatches(made) : makeWhole(made);
  if (!done) return done.error();
  for (PictureWork& work : m_work) {
    const ReductionCounts reduced = work.takeReductions();
    for (std::size_t r = 0; r < kReductions; ++r) made.reduced[r] += reduced[r];
  }
  return made;
}

/// The size of the picture that --resize refers to.
Result<Size> SampleMaker::imageSize() {
  std::size_t image = m_plan.fields.size();
  for (std::size_t f = m_plan.fields.size(); f-- > 0;) {
    const Role role = m_plan.fields[f].role;
    const bool better = image == m_plan.fields.size() || role == Role::Image;
    if (isPicture(role) && better) image = f;
  }
  if (image == m_plan.fields.size()) return Size{};
  return m_work[image].sizeOf(m_sample[m_plan.from[image]], m_sourceFields[m_plan.from[image]]);
}

Status SampleMaker::makeWhole(Made& made) {
  Size image;
  if (m_plan.pictures.resizes()) {
    MILLRACE_ASSIGN_OR_RETURN(image, imageSize());
  }
  for (std::size_t f = 0; f < m_plan.fields.size(); ++f) {
    auto made1 = value(f, image);
    if (!made1)
      return m_plan.fields.size() == 1
                 ? made1.error()
                 : Error{fmt::format("{}: {}", m_plan.fields[f].name, made1.error().message)};
    made.samples.front().values.push_back(made1.take());
  }
  return {};
}

Result<MadeValue> SampleMaker::value(std::size_t f, Size image) {
  const FieldSpec& field = m_sourceFields[m_plan.from[f]];
  const TensorView& from = m_sample[m_plan.from[f]];
  const PictureOptions& wanted = m_plan.pictures;
  const bool keep = wanted.form == Form::Keep ||
                    (wanted.form == Form::Raw && !isEncoded(field) && field.layout != Layout::Chw);
  if (!isPicture(field.role) || (keep && !wanted.resizes())) {
    if (isPicture(field.role) && isEncoded(field))
      MILLRACE_TRY(m_work[f].check(from.content(), field.role));
    return MadeValue::copyOf(from);
  }
  MILLRACE_ASSIGN_OR_RETURN(auto pixels, m_work[f].pixels(from, field));
  if (!wanted.resizes()) return m_work[f].stored(pixels);
  const Size to = wantedSize(wanted, image);
  const Size own = pixels.size();
  const auto follow = [](int side, int of, int wantedSide) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(side) * wantedSide / of)));
  };
  const Size size{follow(own.width, image.width, to.width),
                  follow(own.height, image.height, to.height)};
  return m_work[f].stored(m_work[f].resized(pixels, size, Filter::Bilinear));
}

Status SampleMaker::makePatches(Made& made) {
  const std::string key = made.samples.front().key;
  made.samples.clear();
  for (std::size_t f = 0; f < m_plan.fields.size(); ++f) {
    const FieldSpec& field = m_sourceFields[m_plan.from[f]];
    if (!isPicture(field.role)) continue;
    MILLRACE_ASSIGN_OR_RETURN(Pixels picture, m_work[f].pixels(m_sample[m_plan.from[f]], field));
    if (m_plan.pictures.resizes())
      picture = m_work[f].resized(picture, wantedSize(m_plan.pictures, picture.image.size()),
                                  Filter::Bilinear);
    return cutPatches(picture, key, made);
  }
  return {};
}

/// Squares in row order. The rest at the right and lower edge is left out.
Status SampleMaker::cutPatches(const Pixels& picture, const std::string& key, Made& made) {
  const PictureOptions& wanted = m_plan.pictures;
  const int scale = wanted.downscale;
  const ImageView& image = picture.image;
  if (image.width < wanted.patch || image.height < wanted.patch)
    return Error{fmt::format("it has {}x{} pixels, fewer than a patch of {}", image.width,
                             image.height, wanted.patch)};
  const auto cut = [](Pixels from, int x, int y, int side) {
    from.image.data += y * from.image.stride + std::ptrdiff_t{x} * from.image.channels;
    from.image.width = from.image.height = side;
    return from;
  };
  // Downscale the whole picture, so that pixels at a patch's edge use their real neighbours.
  Pixels whole = picture;
  whole.image.width -= whole.image.width % scale;
  whole.image.height -= whole.image.height % scale;
  const Pixels small = m_small.resized(
      whole, {whole.image.width / scale, whole.image.height / scale}, Filter::Bicubic);
  for (int y = 0; y + wanted.patch <= image.height; y += wanted.stride)
    for (int x = 0; x + wanted.patch <= image.width; x += wanted.stride) {
      MadeSample sample{fmt::format("{}_{:04}", key, made.samples.size()), {}};
      for (std::size_t f = 0; f < m_plan.fields.size(); ++f) {
        if (!isPicture(m_plan.fields[f].role)) {
          sample.values.push_back(MadeValue::copyOf(m_sample[m_plan.from[f]]));
          continue;
        }
        const bool low = scale > 1 && m_plan.fields[f].role == Role::Image;
        MILLRACE_ASSIGN_OR_RETURN(
            auto value,
            m_work[f].stored(low ? cut(small, x / scale, y / scale, wanted.patch / scale)
                                 : cut(picture, x, y, wanted.patch)));
        sample.values.push_back(std::move(value));
      }
      made.samples.push_back(std::move(sample));
    }
  return {};
}

}  // namespace millrace
