// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/class_folders.h"
#include "core/nodes/sources/image_folder_params.h"

namespace millrace::nodes::image_folder {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFlatClass = ".";

/// A list of files with their classes.
struct Part {
  /// Consecutive files with one label.
  struct Labelled {
    std::size_t end;  ///< of the kept files (exclusive)
    std::int32_t label;
  };

  std::uint32_t entry;  ///< position of the path among those of the source
  FileList files;
  std::vector<std::uint32_t> kept;  ///< indices into `files`; empty: all of them
  std::vector<Labelled> labels;     ///< of the kept files, ascending
  UniqueFd folder;                  ///< the root folder, for openat

  std::size_t size() const { return labels.empty() ? 0 : labels.back().end; }
  std::size_t file(std::size_t i) const { return kept.empty() ? i : kept[i]; }
  std::int32_t label(std::size_t i) const {
    return std::ranges::upper_bound(labels, i, {}, &Labelled::end)->label;
  }
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
    std::string made;
    path(index, made);
    return made;
  }
  std::int64_t labelOf(std::uint32_t index) const override {
    const std::size_t p = partOf(index);
    return m_parts[p].label(index - m_starts[p]);
  }
  std::vector<std::string> classes() const override { return m_classes.names(); }
  std::vector<std::string> warnings() const override { return m_warnings; }
  std::string file(std::uint32_t index) const override {
    return pathIn(m_parts[partOf(index)].files.root(), name(index)).native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override { return m_parts[partOf(index)].entry; }
  std::unique_ptr<SourceReader> reader() const override;

  void path(std::uint32_t index, std::string& into) const {
    const std::size_t p = partOf(index);
    const Part& part = m_parts[p];
    part.files.path(part.file(index - m_starts[p]), into);
  }
  int folder(std::uint32_t index) const { return m_parts[partOf(index)].folder.get(); }
  ReadBy readBy() const { return m_params.readBy; }

 private:
  Status addPart(std::uint32_t entry, const DividedFolder& root, const std::string& below);
  void label(Part& part, const std::string& below);
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
    m_source.path(index, m_path);
    MILLRACE_TRY(m_file.readInto(sample, 0, m_source.folder(index), m_path.c_str(), counters));
    *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = m_source.labelOf(index);
    return {};
  }

 private:
  const ImageFolder& m_source;
  FileReader m_file;
  std::string m_path;
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
    if (classFolder(part.files.path(i), skip).empty())
      loose.push_back(static_cast<std::uint32_t>(i));
  if (loose.size() == files) {
    part.labels.push_back({files, m_classes.add(kFlatClass)});
    m_warnings.push_back(fmt::format("`{}` has no class folders: all of its files get one class",
                                     validUtf8((part.files.root() / below).native())));
    return;
  }
  if (!loose.empty()) {
    m_warnings.push_back(fmt::format(
        "{} outside the class folders {} left out; first: {}", counted(loose.size(), "file"),
        loose.size() == 1 ? "is" : "are", validUtf8(part.files.path(loose.front()))));
    part.kept.reserve(files - loose.size());
  }
  labelByFolder(part, skip, loose);
}

void ImageFolder::labelByFolder(Part& part, std::size_t skip,
                                const std::vector<std::uint32_t>& loose) {
  std::string current;
  std::size_t kept = 0;
  auto nextLoose = loose.begin();
  for (std::size_t i = 0; i < part.files.size(); ++i) {
    if (nextLoose != loose.end() && *nextLoose == i) {
      ++nextLoose;
      continue;
    }
    const std::string path = part.files.path(i);
    if (const std::string_view name = classFolder(path, skip); name != current) {
      current = name;
      part.labels.push_back({kept, m_classes.add(current)});
    }
    if (!loose.empty()) part.kept.push_back(static_cast<std::uint32_t>(i));
    part.labels.back().end = ++kept;
  }
}

Status ImageFolder::addPart(std::uint32_t entry, const DividedFolder& root,
                            const std::string& below) {
  MILLRACE_ASSIGN_OR_RETURN(auto files,
                            listFiles(root.path, below, {m_params.junk, true, kKeepJunk}));
  Part part;
  part.entry = entry;
  part.files = std::move(files);
  MILLRACE_ASSIGN_OR_RETURN(part.folder, openFolder(root.path));
  for (const std::string& note : part.files.notes()) m_warnings.push_back(validUtf8(note));
  label(part, below);
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
    if (!isFolderAt(classesFrom)) return folderError(classesFrom, ENOENT);
  }
  ClassFolders classes(roots, classesFrom, {params.classOrder, params.junk});
  auto source = std::make_shared<ImageFolder>(params, std::move(classes));
  for (std::uint32_t entry = 0; entry < roots.size(); ++entry)
    for (const std::string& part : roots[entry].parts)
      MILLRACE_TRY(source->addPart(entry, roots[entry], part));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no folder is set", "set at least one");
  StreamType out;
  out.fields = ImageFolder::fieldsWith(0);
  return out;
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

Result<std::shared_ptr<const Source>> openFolders(const Params& params, const fs::path& base) {
  return ImageFolder::open(params, base);
}

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
  describePages(d);
  describeJunk(d, kJunkAmongPictures);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withPages(params.pages, openFolders(params, context.base));
  });
  addExporters(d);
  return d.take();
}

}  // namespace millrace::nodes::image_folder
