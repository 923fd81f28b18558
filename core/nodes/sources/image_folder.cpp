// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/tiff_pages.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/folder/picture_pages.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/class_folders.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::image_folder {

namespace {

namespace fs = std::filesystem;

enum class Pages : std::uint8_t { First, Each };

struct Params {
  TextList paths;
  Subset subset = Subset::Train;
  std::string classesFrom;
  ClassOrder classOrder = ClassOrder::Bytes;
  Junk junk = Junk::Skip;
  Pages pages = Pages::First;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

constexpr const char* kFlatClass = ".";

/// A page of a TIFF file with several.
struct Page {
  std::uint64_t directory = 0;  ///< 0: the whole file
  std::uint32_t number = 0;
};

/// A list of files with their classes.
struct Part {
  FileList files;
  std::vector<std::uint32_t> kept;   ///< indices into `files`; empty: all of them
  std::vector<std::int32_t> labels;  ///< of the kept files, or pages
  std::vector<Page> pages;           ///< empty: files are samples
  UniqueFd folder;                   ///< the root folder, for openat

  std::size_t size() const { return labels.size(); }
  std::size_t file(std::size_t i) const { return kept.empty() ? i : kept[i]; }
};

class ImageFolder final : public Source {
 public:
  ImageFolder(const Params& params, ClassFolders classes)
      : m_params(params), m_classes(std::move(classes)), m_warnings(m_classes.notes()) {}
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    return fieldsWith(static_cast<std::int64_t>(m_classes.names().size()));
  }
  static std::vector<FieldSpec> fieldsWith(std::int64_t classes) {
    return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
            {"label", DType::I64, {}, Layout::Plain, Role::Label, classes}};
  }
  std::string name(std::uint32_t index) const override {
    const Page page = pageOf(index);
    return page.directory == 0 ? path(index) : fmt::format("{}#{}", path(index), page.number);
  }
  std::int64_t labelOf(std::uint32_t index) const override {
    const std::size_t p = partOf(index);
    return m_parts[p].labels[index - m_starts[p]];
  }
  std::vector<std::string> classes() const override { return m_classes.names(); }
  std::vector<std::string> warnings() const override { return m_warnings; }
  std::string file(std::uint32_t index) const override {
    return (m_parts[partOf(index)].files.root() / path(index)).native();
  }
  std::unique_ptr<SourceReader> reader() const override;

  const char* path(std::uint32_t index) const {
    const std::size_t p = partOf(index);
    const Part& part = m_parts[p];
    return part.files.path(part.file(index - m_starts[p]));
  }
  Page pageOf(std::uint32_t index) const {
    const std::size_t p = partOf(index);
    const Part& part = m_parts[p];
    return part.pages.empty() ? Page{} : part.pages[index - m_starts[p]];
  }
  int folder(std::uint32_t index) const { return m_parts[partOf(index)].folder.get(); }
  ReadBy readBy() const { return m_params.readBy; }

 private:
  Status addPart(const DividedFolder& root, const std::string& below);
  void label(Part& part, const std::string& below);
  void dividePages(Part& part);
  void labelByFolder(Part& part, std::size_t skip, const std::vector<std::uint32_t>& loose);

  std::size_t partOf(std::uint32_t index) const {
    if (m_parts.size() == 1) return 0;
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }

  const Params m_params;
  std::vector<Part> m_parts;
  std::vector<std::uint32_t> m_starts{0};  ///< first index of each part, and the end
  ClassFolders m_classes;
  std::vector<std::string> m_warnings;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const ImageFolder& source) : m_source(source), m_file(source.readBy()) {}
  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    MILLRACE_TRY(
        m_file.readInto(sample, 0, m_source.folder(index), m_source.path(index), counters));
    if (const Page page = m_source.pageOf(index); page.directory != 0) {
      const TensorView& file = sample[0];
      if (!selectTiffPage({file.data, file.bytes}, page.directory))
        return Error{fmt::format("page {} is missing; the file has changed", page.number)};
    }
    *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = m_source.labelOf(index);
    return {};
  }

 private:
  const ImageFolder& m_source;
  FileReader m_file;
};

std::unique_ptr<SourceReader> ImageFolder::reader() const {
  return std::make_unique<Reader>(*this);
}

/// The first folder level of a path after `skip` bytes; empty for a file outside the class folders.
std::string_view classFolder(std::string_view path, std::size_t skip) {
  path.remove_prefix(skip);
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

void ImageFolder::label(Part& part, const std::string& below) {
  const std::size_t skip = below.empty() ? 0 : below.size() + 1;
  const std::size_t files = part.files.size();
  std::vector<std::uint32_t> loose;
  for (std::size_t i = 0; i < files; ++i)
    if (classFolder(part.files.view(i), skip).empty())
      loose.push_back(static_cast<std::uint32_t>(i));
  if (loose.size() == files) {
    part.labels.assign(files, m_classes.add(kFlatClass));
    m_warnings.push_back(fmt::format("`{}` has no class folders: all of its files get one class",
                                     validUtf8((part.files.root() / below).native())));
    return;
  }
  part.labels.reserve(files - loose.size());
  if (!loose.empty()) {
    m_warnings.push_back(fmt::format("{} files outside the class folders are left out; first: {}",
                                     loose.size(), validUtf8(part.files.view(loose.front()))));
    part.kept.reserve(files - loose.size());
  }
  labelByFolder(part, skip, loose);
}

void ImageFolder::labelByFolder(Part& part, std::size_t skip,
                                const std::vector<std::uint32_t>& loose) {
  std::string_view current;
  std::int32_t number = -1;
  auto nextLoose = loose.begin();
  for (std::size_t i = 0; i < part.files.size(); ++i) {
    if (nextLoose != loose.end() && *nextLoose == i) {
      ++nextLoose;
      continue;
    }
    const std::string_view name = classFolder(part.files.view(i), skip);
    if (name != current) number = m_classes.add(std::string(name));
    current = name;
    if (!loose.empty()) part.kept.push_back(static_cast<std::uint32_t>(i));
    part.labels.push_back(number);
  }
}

/// Makes each page a sample.
void ImageFolder::dividePages(Part& part) {
  std::vector<std::uint32_t> files(part.size());
  for (std::size_t i = 0; i < files.size(); ++i)
    files[i] = static_cast<std::uint32_t>(part.file(i));
  const PicturePages pages = PicturePages::count(part.files, files, part.folder.get());
  std::vector<std::int32_t> labels = std::move(part.labels);
  part.labels.clear();
  part.kept.clear();
  std::size_t divided = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<std::uint64_t>& of = pages.of(i);
    const bool several = of.size() > 1;
    if (several) ++divided;
    for (std::size_t page = 0; page < (several ? of.size() : 1); ++page) {
      part.kept.push_back(files[i]);
      part.labels.push_back(labels[i]);
      part.pages.push_back({several ? of[page] : 0, static_cast<std::uint32_t>(page)});
    }
  }
  m_warnings.push_back(fmt::format("{} of {} files {} several pages: {} samples in all",
                                   grouped(divided), grouped(files.size()),
                                   divided == 1 ? "has" : "have", grouped(part.size())));
}

Status ImageFolder::addPart(const DividedFolder& root, const std::string& below) {
  MILLRACE_ASSIGN_OR_RETURN(auto files,
                            listFiles(root.path, below, {m_params.junk, true, kKeepJunk}));
  Part part;
  part.files = std::move(files);
  part.folder = UniqueFd(::open(root.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!part.folder.valid()) return folderError(root.path, errno);
  for (const std::string& note : part.files.notes()) m_warnings.push_back(validUtf8(note));
  label(part, below);
  if (m_params.pages == Pages::Each) dividePages(part);
  const std::uint64_t total = std::uint64_t{m_starts.back()} + part.size();
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 samples; use fewer folders"};
  m_starts.push_back(static_cast<std::uint32_t>(total));
  m_parts.push_back(std::move(part));
  return {};
}

Result<std::shared_ptr<const Source>> ImageFolder::open(const Params& params,
                                                        const fs::path& base) {
  if (params.paths.empty()) return resolveDataPath("", base).error();
  std::vector<DividedFolder> roots;
  for (const std::string& text : params.paths) {
    MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(text, base));
    MILLRACE_ASSIGN_OR_RETURN(auto root, divideFolder(path, params.subset));
    roots.push_back(std::move(root));
  }
  fs::path classesFrom;
  if (!params.classesFrom.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(classesFrom, resolveDataPath(params.classesFrom, base));
    std::error_code ignored;
    if (!fs::is_directory(classesFrom, ignored)) return folderError(classesFrom, ENOENT);
  }
  ClassFolders classes(roots, classesFrom, {params.classOrder, params.junk});
  auto source = std::make_shared<ImageFolder>(params, std::move(classes));
  for (const DividedFolder& root : roots)
    for (const std::string& part : root.parts) MILLRACE_TRY(source->addPart(root, part));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no folder is set", "set at least one");
  StreamType out;
  out.fields = ImageFolder::fieldsWith(0);
  return out;
}

/// Arguments that are not exported if they have their default.
std::string namedArguments(const Params& p) {
  std::string text;
  if (p.classOrder == ClassOrder::Numeric) text += ", class_order=\"numeric\"";
  if (p.junk == Junk::Keep) text += ", junk=\"keep\"";
  return text;
}

void refusePages(const Params& p, ExportText& text) {
  if (p.pages == Pages::Each)
    text.missing =
        "image_folder.pages = each is not exported; write each page to a separate file, or export "
        "the pipeline as Python over the engine.";
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kSubsets = {"train", "validation", "all"};
  ExportText text;
  refusePages(p, text);
  text.needs("image_folder").option("DATA", pathListLiteral(p.paths, context));
  std::string call = "ImageFolder(DATA";
  if (p.subset != Subset::Train)
    call += fmt::format(", subset=\"{}\"", kSubsets.at(static_cast<std::size_t>(p.subset)));
  if (!p.classesFrom.empty()) {
    text.option("CLASSES_FROM", pathLiteral(p.classesFrom, context));
    call += ", classes_from=CLASSES_FROM";
  }
  return text.step(call + namedArguments(p) + ")");
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kSubsets = {"train", "validation", "all"};
  ExportText text;
  refusePages(p, text);
  text.needs("image_folder").option("DATA", pathListLiteral(p.paths, context));
  std::string call =
      fmt::format("image_folder(DATA, \"{}\"", kSubsets.at(static_cast<std::size_t>(p.subset)));
  if (!p.classesFrom.empty()) {
    text.option("CLASSES_FROM", pathLiteral(p.classesFrom, context));
    call += ", CLASSES_FROM";
  }
  return text.step(call + namedArguments(p) + ")");
}

/// Whether the classes and files that a source lists are `sorted(glob("*/*"))` below `folder`.
bool isGlobbed(const ImageFolder& source, const fs::path& root, const std::string& part) {
  const std::vector<std::string> files = globbed(root / part, 2);
  if (files.size() != source.size()) return false;
  std::vector<std::string> classes;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    const std::string& file = files[i];
    const std::string name = file.substr(0, file.find('/'));
    if (classes.empty() || classes.back() != name) classes.push_back(name);
    const bool same = source.name(i) == (fs::path(part) / file).native() &&
                      source.labelOf(i) == static_cast<std::int64_t>(classes.size()) - 1;
    if (!same || validUtf8(file) != file) return false;
  }
  return classes == source.classes();
}

/// Whether the framework's own reader of class folders lists the same files: torchvision's
/// ImageFolder and DALI's readers.file go by the endings of names.
bool isListedBy(std::string_view target, const fs::path& folder) {
  TextList endings{".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp"};
  if (target == "dali") endings.insert(endings.end(), {".pnm", ".pbm", ".jp2"});
  return target == "tfdata" || target == "grain" || isGlobbedByEndings(folder, endings);
}

/// Whether names below a folder contain a word that Hugging Face's `datasets` takes for a split.
bool namesSplit(const fs::path& folder) {
  constexpr std::array<std::string_view, 10> kWords = {
      "train", "training", "validation", "valid", "val",
      "dev",   "test",     "testing",    "eval",  "evaluation"};
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const std::string& file : globbed(folder, 2))
    for (auto at = file.begin(); at != file.end();) {
      const auto begin = std::find_if(at, file.end(), isLetter);
      at = std::find_if_not(begin, file.end(), isLetter);
      if (std::ranges::find(kWords, std::string_view(begin, at)) != kWords.end()) return true;
    }
  return false;
}

ExportText shortDali(ExportText text) {
  return text.import("from nvidia.dali import fn, types")
      .step("image, label = fn.readers.file(file_root=DATA, name=\"image\", **reader)")
      .step("sample = {\"image\": image, \"label\": fn.cast(label[0], dtype=types.INT64)}");
}

ExportText shortText(const Params& p, const ExportContext& context, std::string_view target) {
  if (p.paths.size() != 1 || p.subset != Subset::Train || !p.classesFrom.empty() ||
      p.classOrder != ClassOrder::Bytes || p.junk != Junk::Skip || p.pages != Pages::First)
    return longForm("it reads several folders or pages, or numbers classes in a special way");
  const auto path = resolveDataPath(p.paths.front(), context.base);
  if (!path) return longForm(path.error().message);
  fs::path folder = *path;
  if (context.dataKnown) {
    const auto root = divideFolder(*path, p.subset);
    const auto source = ImageFolder::open(p, context.base);
    if (!root || !source) return longForm("the folder cannot be listed");
    const std::string& part = root->parts.front();
    if (!isGlobbed(dynamic_cast<const ImageFolder&>(**source), *path, part))
      return longForm("not every file in the folder is CLASS/FILE, or some are not pictures");
    folder /= part;
    if (target == "huggingface" && namesSplit(folder))
      return longForm("names in its folder say train or test, which `datasets` takes for splits");
    if (!isListedBy(target, folder))
      return longForm("it holds empty or hidden folders, or names without the ending of a picture");
  }
  ExportText text;
  text.option("DATA", pythonText(folder.native()), "CLASS/FILE below it");
  if (target == "dali") return shortDali(std::move(text));
  if (target == "huggingface" && folder.native().find_first_of("*?[") != std::string::npos)
    return longForm("`datasets` takes *, ? and [ in the folder's name for a pattern");
  if (target == "huggingface") return text.needs("hf_folders").step("make_dataset()");
  text.needs("class_folders");
  if (target == "grain") return text.step("Samples()");
  if (target == "pytorch") return text.step("Samples(DATA)");
  return text.step("tf.data.Dataset.from_tensor_slices(list_files())")
      .step(replaceFields({"image"}, "tf.io.read_file({})"));
}

/// How class folders are numbered.
void describeClasses(Describe<Params>& d) {
  d.path("classes_from", &Params::classesFrom)
      .label("Classes from")
      .folder()
      .optional()
      .help(
          "Folder whose class folders define the class numbers. Set it to the training folder if "
          "this source reads a validation folder that is elsewhere.");
  d.choice<ClassOrder>(
       "class_order", &Params::classOrder,
       {{ClassOrder::Bytes, "bytes", "By the bytes of their names: 1, 10, 100, 2."},
        {ClassOrder::Numeric, "numeric", "Numbers by value, before all others: 1, 2, 10, 100."}})
      .label("Class order")
      .help("Order in which the class folders are numbered, starting at 0.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("image_folder", Category::Source, NodeRole::Source);
  d.label("Image folder")
      .help(
          "Reads every file below a folder, sorted by the bytes of their paths; the class of a "
          "picture is its first folder level. If a folder contains `train` and one of `val`, "
          "`validation`, `valid`, `test` or `dev`, `subset` selects which one is used.");
  d.example(R"({"paths": ["photos"]})");
  d.tags({"folder", "jpeg", "png", "classification", "imagenet", "directory"});
  d.paths("paths", &Params::paths)
      .label("Folders")
      .folder()
      .data()
      .help(
          "Folders with pictures. Several folders form one data set. Relative paths start at the "
          "pipeline file.");
  d.choice<Subset>(
       "subset", &Params::subset,
       {{Subset::Train, "train", "The folder `train` if there is one, otherwise everything."},
        {Subset::Validation, "validation", "The folder `val` or similar."},
        {Subset::All, "all", "Both."}})
      .label("Subset")
      .help("Which part of a folder with `train` and a validation folder to use.");
  describeClasses(d);
  d.choice<Pages>(
       "pages", &Params::pages,
       {{Pages::First, "first", "A file is a sample; of several pages the first is used."},
        {Pages::Each, "each", "Every page of a TIFF file is a sample."}})
      .label("Pages")
      .help(
          "What becomes of TIFF files with several pages. each names them `scan.tif#0`, "
          "`scan.tif#1` and so on, and leaves out pages that are marked as a smaller copy or a "
          "mask. Every file is opened once at the start to count them, and reading a page reads "
          "its whole file. Frames of animations in other formats are not divided.");
  describeJunk(d, kJunkAmongPictures);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return ImageFolder::open(params, context.base);
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  for (const char* target : {"pytorch", "tfdata", "dali", "huggingface", "grain"})
    d.exporter(std::string(target) + ".short",
               [target](const Params& p, const ExportContext& context) {
                 return shortText(p, context, target);
               });
  return d.take();
}

}  // namespace millrace::nodes::image_folder
