// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Reading ahead from chunked HDF5 datasets: chunks are read and unpacked before the worker asks for
// them, and the chunks that readers hold unpacked count as memory.
#include <fmt/format.h>

#include <cstring>

#include "core/formats/hdf5/hdf5_writer.h"
#include "tests/core/run/ahead_bench.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

namespace {

constexpr std::size_t kRowBytes = 1000;

std::string chunkRow(std::uint32_t index) {
  std::string row(kRowBytes, static_cast<char>(index));
  row[index] = 'x';
  return row;
}

/// Writes 100 rows; with `gzip`, in chunks of 16 rows.
void writeChunkRows(const TemporaryFolder& folder, const char* name, int gzip) {
  const FieldSpec field{"x", DType::U8, {std::int64_t{kRowBytes}}, Layout::Plain, Role::Features};
  WriteSpec spec;
  spec.folder = folder.path();
  spec.name = name;
  spec.fields = {field};
  spec.gzip = gzip;
  auto writer = openHdf5Writer(spec);
  VERIFY_OK(writer);
  for (std::uint32_t i = 0; i < 100; ++i) {
    std::string row = chunkRow(i);
    const TensorView view{field.dtype, field.layout, field.shape,
                          reinterpret_cast<std::byte*>(row.data()), row.size()};
    VERIFY_OK((*writer)->add({std::to_string(i), {&view, 1}}));
  }
  VERIFY_OK((*writer)->finish());
}

std::string chunkRowsAhead(const TemporaryFolder& folder, const char* name, int ahead) {
  return fmt::format(
      "hdf5 {{\"paths\": [\"{}\"], \"read_ahead\": {}}}\n{}\nbatch {{\"size\": 4}}\nprefetch\n"
      "drain",
      (folder.path() / name).native(), ahead, workers(1));
}

bool isChunkRow(const ReadAhead::Loan& loan, std::uint32_t index) {
  if (loan == nullptr || !loan->status.ok()) return false;
  const TensorView& row = loan->sample[0];
  const std::string wanted = chunkRow(index);
  return row.bytes == wanted.size() && std::memcmp(row.data, wanted.data(), row.bytes) == 0;
}

}  // namespace

class TestReadAheadChunks : public QObject {
  Q_OBJECT

  const TemporaryFolder m_folder;

 private slots:
  void initTestCase() {
    MILLRACE_NEEDS_PART("hdf5");
    writeChunkRows(m_folder, "packed.h5", 1);
    writeChunkRows(m_folder, "plain.h5", 0);
  }

  /// Five slots, each with its own reader, which reads its chunk once.
  void aChunkIsReadAndUnpackedBeforeItsWorkerAsks() {
    AheadBench bench(chunkRowsAhead(m_folder, "packed.h5", 4));
    VERIFY_OK(bench.ahead.start());
    QCOMPARE(bench.waitForReads(5), 5);
    for (std::uint32_t ticket = 0; ticket < 40; ++ticket) {
      const ReadAhead::Loan loan = bench.ahead.take(ticket);
      QVERIFY(ticket >= 5 || loan != nullptr);
      QVERIFY(loan == nullptr || isChunkRow(loan, ticket));
    }
  }

  /// A chunk has 16 000 bytes, so there is no room for that of a second reader.
  void whatReadersKeepUnpackedIsBoundedToo() {
    AheadBench packed(chunkRowsAhead(m_folder, "packed.h5", 64), 4, 20000);
    AheadBench plain(chunkRowsAhead(m_folder, "plain.h5", 64), 4, 20000);
    VERIFY_OK(packed.ahead.start());
    QCOMPARE(packed.waitForReads(1), 1);
    VERIFY_OK(plain.ahead.start());
    QVERIFY(plain.waitForReads(5) >= 5);
    QCOMPARE(packed.reads(), 1);
    const ReadAhead::Loan first = packed.ahead.take(0);
    QVERIFY(isChunkRow(first, 0));
    QVERIFY(packed.ahead.take(1) == nullptr);
  }
};

}  // namespace millrace

using millrace::TestReadAheadChunks;
MILLRACE_TEST_CASE(TestReadAheadChunks)
#include "tst_read_ahead_chunks.moc"
