// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/object_fields.h"
#include "core/node_parts/short_text.h"
#include "core/nodes/pictures/decode_params.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::decode {

namespace {

/// Parameters that no exporter supports.
void limitOthers(const Params& p, ExportText& text) {
  if (p.truncated == Truncated::Grey)
    text.limit(
        "decode.truncated is left out: truncated files fail. Millrace fills what is missing with "
        "grey.");
  if (p.several == Several::Refuse)
    text.limit(
        "decode.several is left out: the first page or frame is used where the library can. "
        "Millrace "
        "refuses such files.");
  if (!p.background.empty())
    text.limit(
        "decode.background is left out: transparent pixels show whatever colour is stored there. "
        "Millrace shows the background.");
  if (p.cmyk == Cmyk::Profile)
    text.limit(
        "decode.cmyk is left out: the library converts CMYK by its own rule. Millrace applies the "
        "profile in the file.");
  if (p.resize == ResizeOf::Planes)
    text.limit(
        "decode.resize is left out: pixels are converted to RGB, then resized. Millrace resizes "
        "luma and chroma of JPEG separately, to pixels that differ by less than a level of 255 on "
        "average.");
  if (p.gpuShare > 0)
    text.limit(
        "decode.gpu_share is left out: the CPU decodes all pictures. Millrace's GPU decodes some, "
        "to pixels that differ by a few levels of 255.");
}

/// For targets that cannot keep the numbers of a file; `why`: "tf.data has no decoder that ...".
void refuseStored(const Params& p, std::string_view why, ExportText& text) {
  if (p.form == DecodeForm::Stored)
    text.missing = fmt::format(
        "decode.form = stored is not exported: {}. Export the pipeline for PyTorch, or as Python "
        "over the engine.",
        why);
}

void limitStored(ExportText& text) {
  text.limit(
      "Files of decode.form = stored are read by tifffile (TIFF) and OpenCV (all others). They are "
      "not turned as EXIF says, a palette becomes colours, and JPEG pixels differ by a few levels. "
      "TIFF files with LZW or JPEG compression need the package imagecodecs.");
}

void limitScaling(ExportText& text) {
  text.limit(
      "JPEG files are decoded in full. Millrace decodes large ones smaller if that is enough, "
      "which "
      "changes pixels by a few levels of 255, unless decode.scaling is full.");
}

void limitMasks(ExportText& text) {
  text.limit(
      "Masks that are PNG with a palette, or with fewer than 8 bits, become grey levels, not "
      "indices. Store masks as grey PNG of 8 bits.");
}

/// `others`: file formats that Millrace reads and the target does not.
void limitFiles(std::string_view others, std::string_view library, ExportText& text) {
  text.limit(fmt::format("{} files fail: {} does not read them.", others, library));
}

void limitTorchFiles(const Params& p, ExportText& text) {
  if (p.orientation == Orientation::Apply)
    limitFiles("TIFF, BMP, JPEG XL and JPEG 2000", "torchcodec", text);
  else
    limitFiles("HEIC and JPEG XL", "Pillow", text);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  std::vector<std::size_t> pictures;
  std::vector<std::size_t> masks;
  for (const std::size_t i : acts(p, context.in))
    (context.in.fields[i].role == Role::Mask ? masks : pictures).push_back(i);
  const std::string upright = p.orientation == Orientation::Ignore ? ", upright=False" : "";
  const std::string mode = p.form == DecodeForm::Grey ? ", mode=ImageReadMode.GRAY" : "";
  ExportText text;
  const bool isStored = p.form == DecodeForm::Stored;
  if (!pictures.empty() && isStored)
    text.needs("decode_stored")
        .step(
            fmt::format("DecodeStored({}, {})", pythonTexts(context.names(pictures)), p.channels));
  else if (!pictures.empty())
    text.needs("decode").step("Decode(" + pythonTexts(context.names(pictures)) + mode + upright +
                              ")");
  if (!masks.empty()) {
    const bool index = p.mask == MaskForm::Index;
    text.needs(index ? "decode_masks" : "decode_colour_masks")
        .step((index ? "DecodeMasks(" : "DecodeColourMasks(") + pythonTexts(context.names(masks)) +
              upright + ")");
  }
  if (isStored)
    limitStored(text);
  else if (!pictures.empty())
    limitTorchFiles(p, text);
  if (p.scaling == Scaling::Auto && !isStored) limitScaling(text);
  limitOthers(p, text);
  return text;
}

/// The limits of tf.data and DALI.
void limitArrays(const Params& p, const ExportContext& context, ExportText& text) {
  for (const std::size_t i : acts(p, context.in))
    if (context.in.fields[i].role == Role::Mask && p.mask == MaskForm::Index) {
      limitMasks(text);
      break;
    }
  if (p.scaling == Scaling::Auto) limitScaling(text);
  limitOthers(p, text);
}

void limitTf(const Params& p, const ExportContext& context, std::string_view others,
             ExportText& text) {
  refuseStored(p, "TensorFlow reads no TIFF, and of other files only 8 bits, or 16 in PNG", text);
  if (p.orientation == Orientation::Apply)
    text.limit(
        "TensorFlow does not read EXIF orientation: pictures that a camera stored turned stay "
        "turned.");
  limitArrays(p, context, text);
  limitFiles(others, "TensorFlow", text);
}

void limitDali(const Params& p, const ExportContext& context, ExportText& text) {
  refuseStored(p, "DALI decodes no floats and scales all values to one range", text);
  limitArrays(p, context, text);
  limitFiles("GIF, AVIF, HEIC and JPEG XL", "DALI", text);
}

/// The number of channels per field, for tf.data and DALI.
void decodeArrays(const Params& p, const ExportContext& context, ExportText& text) {
  std::vector<std::string> channels;
  for (const std::size_t i : acts(p, context.in))
    channels.push_back(fmt::format("{}: {}", pythonText(context.in.fields[i].name),
                                   context.out.fields[i].channels()));
  text.needs("decode").step(fmt::format("decode(sample, {{{}}})", join(channels, ", ")));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  ExportText text;
  limitTf(p, context, "TIFF, AVIF, HEIC, JPEG XL and JPEG 2000", text);
  decodeArrays(p, context, text);
  return text;
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text;
  limitDali(p, context, text);
  decodeArrays(p, context, text);
  return text.option("UPRIGHT", pythonBool(p.orientation == Orientation::Apply),
                     "turn pictures as EXIF says");
}

/// Pillow's own differences.
void limitGrain(const Params& p, ExportText& text) {
  limitFiles("HEIC and JPEG XL", "Pillow", text);
  if (p.form == DecodeForm::Grey)
    text.limit(
        "Grey pixels of colour JPEG differ by a few levels of 255: Pillow computes them from RGB.");
  if (p.scaling == Scaling::Auto) limitScaling(text);
  limitOthers(p, text);
}

ExportText grain(const Params& p, const ExportContext& context) {
  ExportText text;
  refuseStored(p, "Pillow reduces colours of 16 bits to 8 and drops further channels", text);
  limitGrain(p, text);
  decodeArrays(p, context, text);
  return text.option("UPRIGHT", pythonBool(p.orientation == Orientation::Apply),
                     "turn pictures as EXIF says");
}

/// Statements that replace files by pictures: `colour` and `grey` make those of 3 and 1 channels.
void decodeShort(const Params& p, const ExportContext& context, std::string_view colour,
                 std::string_view grey, ExportText& text) {
  TextList colours;
  TextList greys;
  for (const std::size_t i : acts(p, context.in))
    (context.out.fields[i].channels() == 3 ? colours : greys).push_back(context.in.fields[i].name);
  if (!colours.empty()) text.value(colours, std::string(colour));
  if (!greys.empty()) text.value(greys, std::string(grey));
}

constexpr const char* kNumbers = "it keeps the numbers of the file";

ExportText shortTf(const Params& p, const ExportContext& context) {
  if (p.form == DecodeForm::Stored) return longForm(kNumbers);
  ExportText text;
  limitTf(p, context, "BMP, WebP, TIFF, AVIF, HEIC, JPEG XL and JPEG 2000", text);
  decodeShort(p, context, "tf.io.decode_jpeg({}, 3, dct_method=\"INTEGER_ACCURATE\")",
              "tf.io.decode_jpeg({}, 1, dct_method=\"INTEGER_ACCURATE\")", text);
  return text;
}

/// Names of the fields that it decodes.
std::pair<TextList, TextList> picturesAndMasks(const Params& p, const ExportContext& context) {
  std::pair<TextList, TextList> names;
  for (const std::size_t i : acts(p, context.in)) {
    const FieldSpec& field = context.in.fields[i];
    (field.role == Role::Mask ? names.second : names.first).push_back(field.name);
  }
  return names;
}

ExportText shortTorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (p.form == DecodeForm::Stored) return longForm(kNumbers);
  if (p.orientation == Orientation::Ignore || p.mask == MaskForm::Rgb)
    return longForm("it ignores the orientation, or decodes masks of colours");
  const auto [pictures, masks] = picturesAndMasks(p, context);
  text.needs("first_picture");
  if (!pictures.empty())
    text.value(pictures,
               p.form == DecodeForm::Rgb ? "first_picture({}, mode=\"RGB\")"
                                         : "first_picture({}, mode=\"GRAY\")",
               {.typed = true});
  if (!masks.empty()) {
    text.value(masks, "first_picture({}, mode=\"GRAY\")", {.typed = true});
    limitMasks(text);
  }
  // For sources whose boxes are shares of the picture; they add the snippet.
  if (boxesOf(context.in.fields) != nullptr) text.step("place_boxes(sample)");
  limitTorchFiles(p, text);
  if (p.scaling == Scaling::Auto) limitScaling(text);
  limitOthers(p, text);
  return text;
}

/// Hugging Face's `datasets` opens files with Pillow, and turns them as EXIF says.
ExportText shortHuggingFace(const Params& p, const ExportContext& context) {
  // The source of boxes is that of PyTorch, which gives paths.
  if (boxesOf(context.in.fields) != nullptr) return shortTorch(p, context);
  if (p.form == DecodeForm::Stored) return longForm(kNumbers);
  if (p.orientation == Orientation::Ignore || p.mask == MaskForm::Rgb)
    return longForm("it ignores the orientation, or decodes masks of colours");
  ExportText text;
  text.import("from torchvision.transforms.v2.functional import pil_to_tensor");
  const auto [pictures, masks] = picturesAndMasks(p, context);
  const char* mode = p.form == DecodeForm::Rgb ? "RGB" : "L";
  if (!pictures.empty())
    text.value(pictures, fmt::format("pil_to_tensor({{}}.convert(\"{}\"))", mode), {.typed = true});
  if (!masks.empty())
    text.value(masks, "pil_to_tensor({})", {.typed = true})
        .limit(
            "Masks that are grey PNG of fewer than 8 bits become grey levels, not indices. Store "
            "them with 8 bits.");
  limitFiles("HEIC and JPEG XL", "Pillow", text);
  if (p.scaling == Scaling::Auto) limitScaling(text);
  limitOthers(p, text);
  return text;
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  if (p.form == DecodeForm::Stored) return longForm(kNumbers);
  if (p.orientation == Orientation::Ignore) return longForm("it ignores the orientation");
  ExportText text;
  limitDali(p, context, text);
  decodeShort(p, context, "fn.decoders.image({}, device=DECODER, jpeg_fancy_upsampling=True)",
              "fn.decoders.image({}, device=DECODER, output_type=types.GRAY, "
              "jpeg_fancy_upsampling=True)",
              text);
  return text;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  if (p.form == DecodeForm::Stored) return longForm(kNumbers);
  if (p.orientation == Orientation::Ignore || p.mask == MaskForm::Rgb)
    return longForm("it ignores the orientation, or decodes masks of colours");
  const auto [pictures, masks] = picturesAndMasks(p, context);
  ExportText text;
  text.needs("decode_upright");
  const char* mode = p.form == DecodeForm::Rgb ? "RGB" : "L";
  if (!pictures.empty()) text.value(pictures, fmt::format("decode({{}}, \"{}\")", mode));
  if (!masks.empty()) text.value(masks, "decode({})");
  limitGrain(p, text);
  return text;
}

}  // namespace

void addExporters(Describe<Params>& d) {
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", grain);
  d.exporter("tfdata.short", shortTf);
  d.exporter("pytorch.short", shortTorch);
  d.exporter("dali.short", shortDali);
  d.exporter("huggingface.short", shortHuggingFace);
  d.exporter("grain.short", shortGrain);
}

}  // namespace millrace::nodes::decode
