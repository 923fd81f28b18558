// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/export/export_subject.h"

namespace millrace::tests {

/// A source of records before a batch, with explicit keys where only the data would show them.
struct RecordSource {
  const char* name;
  const char* node;
  bool pictures = true;  ///< files, for decode
};
inline constexpr std::array<RecordSource, 11> kRecordSources = {{
    {"tfrecord",
     R"({"kind": "tfrecord", "params": {"paths": ["a-{00..03}.tfrecord"], "keys": ["image=image/encoded", "label=image/class/label", "board=d:u8:8x8x3"]}})"},
    {"webdataset",
     R"({"kind": "webdataset", "params": {"paths": ["a.tar"], "parts": ["image=jpg;png", "label=cls", "mask=seg.png"]}})"},
    {"webdataset-usual", R"({"kind": "webdataset", "params": {"paths": ["a.tar"]}})"},
    {"numpy",
     R"({"kind": "numpy", "params": {"paths": ["x.npy"], "labels": "y.npy", "content": "features"}})",
     false},
    {"hdf5",
     R"({"kind": "hdf5", "params": {"paths": ["a.h5"], "datasets": ["image=x/train", "label=y", "depth=z:target"]}})"},
    {"lmdb",
     R"({"kind": "lmdb", "params": {"paths": ["lq.lmdb"], "targets": "gt.lmdb", "content": "pictures", "database": "d"}})"},
    {"lmdb-array",
     R"({"kind": "lmdb", "params": {"paths": ["a.lmdb"], "value": "image:u8:32x32x3:image:hwc"}})",
     false},
    {"mds",
     R"({"kind": "mds", "params": {"paths": ["train"], "columns": ["image=img", "label=class"], "check_hashes": true}})"},
    {"parquet",
     R"({"kind": "parquet", "params": {"paths": ["train-{00000..00001}-of-00002.parquet"], "columns": ["image", "label=class", "mask=seg"]}})"},
    {"recordio", R"({"kind": "recordio", "params": {"paths": ["train.rec"]}})"},
    {"recordio-bytes",
     R"({"kind": "recordio", "params": {"paths": ["train.rec"], "content": "bytes"}})", false},
}};

inline std::string recordPipeline(const RecordSource& source) {
  std::vector<std::string> nodes{source.node};
  if (source.pictures) {
    nodes.emplace_back(R"({"kind": "decode", "params": {"scaling": "full"}})");
    nodes.emplace_back(R"({"kind": "resize"})");
  } else if (std::string_view(source.node).find("features") != std::string_view::npos) {
    // Without the data their number is unknown.
    nodes.emplace_back(R"({"kind": "select", "params": {"keep": ["label"]}})");
  }
  nodes.emplace_back(R"({"kind": "batch"})");
  nodes.emplace_back(R"({"kind": "drain"})");
  return chainJson(nodes);
}

}  // namespace millrace::tests
