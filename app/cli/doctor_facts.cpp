// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/doctor_facts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>
#include <jpeglib.h>
#include <spng.h>
#include <sqlite3.h>
#include <tiffio.h>
#include <webp/decode.h>

#include "app/cli/text_layout.h"
#include "core/base/text.h"
#include "core/cuda/cuda_facts.h"
#include "core/kernels/vector_level.h"
#include "core/samples/sample_data.h"
#include "core/store/run_store.h"

namespace millrace::cli {

namespace fs = std::filesystem;

std::string doctorLine(const std::string& name, const std::string& value) {
  return labelled(name, validUtf8(value), 22);
}

namespace {

/// Its number has a byte for each part.
std::string webpVersion() {
  const auto version = static_cast<unsigned>(WebPGetDecoderVersion());
  return fmt::format("{}.{}.{}", version >> 16U, version >> 8U & 0xffU, version & 0xffU);
}

/// The library says it in a sentence: "LIBTIFF, Version 4.5.0", and its copyright on more lines.
std::string tiffVersion() {
  const std::string_view line = std::string_view(TIFFGetVersion());
  const std::size_t digits = std::min(line.find_first_of("0123456789"), line.size());
  const std::size_t end = std::min(line.find('\n', digits), line.size());
  return std::string(line.substr(digits, end - digits));
}

}  // namespace

#define MILLRACE_TEXT_OF(x) #x
#define MILLRACE_TEXT(x) MILLRACE_TEXT_OF(x)

std::vector<std::pair<std::string, std::string>> libraryVersions() {
  return {{"libjpeg-turbo", MILLRACE_TEXT(LIBJPEG_TURBO_VERSION)},
          {"spng", spng_version_string()},
          {"webp", webpVersion()},
          {"tiff", tiffVersion()},
          {"sqlite", sqlite3_libversion()},
          {"highway", vectorLibraryVersion()}};
}

#undef MILLRACE_TEXT
#undef MILLRACE_TEXT_OF

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
    lines.emplace_back("device", fmt::format("none that can be used: {}; {}. Until then pipelines "
                                             "run on the CPU, and `transfer` hands batches on",
                                             facts.trouble, facts.remedy));
  return lines;
}

namespace {

/// The file or folder itself, or the nearest folder above that is there.
fs::path existing(fs::path path) {
  std::error_code error;
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

bool writable(const fs::path& path) { return access(path.c_str(), W_OK) == 0; }

PlaceFact notWritable(fs::path path, const fs::path& at) {
  const std::string trouble = fmt::format("{} may not be written by this user", at.string());
  return {std::move(path), "cannot be written", trouble};
}

}  // namespace

PlaceFact storeFact() {
  const fs::path file = defaultStorePath();
  const fs::path there = existing(file);
  std::error_code error;
  if (there != file || fs::is_empty(file, error)) {
    if (!writable(there) || (there != file && !fs::is_directory(there, error)))
      return notWritable(file, there);
    return {file, "not there yet: the first run makes it", {}};
  }
  Database::Options options;
  options.mode = Database::Mode::Read;
  Result<RunStore> store = RunStore::open(file, options);
  if (!store) return {file, "does not open", store.error().message};
  if (!writable(file)) return notWritable(file, file);
  return {file, "opens", {}};
}

PlaceFact cacheFact() {
  const fs::path folder = sampleCacheFolder();
  const fs::path there = existing(folder);
  std::error_code error;
  if (!writable(there) || !fs::is_directory(there, error)) return notWritable(folder, there);
  return {folder, there == folder ? "can be written" : "made when an example needs it", {}};
}

}  // namespace millrace::cli
