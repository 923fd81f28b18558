// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Files made by pyarrow (parquet/make_files.py) against the values that it wrote, and damaged ones.
#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/formats/format.h"
#include "core/formats/parquet/parquet_page.h"
#include "tests/core/formats/parquet_cells.h"
#include "tests/fuzz/memory_file.h"
#include "tests/support/needs_part.h"
#include "tests/support/places.h"
#include "tests/support/sanitizers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

fs::path parquetFolder() { return tests::sourcePath("tests/core/formats/parquet"); }

/// The values of `null-*` or `full-*` by column.
std::map<std::string, Texts> parquetValues(const std::string& kind) {
  std::map<std::string, Texts> values;
  const auto stored = nlohmann::json::parse(tests::contentOf(parquetFolder() / (kind + ".json")));
  for (const auto& [column, cells] : stored.items())
    for (const auto& cell : cells)
      values[column].push_back(cell.is_null() ? "null" : cell.get<std::string>());
  return values;
}

Result<std::unique_ptr<ParquetFile>> openBytes(const std::string& bytes) {
  OpenFile file =
      fuzz::memoryFile(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  MILLRACE_ASSIGN_OR_RETURN(auto footer, readParquetFooter(file));
  return std::make_unique<ParquetFile>(std::move(file), std::move(footer));
}

/// All cells of a file by column.
std::map<std::string, Texts> everything(ParquetFile& file) {
  ParquetCache cache(std::size_t{1} << 24U);
  ParquetReader reader(cache, 1, ReadBy::Cache);
  std::map<std::string, Texts> all;
  for (std::size_t c = 0; c < file.footer().columns.size(); ++c)
    all[file.footer().columns[c].name] = tests::cellsOf(file, c, reader);
  return all;
}

/// Reads every byte of the first rows; returns their sum.
std::uint64_t sumOfAll(ParquetFile& file) {
  ParquetCache cache(std::size_t{1} << 24U);
  ParquetReader reader(cache, 1, ReadBy::Cache);
  ReadCounters counters;
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < file.footer().columns.size(); ++c) {
    if (!file.footer().columns[c].whyNot.empty()) continue;
    file.use(c);
    for (std::uint32_t row = 0; row < std::min(file.rows(), 40U); ++row)
      if (const auto cell = reader.read(0, {&file, 0, c}, row, counters); cell)
        for (const std::byte byte : cell->bytes) sum += std::to_integer<unsigned>(byte);
  }
  return sum;
}

/// The first difference that is not an error; empty if there is none.
std::string wrongValue(const std::map<std::string, Texts>& found,
                       const std::map<std::string, Texts>& right) {
  for (const auto& [column, cells] : found) {
    const auto known = right.find(column);
    if (known == right.end()) return "column " + column;
    for (std::size_t row = 0; row < std::min(cells.size(), known->second.size()); ++row)
      if (!cells[row].starts_with("error: ") && cells[row] != known->second[row])
        return column + " " + cells[row];
  }
  return {};
}

/// Offsets of the bytes of pages, without their headers.
std::vector<std::size_t> pageBytes(ParquetFile& file, const std::string& bytes) {
  std::vector<std::size_t> places;
  for (const ParquetGroup& group : file.footer().groups)
    for (const ParquetChunk& chunk : group.chunks)
      for (std::uint64_t at = chunk.begin; at < chunk.begin + chunk.bytes;) {
        const auto page = parseParquetPage(std::as_bytes(std::span(bytes)).subspan(at));
        if (!page || !*page) return {};
        at += (*page)->headBytes;
        for (std::uint32_t i = 0; i < (*page)->packedBytes; ++i) places.push_back(at++);
      }
  return places;
}

void parquetFiles() {
  QTest::addColumn<QString>("file");
  for (const auto& entry : fs::directory_iterator(parquetFolder()))
    if (entry.path().extension() == ".parquet")
      QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().native());
}

// A sanitizer makes it twenty times as slow, and tests/fuzz damages more.
constexpr std::size_t kEveryOther = tests::kSanitized ? 7 : 1;

}  // namespace

class TestParquetFile : public QObject {
  Q_OBJECT
 private slots:
  void valuesAreThoseThatPyarrowWrote_data() { parquetFiles(); }
  void valuesAreThoseThatPyarrowWrote() {
    QFETCH(QString, file);
    const fs::path path = file.toStdString();
    const std::string name = path.filename().native();
    for (const char* part : {"snappy", "lz4", "zstd", "brotli"})
      if (name.find(part) != std::string::npos) MILLRACE_NEEDS_PART(part);
    if (name == "null-index.parquet") MILLRACE_NEEDS_PART("zstd");
    if (name == "null-sums.parquet") MILLRACE_NEEDS_PART("snappy");
    auto opened = ParquetFile::open(path);
    VERIFY_OK(opened);
    const auto right = parquetValues(name.substr(0, name.find('-')));
    const auto found = everything(**opened);
    std::size_t compared = 0;
    for (const auto& [column, cells] : found) {
      if (!right.contains(column)) continue;
      QCOMPARE(cells, right.at(column));
      ++compared;
    }
    QVERIFY(compared >= 7);
  }

  void columnsThatCannotBeReadSayWhy() {
    auto opened = ParquetFile::open(parquetFolder() / "full-split-2.parquet");
    VERIFY_OK(opened);
    std::map<std::string, std::string> why;
    for (const ParquetColumn& column : (*opened)->footer().columns)
      if (!column.whyNot.empty()) why[column.name] = column.whyNot;
    const std::map<std::string, std::string> expected{
        {"lists", "it is a list of lists"},
        {"map.key_value.key", "it is a map"},
        {"map.key_value.value", "it is a map"},
        {"money", "it holds decimals; write it as float or double"},
        {"structs.x", "it is a list of structs"}};
    QCOMPARE(why, expected);
  }

  void rowsAreReadInAnyOrder() {
    MILLRACE_NEEDS_PART("zstd");
    auto opened = ParquetFile::open(parquetFolder() / "null-zstd-1.parquet");
    VERIFY_OK(opened);
    ParquetFile& file = **opened;
    const auto right = parquetValues("null");
    for (const std::size_t budget : {std::size_t{0}, std::size_t{1} << 20U}) {
      ParquetCache cache(budget);
      ParquetReader reader(cache, file.footer().columns.size(), ReadBy::Cache);
      ReadCounters counters;
      for (std::uint32_t step = 0; step < 3 * file.rows(); ++step) {
        const std::uint32_t row = step * 7 % file.rows();
        for (std::size_t c = 0; c < file.footer().columns.size(); ++c) {
          file.use(c);
          QCOMPARE(tests::cellText(reader.read(c, {&file, 0, c}, row, counters)),
                   right.at(file.footer().columns[c].name)[row]);
        }
      }
      QVERIFY(cache.bytes() <= budget);
    }
  }

  void threadsShareTheCache() {
    MILLRACE_NEEDS_PART("zstd");
    auto opened = ParquetFile::open(parquetFolder() / "null-zstd-1.parquet");
    VERIFY_OK(opened);
    ParquetFile& file = **opened;
    const auto right = parquetValues("null");
    const std::size_t columns = file.footer().columns.size();
    for (std::size_t c = 0; c < columns; ++c) file.use(c);
    ParquetCache cache(4000);  // a few pages
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint32_t first = 0; first < 4; ++first)
      threads.emplace_back([&, first] {
        ParquetReader reader(cache, columns, ReadBy::Cache);
        ReadCounters counters;
        for (std::uint32_t step = 0; step < 10 * file.rows(); ++step) {
          const std::uint32_t row = (first + step * 11) % file.rows();
          for (std::size_t c = 0; c < columns; ++c)
            if (tests::cellText(reader.read(c, {&file, 0, c}, row, counters)) !=
                right.at(file.footer().columns[c].name)[row])
              ++wrong;
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    QVERIFY(cache.bytes() <= 4000);
  }

  void aFileIsDescribedByRowsColumnsAndCodecs() {
    const auto about = formatNamed("parquet")->about;
    QVERIFY(about != nullptr);
    QCOMPARE(
        about(parquetFolder() / "null-zstd-1.parquet"),
        std::string(" `null-zstd-1.parquet` has 30 rows and 7 columns in 2 row groups: zstd."));
    const tests::TemporaryFolder folder;
    folder.write("a.parquet", "PAR1 and no more");
    QCOMPARE(about(folder.path() / "a.parquet"),
             std::string(" `a.parquet`: it does not end with PAR1: it is cut off, or not a Parquet "
                         "file."));
  }

  void aCutFileIsNamedWhereverItIsCut() {
    const std::string bytes = tests::contentOf(parquetFolder() / "null-snappy-2.parquet");
    QVERIFY(bytes.size() > 1000);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto cut = openBytes(bytes.substr(0, size));
      QVERIFY2(!cut, std::to_string(size).c_str());
      QVERIFY(!cut.error().message.empty());
    }
  }

  void pagesThatAreCutOffFailTheirRows() {
    MILLRACE_NEEDS_PART("snappy");
    // The footer stays, the pages before it lose bytes.
    const std::string bytes = tests::contentOf(parquetFolder() / "null-sums.parquet");
    const std::string tail = bytes.substr(bytes.size() - 8);
    const std::size_t footer =
        8U + static_cast<unsigned char>(tail[0]) + 256U * static_cast<unsigned char>(tail[1]);
    const std::size_t pages = bytes.size() - footer;
    for (std::size_t kept = 4; kept < pages; kept += 13) {
      auto opened = openBytes(bytes.substr(0, kept) + bytes.substr(pages));
      VERIFY_OK(opened);
      std::size_t errors = 0;
      for (const auto& [column, cells] : everything(**opened))
        for (const std::string& cell : cells) errors += cell.starts_with("error: ") ? 1U : 0U;
      QVERIFY(errors > 0);
    }
  }

  void damagedPagesNeverGiveWrongValuesIfTheyHaveChecksums() {
    MILLRACE_NEEDS_PART("snappy");
    const std::string bytes = tests::contentOf(parquetFolder() / "null-sums.parquet");
    const auto right = parquetValues("null");
    auto whole = openBytes(bytes);
    VERIFY_OK(whole);
    const auto places = pageBytes(**whole, bytes);
    QVERIFY(places.size() > 300);
    for (std::size_t i = 0; i < places.size(); i += 2) {
      const std::size_t place = places[i];
      std::string damaged = bytes;
      damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
      auto opened = openBytes(damaged);
      VERIFY_OK(opened);
      const std::string wrong = wrongValue(everything(**opened), right);
      QVERIFY2(wrong.empty(), (std::to_string(place) + ": " + wrong).c_str());
    }
  }

  void anyDamagedByteIsSurvived_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("step");
    for (const char* name : {"null-snappy-2", "null-index"}) QTest::newRow(name) << name << 1;
    for (const char* name : {"null-gzip-1", "null-lz4-1", "null-zstd-2", "null-brotli-1"})
      QTest::newRow(name) << name << 5;
  }
  void anyDamagedByteIsSurvived() {
    QFETCH(QString, name);
    QFETCH(int, step);
    for (const char* part : {"snappy", "lz4", "zstd", "brotli"})
      if (name.contains(part)) MILLRACE_NEEDS_PART(part);
    if (name == "null-index") MILLRACE_NEEDS_PART("zstd");
    const std::string bytes = tests::contentOf(parquetFolder() / (name.toStdString() + ".parquet"));
    std::size_t refused = 0;
    std::uint64_t sum = 0;
    const auto every = static_cast<std::size_t>(step) * kEveryOther;
    for (std::size_t place = 0; place < bytes.size(); place += every) {
      std::string damaged = bytes;
      damaged[place] = static_cast<char>(damaged[place] ^ (place % 2 == 0 ? 0x01 : 0xff));
      auto opened = openBytes(damaged);
      if (opened)
        sum += sumOfAll(**opened);
      else
        ++refused;
    }
    QVERIFY(refused > 50 / kEveryOther && sum > 0);
  }

  void aFooterOfAnotherLengthIsRefused_data() {
    QTest::addColumn<QByteArray>("tail");
    QTest::addColumn<QString>("why");
    QTest::newRow("longer than the file")
        << QByteArray("\xff\xff\xff\x0fPAR1", 8) << "should have 268 435 455 bytes";
    QTest::newRow("encrypted") << QByteArray("\x10\0\0\0PARE", 8) << "encrypted";
    QTest::newRow("empty") << QByteArray("\0\0\0\0PAR1", 8) << "cut off";
    QTest::newRow("not Parquet") << QByteArray("\0\0\0\0PAR2", 8) << "not a Parquet file";
  }
  void aFooterOfAnotherLengthIsRefused() {
    QFETCH(QByteArray, tail);
    QFETCH(QString, why);
    const auto opened = openBytes("PAR1" + std::string(20, '\0') + tail.toStdString());
    QVERIFY(!opened);
    QVERIFY2(opened.error().message.find(why.toStdString()) != std::string::npos,
             opened.error().message.c_str());
  }
};

MILLRACE_TEST_CASE(TestParquetFile)

}  // namespace millrace

#include "tst_parquet_file.moc"
