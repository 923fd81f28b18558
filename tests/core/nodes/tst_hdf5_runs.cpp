// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Byte strings of any length in HDF5 datasets: where they are stored, and the cost of finding them.
#include <algorithm>
#include <span>

#include "core/formats/hdf5/hdf5_rows.h"
#include "tests/core/nodes/hdf5_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesText;
using tests::contentOf;
using tests::hasNote;
using tests::Hdf5Written;
using tests::openHdf5;
using tests::TemporaryFolder;
using Texts = std::vector<std::string>;

/// Byte strings of these lengths, all different.
Texts hdf5RunsOf(const std::vector<std::size_t>& lengths) {
  Texts runs;
  for (const std::size_t length : lengths) {
    std::string run(length, '\0');
    for (std::size_t i = 0; i < length; ++i)
      run[i] = static_cast<char>((i + runs.size()) * (i + 3) / 5);
    runs.push_back(std::move(run));
  }
  return runs;
}

void inFoursDeflated(hid_t creation) {
  const hsize_t four = 4;
  H5Pset_chunk(creation, 1, &four);
  H5Pset_deflate(creation, 9);
}

/// The samples, visited in steps of `step`.
Texts readHdf5Runs(const Source& source, std::size_t step, ReadCounters& counters) {
  Texts found(source.size());
  const auto reader = source.reader();
  Sample sample;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t index = i * step % found.size();
    sample.reset({0, static_cast<std::uint32_t>(index), 0}, source.fields().size());
    const Status done = reader->read(static_cast<std::uint32_t>(index), sample, counters);
    found[index] = done ? bytesText(sample[0]) : "error: " + done.error().message;
  }
  return found;
}

}  // namespace

class TestHdf5Runs : public QObject {
  Q_OBJECT

 private slots:
  // libhdf5 fills collections of 4096 bytes, extends them, and stores long byte strings in separate
  // ones.
  void aRunIsFoundWhereverInItsCollectionItLies() {
    const TemporaryFolder folder;
    const Texts runs =
        hdf5RunsOf({8, 3000, 2000, 70000, 100, 40000, 4064, 4065, 4096, 5000, 3, 20, 65000});
    QVERIFY(Hdf5Written(folder.path() / "a.h5").addRuns("x", runs));
    const auto source = openHdf5(folder, {"a.h5"}, {"x:encoded"});
    VERIFY_OK(source);
    for (const std::size_t step : {1, 5, 12}) {
      ReadCounters counters;
      QCOMPARE(readHdf5Runs(**source, step, counters), runs);
    }
    // If no table lists the preceding ones, the collection does.
    const auto file = Hdf5File::open(folder.path() / "a.h5");
    VERIFY_OK(file);
    Hdf5RowReader reader;
    ReadCounters counters;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto found = reader.readRun(**file, (*file)->datasets().front(), i, counters);
      VERIFY_OK(found);
      QVERIFY(std::ranges::equal(*found, std::as_bytes(std::span(runs[i]))));
    }
  }

  void aLongRunIsOneReadAndNoMoreThanItIs() {
    const TemporaryFolder folder;
    const Texts runs = hdf5RunsOf({70000, 90001, 80003, 120002});
    QVERIFY(Hdf5Written(folder.path() / "a.h5").addRuns("x", runs));
    const auto source = openHdf5(folder, {"a.h5"}, {"x:encoded"});
    VERIFY_OK(source);
    ReadCounters counters;
    QCOMPARE(readHdf5Runs(**source, 3, counters), runs);
    QCOMPARE(counters.reads.load(), 4U);
    QCOMPARE(counters.bytes.load(),
             70000U + 90001 + 80003 + 120002 + 4 * 16);  // Plus their headers.
  }

  void placesInPackedChunksAreReadOnce() {
    const TemporaryFolder folder;
    const Texts runs = hdf5RunsOf({500, 40000, 30, 7, 60000, 9, 10, 11, 12, 13});
    QVERIFY(Hdf5Written(folder.path() / "a.h5").addRuns("x", runs, inFoursDeflated));
    const auto source = openHdf5(folder, {"a.h5"}, {"x:encoded"});
    VERIFY_OK(source);
    QVERIFY(!hasNote(**source, "costs unpacking"));
    ReadCounters counters;
    QCOMPARE(readHdf5Runs(**source, 7, counters), runs);
  }

  void damagedPlacesCostTheirOwnRunsAlone() {
    const TemporaryFolder folder;
    const Texts runs = hdf5RunsOf({500, 40000, 30, 7, 60000, 9, 10, 11, 12, 13});
    QVERIFY(Hdf5Written(folder.path() / "a.h5").addRuns("x", runs, inFoursDeflated));
    std::string damaged = contentOf(folder.path() / "a.h5");
    const std::size_t chunk = damaged.rfind("\x78\xda");  // The start of a zlib stream: samples 8
                                                          // and 9.
    QVERIFY(chunk != std::string::npos);
    damaged[chunk + 4] = static_cast<char>(damaged[chunk + 4] ^ 0x55);
    folder.write("a.h5", damaged);
    const auto source = openHdf5(folder, {"a.h5"}, {"x:encoded"});
    VERIFY_OK(source);
    ReadCounters counters;
    const Texts found = readHdf5Runs(**source, 1, counters);
    QVERIFY(std::equal(found.begin(), found.begin() + 8, runs.begin()));
    for (const std::size_t i : {8, 9})
      QVERIFY2(found[i].starts_with("error: dataset `x`: the chunk at byte "), found[i].c_str());
  }
};

}  // namespace millrace

using millrace::TestHdf5Runs;
MILLRACE_TEST_CASE(TestHdf5Runs)
#include "tst_hdf5_runs.moc"
