// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QTest>

#include "app/capi/millrace.h"
#include "tests/core/run/run_support.h"

namespace millrace::tests {

/// 22 samples in batches of 4: five full ones and one of two.
inline const std::string kChain =
    "synthetic {\"count\": 22, \"length\": 9}\n"
    "shuffle {}\n"
    "workers {\"count\": 2}\n"
    "batch {\"size\": 4}\n"
    "prefetch {\"batches\": 1}\n"
    "drain {}\n";
inline constexpr int kBatches = 6;

/// A loader that closes itself.
class Opened {
 public:
  explicit Opened(const std::string& chain = kChain,
                  const std::function<void(millrace_options&)>& change = {}) {
    const std::string text = documentOf(chain);
    millrace_options options = MILLRACE_OPTIONS_INIT;
    options.text = text.c_str();
    if (change) change(options);
    status = millrace_open(&options, &loader);
    error = millrace_last_error();
  }
  ~Opened() { millrace_close(loader); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  std::string taken(char* text) const {
    std::string copy = text == nullptr ? "" : text;
    millrace_free(text);
    return copy;
  }
  std::string state() const { return taken(millrace_state(loader)); }

  millrace_loader* loader = nullptr;
  millrace_status status = MILLRACE_OK;
  std::string error;
};

/// The bytes of a batch, in whatever memory.
inline std::string bytesOf(millrace_batch& batch, const void* data, std::size_t bytes) {
  std::string copy(bytes, '\0');
  const millrace_status copied = millrace_to_host(&batch, copy.data(), data, bytes);
  return copied == MILLRACE_OK ? copy : millrace_last_error();
}

/// The content of a batch, as bytes.
inline std::string contentOf(millrace_batch& batch) {
  std::string all = std::to_string(batch.epoch) + ":" + std::to_string(batch.index) + " ";
  for (std::size_t f = 0; f < batch.field_count; ++f) {
    const millrace_field& field = batch.fields[f];
    all += std::string(field.name) + field.dtype;
    if (field.rows == nullptr) all += bytesOf(batch, field.data, field.bytes);
    for (std::size_t r = 0; field.rows != nullptr && r < batch.rows; ++r)
      all += bytesOf(batch, field.rows[r].data, field.rows[r].bytes);
  }
  return all;
}

/// Every batch up to the epoch's end; the last entry is the status that ended it.
inline std::vector<std::string> restOfEpoch(millrace_loader* loader) {
  std::vector<std::string> seen;
  for (;;) {
    millrace_batch* batch = nullptr;
    const millrace_status status = millrace_next(loader, -1, &batch);
    if (status != MILLRACE_OK) {
      seen.push_back(std::to_string(status));
      return seen;
    }
    seen.push_back(contentOf(*batch));
    millrace_release(batch);
  }
}

inline void skip(millrace_loader* loader, int batches) {
  for (int i = 0; i < batches; ++i) {
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(loader, -1, &batch), MILLRACE_OK);
    millrace_release(batch);
  }
}

}  // namespace millrace::tests
