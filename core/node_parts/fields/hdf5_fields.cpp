// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/hdf5_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/hdf5/hdf5_rows.h"
#include "core/formats/real_labels.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/array_fields.h"
#include "core/node_parts/fields/text_classes.h"

namespace millrace::nodes {

namespace {

/// The number of variable-length rows that are examined.
constexpr std::uint64_t kExaminedRows = 8;
/// The maximum number of positions in memory: 64 MB.
constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 22U;
/// A file with more datasets most likely has one dataset per sample.
constexpr std::size_t kMostFields = 64;

/// The last part of a dataset's path, as a field name.
std::string leafName(std::string_view path) {
  return fieldNameOf(path.substr(path.find_last_of('/') + 1), "dataset_");
}

bool holdsPictureFiles(const Hdf5File& file, const Hdf5Dataset& set) {
  if (!set.variable || set.dtype != DType::Encoded) return false;
  Hdf5RowReader reader;
  ReadCounters counters;
  for (std::uint64_t row = 0; row < std::min(set.rows, kExaminedRows); ++row) {
    const auto bytes = reader.readRun(file, set, row, counters);
    if (!bytes || usualExtension(*bytes) == "bin") return false;
  }
  return true;
}

/// Whether each sample has one number.
bool isOneNumber(const Hdf5Dataset& set) {
  return !set.variable && set.row.elements() == 1 && storesLabels(set.dtype);
}

/// What the reals of all rows are.
RealLabels realsIn(const Hdf5File& file, const Hdf5Dataset& set) {
  RealLabels numbers;
  if (!isOneNumber(set) || isInteger(set.dtype)) return numbers;
  Hdf5RowReader reader;
  ReadCounters counters;
  std::array<std::byte, sizeof(double)> number{};
  const std::span<std::byte> stored = std::span(number).first(set.rowBytes());
  for (std::uint64_t row = 0; row < set.rows && !numbers.areQuantities(); ++row) {
    const bool read = static_cast<bool>(reader.read(file, set, row, stored, counters));
    const double real = read ? realAt(number.data(), set.dtype) : std::nan("");
    // Classes are read at opening, all of them.
    if (std::isnan(real)) return {};
    numbers.add(real);
  }
  return numbers;
}

/// One class number per sample.
bool mayBeLabel(const Hdf5File& file, const Hdf5Dataset& set) {
  if (!isOneNumber(set)) return false;
  return isInteger(set.dtype) ||
         (set.access != Hdf5Dataset::Access::Library && realsIn(file, set).areClasses());
}

FieldSpec specOf(const Hdf5Dataset& set, std::string name, Role role, ArrayContent content) {
  FieldSpec spec{std::move(name), set.dtype, set.row, Layout::Plain, role};
  if (role == Role::Label) {
    spec.dtype = DType::I64;
    spec.shape = {};
  } else if (isPicture(role)) {
    // Two axes that are asked for as a picture have no channels.
    const bool grey = content == ArrayContent::Auto && set.row.rank() == 2;
    const SampleForm form = formOf(set.row, set.dtype, grey ? ArrayContent::ImageGrey : content);
    spec.layout = form.layout;
    spec.shape = form.shape;
  }
  return spec;
}

/// Assigns a name and a role to each field according to its dataset's name and kind.
class Guess {
 public:
  Guess(const Hdf5File& file, ArrayContent content) : m_file(file), m_content(content) {}

  void add(const Hdf5Dataset& set) {
    const std::string leaf = leafName(set.name);
    const bool pixels = formOf(set.row, set.dtype, m_content).layout != Layout::Plain;
    if (pixels || holdsPictureFiles(m_file, set)) {
      const bool mask = leaf.find("mask") != std::string::npos || leaf.starts_with("seg");
      const Role role = mask ? Role::Mask : m_image ? Role::Target : Role::Image;
      m_image = m_image || role == Role::Image;
      put(set, std::string(nameOf(role)), role);
    } else if ((isLabelName(leaf) || leaf.ends_with("_y")) && !m_label && mayBeLabel(m_file, set)) {
      m_label = true;
      put(set, "label", Role::Label);
    } else if (isLabelName(leaf) && !m_label && realsIn(m_file, set).areQuantities()) {
      m_label = true;
      m_choice.fields.push_back({set.name, quantityField(set.dtype)});
    } else if (set.variable) {
      m_runs.push_back(&set);
    } else {
      put(set, leaf, Role::Features);
    }
  }

  /// Includes variable-length data that is not pictures if there is nothing else.
  Hdf5Choice take() {
    for (const Hdf5Dataset* set : m_runs) {
      if (m_choice.fields.empty())
        put(*set, leafName(set->name), Role::Features);
      else
        m_choice.leftOut.push_back(textOf(*set));
    }
    putQuantityLast(m_choice.fields);
    return std::move(m_choice);
  }

 private:
  void put(const Hdf5Dataset& set, const std::string& wanted, Role role) {
    std::string name = wanted;
    const auto taken = [&](const Hdf5Field& field) { return field.spec.name == name; };
    for (int i = 2; std::any_of(m_choice.fields.begin(), m_choice.fields.end(), taken); ++i)
      name = fmt::format("{}_{}", wanted, i);
    m_choice.fields.push_back({set.name, specOf(set, name, role, m_content)});
  }

  const Hdf5File& m_file;
  const ArrayContent m_content;
  Hdf5Choice m_choice;
  std::vector<const Hdf5Dataset*> m_runs;
  bool m_image = false;
  bool m_label = false;
};

/// The datasets that can be read and do not belong to a split that is not trained on, in order.
std::vector<const Hdf5Dataset*> trainingSets(const Hdf5File& file) {
  std::set<std::string> names;
  for (const Hdf5Dataset& set : file.datasets()) names.insert(lowerCase(set.name));
  std::vector<const Hdf5Dataset*> sets;
  for (const Hdf5Dataset& set : file.datasets())
    if (set.whyNot.empty() && !hasTrainingTwin(set.name, names)) sets.push_back(&set);
  return sets;
}

/// Datasets of one name in many groups: each sample has a group, which is not supported.
Status checkGroups(const std::vector<const Hdf5Dataset*>& sets) {
  constexpr std::size_t kMany = 4;
  std::map<std::string, std::vector<const Hdf5Dataset*>> leaves;
  for (const Hdf5Dataset* set : sets)
    if (set->name.find('/') != std::string::npos) leaves[leafName(set->name)].push_back(set);
  for (const auto& [leaf, same] : leaves)
    if (same.size() >= kMany)
      return Error{
          fmt::format("{} groups have a dataset `{}`, such as `{}`: if each group is a sample, "
                      "write one dataset for each field with the samples as its first axis; "
                      "otherwise select some with `datasets`",
                      grouped(same.size()), leaf, validUtf8(same.front()->name))};
  return {};
}

/// The most common number of rows of the datasets; the largest if there are several.
std::uint64_t commonestRows(const std::vector<const Hdf5Dataset*>& sets) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const Hdf5Dataset* set : sets) ++counts[set->rows];
  const auto most =
      std::max_element(counts.rbegin(), counts.rend(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.rend() ? 0 : most->first;
}

std::string allText(const Hdf5File& file) {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> texts;
  for (const Hdf5Dataset& set : file.datasets()) {
    if (texts.size() == kMost) {
      texts.push_back(fmt::format("{} more", file.datasets().size() - kMost));
      break;
    }
    texts.push_back(textOf(set));
  }
  return join(texts, ", ");
}

Result<Hdf5Choice> guessedFields(const Hdf5File& file, ArrayContent content) {
  const std::vector<const Hdf5Dataset*> sets = trainingSets(file);
  MILLRACE_TRY(checkGroups(sets));
  const std::uint64_t rows = commonestRows(sets);
  if (rows == 0) return Error{fmt::format("it has no readable dataset: {}", allText(file))};
  Guess guess(file, content);
  std::vector<std::string> others;
  auto next = sets.begin();
  for (const Hdf5Dataset& set : file.datasets()) {
    const bool isTraining = next != sets.end() && *next == &set;
    if (isTraining) ++next;
    if (isTraining && set.rows == rows)
      guess.add(set);
    else
      others.push_back(textOf(set));
  }
  Hdf5Choice choice = guess.take();
  if (choice.fields.size() > kMostFields)
    return Error{fmt::format(
        "{} datasets have {} rows each, more than the {} fields that a sample may have: select "
        "some of them with `datasets`; if each one is a sample, write one dataset with all samples",
        choice.fields.size(), grouped(rows), kMostFields)};
  choice.leftOut.insert(choice.leftOut.end(), others.begin(), others.end());
  return choice;
}

/// The field with the dataset's type and the requested role.
Result<Hdf5Field> askedField(const Hdf5File& file, const Hdf5Dataset& set,
                             const ExampleField& asked, ArrayContent content) {
  const std::string name = validUtf8(set.name);
  if (isClassNumber(asked.spec) && realsIn(file, set).areQuantities())
    return Hdf5Field{set.name, quantityField(set.dtype, asked.spec.name)};
  if (!set.whyNot.empty()) return Error{fmt::format("dataset `{}`: {}", name, set.whyNot)};
  if (asked.spec.role == Role::Label && !mayBeLabel(file, set))
    return Error{fmt::format("dataset `{}` holds {} {}, not one class number per sample", name,
                             nameOf(set.dtype), set.row.text())};
  Hdf5Field field{set.name, specOf(set, asked.spec.name, asked.spec.role, content)};
  const bool label = asked.spec.role == Role::Label;
  // `image` alone requests a file; if the dataset has pixels, the field has pixels.
  const bool byRole = asked.spec.dtype == DType::Encoded && isPicture(asked.spec.role);
  if (asked.typed && !label && !byRole && asked.spec.dtype != set.dtype)
    return Error{fmt::format("dataset `{}` holds {} {}, not {}", name, nameOf(set.dtype),
                             set.row.text(), nameOf(asked.spec.dtype))};
  if (asked.spec.layout != Layout::Plain && set.row.rank() == 3)
    field.spec.layout = asked.spec.layout;
  if (isPicture(asked.spec.role) && field.spec.layout == Layout::Plain &&
      set.dtype != DType::Encoded)
    return Error{fmt::format(
        "dataset `{}` holds {} {}, and which axis is the channels is unclear: use "
        "`content=image_hwc`, `content=image_chw` or `content=image_grey`, or another role, as in "
        "{}={}:features",
        name, nameOf(set.dtype), set.row.text(), asked.spec.name, name)};
  return field;
}

Result<Hdf5Choice> askedFields(const Hdf5File& file, const std::vector<std::string>& entries,
                               ArrayContent content) {
  MILLRACE_ASSIGN_OR_RETURN(const auto keys, parseExampleKeys(entries));
  Hdf5Choice choice;
  for (const ExampleField& key : keys) {
    const Hdf5Dataset* set = datasetNamed(file, key.key);
    if (set == nullptr)
      return Error{fmt::format("there is no dataset `{}`; the file has {}", validUtf8(key.key),
                               allText(file))};
    MILLRACE_ASSIGN_OR_RETURN(auto field, askedField(file, *set, key, content));
    choice.fields.push_back(std::move(field));
  }
  return choice;
}

}  // namespace

Result<std::vector<std::int64_t>> readHdf5Labels(const Hdf5File& file, const Hdf5Dataset& set) {
  if (set.access == Hdf5Dataset::Access::Library) return file.readNumbers(set);
  MILLRACE_TRY(Hdf5File::checkNumbers(set));
  std::vector<std::int64_t> numbers(set.rows);
  Hdf5RowReader reader;
  ReadCounters counters;
  std::array<std::byte, sizeof(std::int64_t)> number{};
  const std::span<std::byte> stored = std::span(number).first(set.rowBytes());
  for (std::uint64_t row = 0; row < set.rows; ++row) {
    MILLRACE_TRY(reader.read(file, set, row, stored, counters));
    const auto label = labelAt(number.data(), set.dtype);
    if (!label) return Error{fmt::format("row {} is not a class number", grouped(row))};
    numbers[row] = *label;
  }
  return numbers;
}

std::vector<Hdf5Run> readHdf5Places(const Hdf5File& file, const Hdf5Dataset& set) {
  if (set.access == Hdf5Dataset::Access::Library || set.rows > kMostPlaces) return {};
  std::vector<Hdf5Run> places;
  places.reserve(set.rows);
  Hdf5RowReader reader(ReadBy::Cache, true);
  ReadCounters counters;
  for (std::uint64_t row = 0; row < set.rows; ++row) {
    const auto place = reader.placeOf(file, set, row, counters);
    if (!place) return {};
    places.push_back(*place);
  }
  return places;
}

std::string textOf(const Hdf5Dataset& set) {
  const std::string name = validUtf8(set.name);
  if (!set.whyNot.empty()) return fmt::format("{} ({})", name, set.whyNot);
  return fmt::format("{} ({} {}, {} samples)", name, nameOf(set.dtype),
                     set.variable ? "of any length" : set.row.text(), grouped(set.rows));
}

const Hdf5Dataset* datasetNamed(const Hdf5File& file, const std::string& name) {
  const std::string wanted = name.starts_with('/') ? name.substr(1) : name;
  for (const Hdf5Dataset& set : file.datasets())
    if (set.name == wanted) return &set;
  return nullptr;
}

Result<Hdf5Choice> chooseHdf5Fields(const Hdf5File& file, const std::vector<std::string>& entries,
                                    ArrayContent content) {
  return entries.empty() ? guessedFields(file, content) : askedFields(file, entries, content);
}

}  // namespace millrace::nodes
