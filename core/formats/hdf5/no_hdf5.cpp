// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for libhdf5 in a build without it: no file opens, so that nothing is ever read.
#include "core/base/parts.h"
#include "core/formats/hdf5/hdf5_assembly.h"
#include "core/formats/hdf5/hdf5_file.h"

namespace millrace {

struct Hdf5File::Library {};

Hdf5File::~Hdf5File() = default;

Result<std::unique_ptr<Hdf5File>> Hdf5File::open(const std::filesystem::path&) {
  return missingPart("hdf5");
}

Status Hdf5File::readRow(const Hdf5Dataset&, std::uint64_t, std::span<std::byte>) const {
  return missingPart("hdf5");
}

Result<std::size_t> Hdf5File::readRun(const Hdf5Dataset&, std::uint64_t, Buffer&) const {
  return missingPart("hdf5");
}

std::vector<std::string> Hdf5File::classNames(const Hdf5Dataset&) const { return {}; }

Status Hdf5File::checkNumbers(const Hdf5Dataset&) { return missingPart("hdf5"); }

Result<std::vector<std::int64_t>> Hdf5File::readNumbers(const Hdf5Dataset&) const {
  return missingPart("hdf5");
}

Status assembleHdf5(const std::filesystem::path&, std::span<const Hdf5Part>, std::uint64_t,
                    const Hdf5Form&) {
  return missingPart("hdf5");
}

}  // namespace millrace
