// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/page_source.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/in_parallel.h"
#include "core/base/text/text.h"
#include "core/codecs/several_pictures.h"
#include "core/formats/io/open_file.h"
#include "core/spec/label_sets.h"

namespace millrace {

namespace {

std::uint32_t pagesIn(const std::string& path) {
  const auto file = openForReading(path);
  if (!file) return 0;
  return countPictures([&](std::uint64_t offset, std::span<std::byte> to) {
    const auto got = readAt(file->fd.get(), offset, to.data(), to.size());
    return got ? *got : std::size_t{0};
  });
}

/// The pages of a sample's files.
struct PageCount {
  std::uint32_t pages = 1;  ///< of each file; 1: the whole file is the sample
  std::string unequal;      ///< the counts, if they differ
};

PageCount countPages(const Source& files, std::uint32_t index) {
  PageCount count;
  std::vector<std::string> paths = files.moreFiles(index);
  count.pages = std::max(pagesIn(files.file(index)), 1U);
  for (const std::string& path : paths) {
    const std::uint32_t pages = std::max(pagesIn(path), 1U);
    if (pages == count.pages) continue;
    count.unequal = fmt::format("it has {}, but `{}` has {}", counted(count.pages, "page"),
                                validUtf8(path), counted(pages, "page"));
    count.pages = 1;
    break;
  }
  return count;
}

class PageSource final : public Source, public KnowsLabelSets {
 public:
  explicit PageSource(std::shared_ptr<const Source> files);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_pages.size()); }
  std::vector<FieldSpec> fields() const override { return m_files->fields(); }
  std::string name(std::uint32_t index) const override {
    const Page page = m_pages[index];
    return isWhole(page) ? m_files->name(page.file)
                         : fmt::format("{}#{}", m_files->name(page.file), page.number);
  }
  std::int64_t labelOf(std::uint32_t index) const override {
    return m_files->labelOf(m_pages[index].file);
  }
  std::uint32_t pathOf(std::uint32_t index) const override {
    return m_files->pathOf(m_pages[index].file);
  }
  bool hasLabelSets() const override { return m_sets != nullptr && m_sets->hasLabelSets(); }
  std::vector<std::int64_t> labelsOf(std::uint32_t index) const override {
    return m_sets->labelsOf(m_pages[index].file);
  }
  std::vector<std::string> classes() const override { return m_files->classes(); }
  std::vector<std::string> warnings() const override { return m_warnings; }
  std::string file(std::uint32_t index) const override {
    return m_files->file(m_pages[index].file);
  }
  std::vector<std::string> moreFiles(std::uint32_t index) const override {
    return m_files->moreFiles(m_pages[index].file);
  }
  std::unique_ptr<SourceReader> reader() const override;

  struct Page {
    std::uint32_t file = 0;  ///< index in the source of files
    std::uint32_t number = 0;
  };
  static bool isWhole(const Page& page) { return page.number == kWhole; }
  std::size_t pages() const { return m_pages.size(); }
  Page page(std::uint32_t index) const { return m_pages[index]; }
  const Source& files() const { return *m_files; }
  /// Why this file's pages have no partners; empty if they have.
  std::string unequal(std::uint32_t file) const {
    const auto found = m_unequal.find(file);
    return found == m_unequal.end() ? std::string() : found->second;
  }

 private:
  static constexpr std::uint32_t kWhole = std::numeric_limits<std::uint32_t>::max();
  std::vector<PageCount> countAll() const;

  const std::shared_ptr<const Source> m_files;
  const KnowsLabelSets* const m_sets;  ///< the same, if it knows them
  std::vector<Page> m_pages;
  std::map<std::uint32_t, std::string> m_unequal;
  std::vector<std::string> m_warnings;
};

std::vector<PageCount> PageSource::countAll() const {
  std::vector<PageCount> counts(m_files->size());
  std::atomic<std::uint32_t> next = 0;
  // More threads than cores, because a network folder answers slowly.
  constexpr unsigned kMostThreads = 16;
  constexpr std::size_t kFilesPerThread = 64;
  const std::size_t threads =
      std::min<std::size_t>({kMostThreads, 2 * std::max(std::thread::hardware_concurrency(), 1U),
                             counts.size() / kFilesPerThread + 1});
  inParallel(threads, [&] {
    for (std::uint32_t i = next++; i < counts.size(); i = next++)
      counts[i] = countPages(*m_files, i);
  });
  return counts;
}

PageSource::PageSource(std::shared_ptr<const Source> files)
    : m_files(std::move(files)),
      m_sets(dynamic_cast<const KnowsLabelSets*>(m_files.get())),
      m_warnings(m_files->warnings()) {
  const std::vector<PageCount> counts = countAll();
  std::size_t divided = 0;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].unequal.empty()) m_unequal.emplace(i, counts[i].unequal);
    if (counts[i].pages > 1) ++divided;
    if (counts[i].pages == 1) m_pages.push_back({i, kWhole});
    for (std::uint32_t page = 0; counts[i].pages > 1 && page < counts[i].pages; ++page)
      m_pages.push_back({i, page});
  }
  m_warnings.push_back(fmt::format("{} of {} {} several pages or frames: {} in all",
                                   grouped(divided), counted(counts.size(), "file"),
                                   divided == 1 ? "has" : "have",
                                   counted(m_pages.size(), "sample")));
  if (!m_unequal.empty())
    m_warnings.push_back(fmt::format(
        "{} cannot be divided, because partners differ in their number of pages; first: {}: {}",
        counted(m_unequal.size(), "file"), validUtf8(m_files->name(m_unequal.begin()->first)),
        m_unequal.begin()->second));
}

class Reader final : public SourceReader {
 public:
  explicit Reader(const PageSource& source) : m_source(source), m_files(source.files().reader()) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const PageSource::Page page = m_source.page(index);
    if (const std::string why = m_source.unequal(page.file); !why.empty()) return Error{why};
    MILLRACE_TRY(m_files->read(page.file, sample, counters));
    if (PageSource::isWhole(page)) return {};
    for (std::size_t f = 0; f < sample.fields() && sample[f].dtype == DType::Encoded; ++f)
      MILLRACE_TRY(choose(page.number, sample, f));
    return {};
  }
  std::size_t keptBytes() const override { return m_files->keptBytes(); }

 private:
  static Status choose(std::uint32_t page, Sample& sample, std::size_t field) {
    const TensorView from = sample[field];
    const TensorView to = sample.replaceBytes(field, from.bytes + kChoiceBytes);
    if (from.bytes > 0) std::memcpy(to.data, from.data, from.bytes);
    const std::optional<std::size_t> bytes = choosePicture({to.data, to.bytes}, page);
    if (!bytes) return Error{fmt::format("page {} is missing; the file has changed", page)};
    sample[field].bytes = *bytes;
    sample[field].shape = Shape{static_cast<std::int64_t>(*bytes)};
    return {};
  }

  const PageSource& m_source;
  const std::unique_ptr<SourceReader> m_files;
};

std::unique_ptr<SourceReader> PageSource::reader() const { return std::make_unique<Reader>(*this); }

}  // namespace

Result<std::shared_ptr<const Source>> eachPageOf(std::shared_ptr<const Source> files) {
  auto source = std::make_shared<PageSource>(std::move(files));
  if (source->pages() > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 samples; use fewer files"};
  return std::shared_ptr<const Source>(std::move(source));
}

}  // namespace millrace
