// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/doctor/doctor_facts.h"

#include <unistd.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/codecs/picture_formats.h"
#include "core/cuda/cuda_facts.h"
#include "core/kernels/vector_level.h"
#include "core/sample_data/sample_data.h"
#include "core/store/run_store.h"

namespace millrace::cli {

namespace fs = std::filesystem;

std::string doctorLine(const std::string& name, const std::string& value) {
  return labelled(name, visibleText(value), 22);
}

std::vector<std::pair<std::string, std::string>> libraryVersions() {
  std::vector<std::pair<std::string, std::string>> versions;
  for (const CodecEntry& codec : allCodecs())
    if (!codec.library.name.empty())
      versions.emplace_back(codec.library.name, codec.library.version);
  versions.emplace_back("sqlite", sqlite3_libversion());
  versions.emplace_back("highway", vectorLibraryVersion());
  return versions;
}

std::vector<std::pair<std::string, std::string>> cudaLines() {
  const CudaFacts facts = cudaFacts();
  std::vector<std::pair<std::string, std::string>> lines;
  lines.emplace_back("built with",
                     facts.built ? fmt::format("CUDA Toolkit {}, runtime {}, for {}", facts.toolkit,
                                               facts.runtime, facts.architectures)
                                 : "no CUDA");
  lines.emplace_back("driver", facts.driver.empty() ? "none" : "for CUDA up to " + facts.driver);
  for (const DeviceFacts& device : facts.devices)
    lines.emplace_back(
        fmt::format("GPU {}", device.ordinal),
        fmt::format("{}, compute capability {}.{}, {}, {} multiprocessors, {} copy engines, {}",
                    device.name, device.major, device.minor,
                    humanBytes(static_cast<double>(device.memoryBytes)), device.multiprocessors,
                    device.copyEngines, device.pciAddress));
  if (!facts.trouble.empty())
    lines.emplace_back("device", fmt::format("none usable: {}; {}. Until then pipelines "
                                             "run on the CPU, and `transfer` does nothing",
                                             facts.trouble, facts.remedy));
  return lines;
}

namespace {

/// The file or folder itself, or the nearest existing folder above it.
fs::path existing(fs::path path) {
  std::error_code error;
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

bool writable(const fs::path& path) { return access(path.c_str(), W_OK) == 0; }

PlaceFact notWritable(fs::path path, const fs::path& at) {
  const std::string trouble = fmt::format("this user may not write to {}", at.string());
  return {std::move(path), "not writable", trouble};
}

}  // namespace

PlaceFact storeFact() {
  const fs::path file = defaultStorePath();
  const fs::path there = existing(file);
  std::error_code error;
  if (there != file || fs::is_empty(file, error)) {
    if (!writable(there) || (there != file && !fs::is_directory(there, error)))
      return notWritable(file, there);
    return {file, "does not exist yet: the first run creates it", {}};
  }
  Database::Options options;
  options.mode = Database::Mode::Read;
  Result<RunStore> store = RunStore::open(file, options);
  if (!store) return {file, "cannot be opened", store.error().message};
  if (!writable(file)) return notWritable(file, file);
  return {file, "opens", {}};
}

PlaceFact cacheFact() {
  const fs::path folder = sampleCacheFolder();
  const fs::path there = existing(folder);
  std::error_code error;
  if (!writable(there) || !fs::is_directory(there, error)) return notWritable(folder, there);
  return {folder, there == folder ? "writable" : "created when an example needs it", {}};
}

}  // namespace millrace::cli
