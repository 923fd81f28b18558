// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/proposal/container_kind.h"

#include <array>
#include <cstring>
#include <utility>

#include "core/formats/mds_data_set.h"
#include "core/formats/open_file.h"
#include "core/formats/tar_walk.h"
#include "core/formats/tfrecord.h"
#include "core/proposal/folder_glimpse.h"

namespace millrace {

DataLayout containerByName(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, DataLayout>, 12> kEnds = {
      {{".tar", DataLayout::WebDataset},
       {".tar.gz", DataLayout::WebDataset},
       {".tgz", DataLayout::WebDataset},
       {".npy", DataLayout::Numpy},
       {".npz", DataLayout::Numpy},
       {".mdb", DataLayout::Lmdb},
       {".h5", DataLayout::Hdf5},
       {".hdf5", DataLayout::Hdf5},
       {".rec", DataLayout::RecordIo},
       {".parquet", DataLayout::Parquet},
       {".beton", DataLayout::Ffcv},
       {".tfrecords", DataLayout::TfRecord}}};
  const std::string low = lowered(name);
  if (low == "lock.mdb") return DataLayout::Unknown;
  for (const auto& [end, layout] : kEnds)
    if (low.ends_with(end)) return layout;
  if (isMdsFileName(low)) return DataLayout::Mds;
  return isTfRecordName(name) ? DataLayout::TfRecord : DataLayout::Unknown;
}

DataLayout containerByHead(const std::filesystem::path& file) {
  const auto opened = openForReading(file);
  if (!opened) return DataLayout::Unknown;
  std::array<std::byte, TarWalk::kBlock> head{};
  const auto got = readAt(opened->fd.get(), 0, head.data(), head.size());
  if (!got) return DataLayout::Unknown;
  const auto has = [&](std::size_t at, std::string_view magic) {
    return at + magic.size() <= *got &&
           std::memcmp(head.data() + at, magic.data(), magic.size()) == 0;
  };
  if (has(0, "\x93NUMPY")) return DataLayout::Numpy;
  if (has(0, "\x89HDF\r\n")) return DataLayout::Hdf5;
  if (has(0, "PAR1")) return DataLayout::Parquet;
  if (has(0, "\x0a\x23\xd7\xce")) return DataLayout::RecordIo;
  if (has(16, "\xde\xc0\xef\xbe")) return DataLayout::Lmdb;
  if (*got >= kTfRecordHead && tfRecordLength(head.data())) return DataLayout::TfRecord;
  if (*got == head.size() && isTarHead(head.data())) return DataLayout::WebDataset;
  return DataLayout::Unknown;
}

}  // namespace millrace
