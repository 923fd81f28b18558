// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A store that another program wrote, damaged anywhere: it is read completely, and its runs are
// imported.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/store/run_query.h"
#include "core/store/run_store.h"
#include "core/store/search_notes.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

namespace fs = std::filesystem;

/// In memory, and removed at the end.
class Folder {
 public:
  Folder() : m_path("/dev/shm/millrace_fuzz_store_" + std::to_string(::getpid())) {
    fs::create_directory(m_path);
  }
  ~Folder() { fs::remove_all(m_path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path file(const char* name) const { return m_path / name; }

 private:
  const fs::path m_path;
};

void readRun(RunStore& store, RunNumber run) {
  (void)store.pipelineJson(run);
  (void)store.show(run);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const fs::path foreign = folder.file("foreign.db");
  for (const char* rest : {"foreign.db-wal", "foreign.db-shm", "foreign.db-journal"})
    fs::remove(folder.file(rest));
  std::ofstream(foreign, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  auto source = RunStore::openSource(foreign);
  if (!source) return 0;
  static auto own = RunStore::open(folder.file("own.db"));
  if (!own) std::abort();
  (void)source->searches();
  (void)source->comparisons(100);
  const auto runs = source->list(RunQuery());
  if (!runs) return 0;
  for (const RunSummary& run : *runs) {
    readRun(*source, run.number);
    (void)own->importRun(*source, run.number);
  }
  return 0;
}
