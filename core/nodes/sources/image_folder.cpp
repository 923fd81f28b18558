// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/spec/describe.h"

namespace millrace::nodes::image_folder {

namespace {

namespace fs = std::filesystem;

enum class Subset : std::uint8_t { Train, Validation, All };

struct Params {
  TextList paths;
  Subset subset = Subset::Train;
  std::string classesFrom;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

constexpr const char* kFlatClass = ".";
constexpr std::array<const char*, 4> kValidationFolders = {"val", "validation", "valid", "test"};

/// Class names and their numbers, in the order in which they were added.
class ClassTable {
 public:
  /// Returns the class's number; a new name gets the next one.
  std::int32_t add(const std::string& name) {
    const auto [at, added] = m_numbers.emplace(name, static_cast<std::int32_t>(m_names.size()));
    if (added) m_names.push_back(name);
    return at->second;
  }
  void addSorted(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) add(name);
  }
  const std::vector<std::string>& names() const { return m_names; }

 private:
  std::vector<std::string> m_names;
  std::map<std::string, std::int32_t, std::less<>> m_numbers;
};

/// A root folder on disk, and which of its folders belong to the subset.
struct Root {
  fs::path path;
  std::vector<std::string> parts;  ///< "train", "val"; one empty string if the folder is not
                                   ///< divided
  std::string trainPart;           ///< its classes are numbered first
};

/// A list of files with their classes.
struct Part {
  FileList files;
  std::vector<std::uint32_t> kept;   ///< indices into `files`; empty: all of them
  std::vector<std::int32_t> labels;  ///< of the kept files
  UniqueFd folder;                   ///< the root folder, for openat

  std::size_t size() const { return labels.size(); }
  std::size_t file(std::size_t i) const { return kept.empty() ? i : kept[i]; }
};

class ImageFolder final : public Source {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    return fieldsWith(static_cast<std::int64_t>(m_classes.names().size()));
  }
  static std::vector<FieldSpec> fieldsWith(std::int64_t classes) {
    return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
            {"label", DType::I64, {}, Layout::Plain, Role::Label, classes}};
  }
  std::string name(std::uint32_t index) const override { return path(index); }
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
  int folder(std::uint32_t index) const { return m_parts[partOf(index)].folder.get(); }
  ReadBy readBy() const { return m_readBy; }

 private:
  Status addPart(const Root& root, const std::string& below);
  void collectClasses(const std::vector<Root>& roots, const fs::path& classesFrom);
  void label(Part& part, const std::string& below);
  void labelByFolder(Part& part, std::size_t skip, const std::vector<std::uint32_t>& loose);

  std::size_t partOf(std::uint32_t index) const {
    if (m_parts.size() == 1) return 0;
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }

  ReadBy m_readBy = ReadBy::Cache;
  std::vector<Part> m_parts;
  std::vector<std::uint32_t> m_starts{0};  ///< first index of each part, and the end
  ClassTable m_classes;
  std::vector<std::string> m_warnings;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const ImageFolder& source) : m_source(source), m_file(source.readBy()) {}
  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    MILLRACE_TRY(
        m_file.readInto(sample, 0, m_source.folder(index), m_source.path(index), counters));
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

/// Looks for `train` next to a validation folder; a root without both is used as a whole.
Result<Root> divide(const fs::path& path, Subset subset) {
  std::error_code ignored;
  std::string validation;
  for (const char* name : kValidationFolders)
    if (validation.empty() && fs::is_directory(path / name, ignored)) validation = name;
  if (validation.empty() || !fs::is_directory(path / "train", ignored)) {
    if (subset == Subset::Validation && fs::is_directory(path, ignored))
      return Error{
          fmt::format("`{}` has no folder `train` next to one named {}; set the validation folder "
                      "itself with subset `train`, or divide the data with a split node",
                      path.native(), "`val`, `validation`, `valid` or `test`")};
    return Root{path, {""}, ""};
  }
  switch (subset) {
    case Subset::Train: return Root{path, {"train"}, "train"};
    case Subset::Validation: return Root{path, {validation}, "train"};
    case Subset::All: break;
  }
  return Root{path, {"train", validation}, "train"};
}

/// The class folders of a training set come first, sorted, so that its validation set, another
/// folder or another machine gives them the same numbers; folders that exist only elsewhere follow.
void ImageFolder::collectClasses(const std::vector<Root>& roots, const fs::path& classesFrom) {
  std::vector<std::string> names;
  const auto addFolders = [&](const fs::path& folder) {
    for (std::string& name : listFolders(folder)) names.push_back(std::move(name));
  };
  if (!classesFrom.empty())
    addFolders(classesFrom);
  else
    for (const Root& root : roots) addFolders(root.path / root.trainPart);
  m_classes.addSorted(std::move(names));
  const std::size_t known = m_classes.names().size();
  names.clear();
  for (const Root& root : roots)
    for (const std::string& part : root.parts) addFolders(root.path / part);
  m_classes.addSorted(std::move(names));
  const std::size_t more = m_classes.names().size() - known;
  if (more > 0)
    m_warnings.push_back(
        fmt::format("{} class folders are not among the training classes; first: {}; they get the "
                    "following numbers",
                    more, m_classes.names()[known]));
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

Status ImageFolder::addPart(const Root& root, const std::string& below) {
  MILLRACE_ASSIGN_OR_RETURN(auto files, listFiles(root.path, below));
  Part part;
  part.files = std::move(files);
  part.folder = UniqueFd(::open(root.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!part.folder.valid()) return folderError(root.path, errno);
  for (const std::string& note : part.files.notes()) m_warnings.push_back(validUtf8(note));
  label(part, below);
  const std::uint64_t total = std::uint64_t{m_starts.back()} + part.size();
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 files; use fewer folders"};
  m_starts.push_back(static_cast<std::uint32_t>(total));
  m_parts.push_back(std::move(part));
  return {};
}

Result<std::shared_ptr<const Source>> ImageFolder::open(const Params& params,
                                                        const fs::path& base) {
  if (params.paths.empty()) return resolveDataPath("", base).error();
  std::vector<Root> roots;
  for (const std::string& text : params.paths) {
    MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(text, base));
    MILLRACE_ASSIGN_OR_RETURN(auto root, divide(path, params.subset));
    roots.push_back(std::move(root));
  }
  fs::path classesFrom;
  if (!params.classesFrom.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(classesFrom, resolveDataPath(params.classesFrom, base));
    std::error_code ignored;
    if (!fs::is_directory(classesFrom, ignored)) return folderError(classesFrom, ENOENT);
  }
  auto source = std::make_shared<ImageFolder>();
  source->m_readBy = params.readBy;
  source->collectClasses(roots, classesFrom);
  for (const Root& root : roots)
    for (const std::string& part : root.parts) MILLRACE_TRY(source->addPart(root, part));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no folder is set", "set at least one");
  StreamType out;
  out.fields = ImageFolder::fieldsWith(0);
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kSubsets = {"train", "validation", "all"};
  ExportText text;
  text.needs("image_folder").option("DATA", pathListLiteral(p.paths, context));
  std::string call = "ImageFolder(DATA";
  if (p.subset != Subset::Train)
    call += fmt::format(", subset=\"{}\"", kSubsets.at(static_cast<std::size_t>(p.subset)));
  if (!p.classesFrom.empty()) {
    text.option("CLASSES_FROM", pathLiteral(p.classesFrom, context));
    call += ", classes_from=CLASSES_FROM";
  }
  return text.step(call + ")");
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kSubsets = {"train", "validation", "all"};
  ExportText text;
  text.needs("image_folder").option("DATA", pathListLiteral(p.paths, context));
  std::string call =
      fmt::format("image_folder(DATA, \"{}\"", kSubsets.at(static_cast<std::size_t>(p.subset)));
  if (!p.classesFrom.empty()) {
    text.option("CLASSES_FROM", pathLiteral(p.classesFrom, context));
    call += ", CLASSES_FROM";
  }
  return text.step(call + ")");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("image_folder", Category::Source, NodeRole::Source);
  d.label("Image folder")
      .help(
          "Reads every file below a folder, sorted by the bytes of their paths; the class of a "
          "picture is its first folder level. If a folder contains `train` and one of `val`, "
          "`validation`, `valid` or `test`, `subset` selects which one is used.");
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
  d.path("classes_from", &Params::classesFrom)
      .label("Classes from")
      .folder()
      .optional()
      .help(
          "Folder whose class folders define the class numbers. Set it to the training folder if "
          "this source reads a validation folder that is elsewhere.");
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return ImageFolder::open(params, context.base);
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes::image_folder
