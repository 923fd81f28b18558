// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/data_digest.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/in_parallel.h"
#include "core/base/random.h"
#include "core/formats/io/file_stamp.h"

namespace millrace {

namespace {

/// Groups of this many samples are digested, then the digests: the result does not depend on the
/// number of threads.
constexpr std::uint32_t kSamplesAtOnce = 2048;

std::uint64_t withText(std::string_view text, std::uint64_t digest) {
  return fnv1a(std::string_view("\0", 1), fnv1a(text, digest));
}

/// Checks a file once if several consecutive samples are in it.
class FileProbe {
 public:
  std::uint64_t add(const std::string& file, std::uint64_t digest) {
    if (file != m_file || m_text.empty()) {
      m_file = file;
      m_text = file + '\0' + fileStamp(file).value_or("no file");
    }
    return withText(m_text, digest);
  }

 private:
  std::string m_file;
  std::string m_text;
};

std::uint64_t digestOf(const Source& source, std::uint32_t first, std::uint32_t end) {
  std::uint64_t digest = fnv1a("");
  FileProbe file;
  FileProbe others;
  for (std::uint32_t i = first; i < end; ++i) {
    digest = withText(source.name(i), digest);
    if (const std::string path = source.file(i); !path.empty()) digest = file.add(path, digest);
    for (const std::string& path : source.moreFiles(i)) digest = others.add(path, digest);
  }
  return digest;
}

}  // namespace

std::uint64_t dataDigest(const Source& source) {
  const std::uint32_t samples = source.size();
  const std::uint32_t parts = samples / kSamplesAtOnce + (samples % kSamplesAtOnce > 0 ? 1 : 0);
  std::vector<std::uint64_t> digests(parts);
  std::atomic<std::uint32_t> next{0};
  const std::size_t threads =
      std::min<std::size_t>({parts, 8U, std::thread::hardware_concurrency() + 1});
  inParallel(threads, [&] {
    for (std::uint32_t part = next++; part < parts; part = next++)
      digests[part] = digestOf(source, part * kSamplesAtOnce,
                               part + 1 < parts ? (part + 1) * kSamplesAtOnce : samples);
  });
  std::uint64_t all = fnv1a("");
  for (const FieldSpec& field : source.fields()) all = withText(field.text(), all);
  for (const std::string& name : source.classes()) all = withText(name, all);
  for (const std::uint64_t digest : digests)
    all = fnv1a({reinterpret_cast<const char*>(&digest), sizeof digest}, all);
  return all;
}

}  // namespace millrace
