// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/capi/millrace.h"
#include "core/loader/loader.h"

namespace millrace::capi {

/// A batch as C sees it, and the loan behind it. One thread at a time.
struct BatchHandle : millrace_batch {
  static std::unique_ptr<BatchHandle> make(LoanedBatch loan, std::uint64_t failed);

  pid_t process = 0;  ///< the one that took it

 private:
  void addField(const BatchField& field);

  LoanedBatch m_loan;
  std::vector<millrace_field> m_fields;
  std::vector<Shape> m_shapes;
  std::vector<std::vector<millrace_row>> m_rows;
  std::vector<std::uint32_t> m_samples;
};

}  // namespace millrace::capi
