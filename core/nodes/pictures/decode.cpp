// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/node_parts/short_text.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::decode {

namespace {

enum class Orientation : std::uint8_t { Apply, Ignore };
enum class Scaling : std::uint8_t { Auto, Full };
enum class MaskForm : std::uint8_t { Index, Rgb };
enum class Decoder : std::uint8_t { Auto, Library };
enum class ResizeOf : std::uint8_t { Rgb, Planes };
enum class Balance : std::uint8_t { Fixed, Adaptive };
enum class Truncated : std::uint8_t { Fail, Grey };
enum class Several : std::uint8_t { First, Refuse };
enum class Cmyk : std::uint8_t { Plain, Profile };

struct Params {
  DecodeForm form = DecodeForm::Rgb;
  std::int64_t channels = 3;
  MaskForm mask = MaskForm::Index;
  Orientation orientation = Orientation::Apply;
  Scaling scaling = Scaling::Auto;
  Truncated truncated = Truncated::Fail;
  Several several = Several::First;
  RealList background{};
  Cmyk cmyk = Cmyk::Plain;
  Decoder decoder = Decoder::Auto;
  ResizeOf resize = ResizeOf::Rgb;
  std::int64_t gpuShare = 0;
  Balance gpuBalance = Balance::Fixed;
  std::int64_t sideIndex = 0;
  TextList fields;
};

std::vector<std::size_t> acts(const Params& p, const StreamType& in) {
  std::vector<std::size_t> encoded;
  for (const std::size_t i : geometryFields(in, p.fields))
    if (in.fields[i].dtype == DType::Encoded) encoded.push_back(i);
  return encoded;
}

void checkColours(const Params& p, InferContext& context) {
  if (p.background.size() == 2 || p.background.size() > 3)
    context.error("background", fmt::format("it has {} values", p.background.size()),
                  "give one value, or three for red, green and blue");
  const OptionalPart& part = partNamed("lcms2");
  if (p.cmyk == Cmyk::Profile && !part.built)
    context.error("cmyk", whyMissing(part), remedyFor(part));
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  checkColours(p, context);
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  for (const std::size_t i : geometryFields(in, p.fields))
    if (!p.fields.empty() && in.fields[i].dtype != DType::Encoded)
      context.error("fields", fmt::format("field `{}` is not encoded", in.fields[i].name),
                    "remove it from the list");
  const std::vector<std::size_t> acted = acts(p, in);
  if (acted.empty() && p.fields.empty())
    context.error("", "no picture field is an encoded file",
                  "remove this node: the pictures are already decoded");
  for (const std::size_t i : acted) {
    FieldSpec& field = out.fields[i];
    const bool isMask = field.role == Role::Mask;
    const bool colour = isMask ? p.mask == MaskForm::Rgb : p.form == DecodeForm::Rgb;
    const bool stored = !isMask && p.form == DecodeForm::Stored;
    field.shape = {field.height(), field.width(), stored ? p.channels : (colour ? 3 : 1)};
    field.dtype = stored ? DType::F32 : DType::U8;
    field.layout = Layout::Hwc;
  }
  return out;
}

std::optional<std::array<std::uint8_t, 3>> backgroundOf(const RealList& values) {
  if (values.empty()) return std::nullopt;
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t c = 0; c < colour.size(); ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround(values[values.size() == 3 ? c : 0]));
  return colour;
}

Result<ImageStep> make(const Params& p, const BuildContext&) {
  ImageStep step;
  step.decode = DecodeStep{p.form,
                           static_cast<int>(p.channels),
                           p.orientation == Orientation::Apply,
                           p.scaling == Scaling::Auto,
                           p.mask == MaskForm::Rgb,
                           p.decoder == Decoder::Auto,
                           static_cast<std::size_t>(p.sideIndex),
                           p.resize == ResizeOf::Planes,
                           p.truncated == Truncated::Grey,
                           p.several == Several::Refuse,
                           backgroundOf(p.background),
                           p.cmyk == Cmyk::Profile};
  return step;
}

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

ExportText grain(const Params& p, const ExportContext& context) {
  ExportText text;
  refuseStored(p, "Pillow reduces colours of 16 bits to 8 and drops further channels", text);
  limitFiles("HEIC and JPEG XL", "Pillow", text);
  if (p.scaling == Scaling::Auto) limitScaling(text);
  limitOthers(p, text);
  decodeArrays(p, context, text);
  return text.option("UPRIGHT", pythonBool(p.orientation == Orientation::Apply),
                     "turn pictures as EXIF says");
}

/// Parameters that select how files are decoded.
void describeMeans(Describe<Params>& d) {
  d.choice<ResizeOf>("resize", &Params::resize,
                     {{ResizeOf::Rgb, "rgb", "RGB pixels, as in every other loader"},
                      {ResizeOf::Planes, "planes",
                       "luma and chroma separately, with the colour conversion at the end"}})
      .label("Resize in")
      .help(
          "With planes, JPEG files of the built-in decoder are not converted to RGB before a "
          "resize that directly follows and runs in the same operation. Luma and chroma are "
          "resized separately and the colours of the result are converted. This is about a tenth "
          "faster and closer to the file's data, but the pixels differ: by less than one level of "
          "255 on average, and by tens of levels at sharp colour edges. Other files and masks use "
          "RGB, and so does everything without fusing or with a cache in between; a run counts "
          "both.");
  d.integer("gpu_share", &Params::gpuShare)
      .label("GPU share")
      .range(0, 100)
      .unit("percent")
      .help(
          "Percentage of samples whose JPEG files are decoded by NVIDIA's nvJPEG on the GPU after "
          "a transfer. A random draw selects them, the same ones in each run. The CPU decodes the "
          "others, and everything that nvJPEG does not support: masks, form stored, PNG, grey, "
          "progressive and "
          "rotated files, and files with a damaged header or end. Without a GPU or libnvjpeg (CUDA "
          "12.4 or later) the CPU decodes everything. The pixels differ from the CPU's by a few "
          "levels of 255. If the GPU has a JPEG engine and a crop follows, only the crop's region "
          "is decoded. 0: off.");
  d.choice<Balance>("gpu_balance", &Params::gpuBalance,
                    {{Balance::Fixed, "fixed", "keep the share that is set"},
                     {Balance::Adaptive, "adaptive", "adjust the share until neither side waits"}})
      .label("GPU balance")
      .usedWith("gpu_share")
      .help(
          "adaptive starts with the share that is set. During the run it increases the GPU's share "
          "while batches come late and the GPU has nothing to decode, and decreases it while they "
          "come in time and the GPU is behind. Which pictures the GPU decodes, and thus the last "
          "bits of their pixels, then differ from run to run; the report shows how many there "
          "were.");
  d.integer("side_index", &Params::sideIndex)
      .label("Side index")
      .range(0, 1e15)
      .unit("bytes")
      .speedOnly()
      .help(
          "Memory for an index of the block rows of JPEG files. From the second epoch on, the "
          "parts above and to the right of a crop need not be decoded again. Takes about 0.5 KB "
          "per photo of 500 x 375. The index is checked against the file's size and checksum on "
          "each use; the pixels are the same. Like with a cache, later epochs are faster than the "
          "first, so a warm-up takes one epoch. 0: off. Pictures that are decoded completely do "
          "not use it.");
}

/// Statements that replace files by pictures: `colour` and `grey` make those of 3 and 1 channels.
void decodeShort(const Params& p, const ExportContext& context, std::string_view colour,
                 std::string_view grey, ExportText& text) {
  TextList colours;
  TextList greys;
  for (const std::size_t i : acts(p, context.in))
    (context.out.fields[i].channels() == 3 ? colours : greys).push_back(context.in.fields[i].name);
  if (!colours.empty()) text.step(replaceFields(colours, colour));
  if (!greys.empty()) text.step(replaceFields(greys, grey));
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
  text.import("from torchcodec.decoders import decode_image");
  if (!pictures.empty())
    text.step(replaceFields(pictures, p.form == DecodeForm::Rgb
                                          ? "tv_tensors.Image(decode_image({}, mode=\"RGB\"))"
                                          : "tv_tensors.Image(decode_image({}, mode=\"GRAY\"))"));
  if (!masks.empty()) {
    text.step(replaceFields(masks, "tv_tensors.Mask(decode_image({}, mode=\"GRAY\"))"));
    limitMasks(text);
  }
  limitTorchFiles(p, text);
  if (p.scaling == Scaling::Auto) limitScaling(text);
  limitOthers(p, text);
  return text;
}

/// Hugging Face's `datasets` opens files with Pillow, and turns them as EXIF says.
ExportText shortHuggingFace(const Params& p, const ExportContext& context) {
  if (p.form == DecodeForm::Stored) return longForm(kNumbers);
  if (p.orientation == Orientation::Ignore || p.mask == MaskForm::Rgb)
    return longForm("it ignores the orientation, or decodes masks of colours");
  ExportText text;
  text.import("from torchvision.transforms.v2.functional import pil_to_tensor");
  const auto [pictures, masks] = picturesAndMasks(p, context);
  const char* mode = p.form == DecodeForm::Rgb ? "RGB" : "L";
  if (!pictures.empty())
    text.step(replaceFields(
        pictures, fmt::format("tv_tensors.Image(pil_to_tensor({{}}.convert(\"{}\")))", mode)));
  if (!masks.empty())
    text.step(replaceFields(masks, "tv_tensors.Mask(pil_to_tensor({}))"))
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

void describeIncomplete(Describe<Params>& d) {
  d.choice<Truncated>(
       "truncated", &Params::truncated,
       {{Truncated::Fail, "fail", "the sample fails, with the number of bytes"},
        {Truncated::Grey, "grey", "what is missing is grey, as viewers show it; masks still fail"}})
      .label("Truncated files")
      .help("What happens to JPEG and PNG files that end early. Other formats fail.");
  d.choice<Several>("several", &Params::several,
                    {{Several::First, "first", "the first is used, and the run counts such files"},
                     {Several::Refuse, "refuse", "the sample fails"}})
      .label("Pages and frames")
      .help("What happens to TIFF files with several pages and to animations.");
}

void describeColours(Describe<Params>& d) {
  d.reals("background", &Params::background)
      .range(0, 255)
      .optional()
      .usedWith("form", {"rgb", "grey"})
      .label("Background")
      .help(
          "The colour that shows through transparent pixels, 0 to 255: one value, or three for "
          "red, green and blue. Empty: alpha is dropped, so invisible pixels get whatever colour "
          "the file has there. Masks are not affected. PNG files with transparency are then "
          "decoded by libspng.");
  d.choice<Cmyk>("cmyk", &Params::cmyk,
                 {{Cmyk::Plain, "plain", "by a fixed rule, as Pillow's convert does"},
                  {Cmyk::Profile, "profile", "by the ICC profile in the file, if it has one"}})
      .usedWith("form", {"rgb", "grey"})
      .label("CMYK")
      .help(
          "How CMYK files of JPEG, TIFF and JPEG 2000 become RGB. Colours by a profile look as in "
          "print; the plain rule is what other loaders use.");
}

/// Which numbers become pixels.
void describeForm(Describe<Params>& d) {
  d.choice<DecodeForm>(
       "form", &Params::form,
       {{DecodeForm::Rgb, "rgb", "three channels; alpha is dropped"},
        {DecodeForm::Grey, "grey", "one channel, luma"},
        {DecodeForm::Stored, "stored", "every channel as f32, with the numbers of the file"}})
      .label("Channels")
      .help(
          "Channels of images and targets, whatever the file contains. stored keeps what the other "
          "forms reduce: 16 bits are 0 to 65535, floats and signed numbers are unchanged, and "
          "alpha and further channels stay. Colours, profiles and palettes are not applied.");
  d.integer("channels", &Params::channels)
      .label("Stored channels")
      .range(1, kMostFloatChannels)
      .usedWith("form", {"stored"})
      .help("The number of channels that every file must have; other files fail.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("decode", Category::Decode, NodeRole::Image);
  d.label("Decode image")
      .help(
          "Decodes " + pictureFormats() +
          " files to pixels: u8, height x width x channels, 0 to 255; or f32 with form stored. "
          "Crops and resizes that "
          "directly follow are done during decoding, so that pixels "
          "that are not needed are never computed. A damaged file fails its sample and reports the "
          "reason.");
  d.example(R"({"form": "rgb", "scaling": "auto"})");
  for (const CodecEntry& codec : allCodecs()) d.tag(lowerCase(codec.format));
  for (const char* tag : {"image", "read", "imread", "exif", "mask"}) d.tag(tag);
  describeForm(d);
  d.choice<MaskForm>("mask", &Params::mask,
                     {{MaskForm::Index, "index", "one channel: palette index or grey value"},
                      {MaskForm::Rgb, "rgb", "three channels, for one_hot with a colour table"}})
      .label("Masks")
      .help("How masks are decoded: class indices as stored, or colours.");
  d.choice<Orientation>("orientation", &Params::orientation,
                        {{Orientation::Apply, "apply", "upright, as viewers show the picture"},
                         {Orientation::Ignore, "ignore", "as stored, like most loaders"}})
      .label("EXIF orientation")
      .help("Whether to rotate pictures according to the camera's EXIF orientation.");
  d.choice<Scaling>(
       "scaling", &Params::scaling,
       {{Scaling::Auto, "auto", "the smallest JPEG scale that is sufficient for the result"},
        {Scaling::Full, "full", "decode every pixel, then resize"}})
      .label("Scaling")
      .help(
          "auto decodes JPEG at 1/2, 1/4 or 1/8 of the size if a resize follows. This is several "
          "times faster; the pixels differ by a few levels. Masks are always decoded at full "
          "size.");
  describeIncomplete(d);
  describeColours(d);
  d.choice<Decoder>("decoder", &Params::decoder,
                    {{Decoder::Auto, "auto", "the fastest one that supports the file"},
                     {Decoder::Library, "library", "libjpeg-turbo and libspng for all files"}})
      .label("Decoder")
      .help(
          "auto uses the built-in decoders for ordinary JPEG and PNG files, and libjpeg-turbo and "
          "libspng for the rest; the pixels are identical. Use library for comparisons.");
  describeMeans(d);
  d.fields(&Params::fields);
  d.infer(infer);
  d.acts(acts);
  d.image(make);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", grain);
  d.exporter("tfdata.short", shortTf);
  d.exporter("pytorch.short", shortTorch);
  d.exporter("dali.short", shortDali);
  d.exporter("huggingface.short", shortHuggingFace);
  return d.take();
}

}  // namespace millrace::nodes::decode
