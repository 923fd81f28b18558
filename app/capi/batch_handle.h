// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/capi/millrace.h"
#include "core/base/mutex.h"
#include "core/loader/loader.h"

namespace millrace::capi {

/// The loan of a batch, shared by its handle and its tensors: the last owner returns it. Monitor;
/// the batch itself is constant.
class SharedLoan {
 public:
  explicit SharedLoan(LoanedBatch loan) : m_loan(std::move(loan)) {}

  const Batch& batch() const { return *m_loan; }
  const LoanedBatch& loan() const { return m_loan; }
  /// LoanedBatch::toHost, ordered after the streams known so far.
  Status toHost(void* to, const void* from, std::size_t bytes) const;
  /// A stream of the program (cudaStream_t) reads the batch.
  Status readOn(void* stream);

 private:
  mutable Mutex m_mutex;
  std::vector<void*> m_streams
      MILLRACE_GUARDED_BY(m_mutex);  ///< streams that the loan already knows
  LoanedBatch m_loan;                ///< only its `readers` change, under m_mutex
};

/// A batch, as C programs see it. One thread at a time, except `loan`.
struct BatchHandle : millrace_batch {
  static std::unique_ptr<BatchHandle> make(LoanedBatch loan, std::uint64_t failed);

  pid_t process = 0;  ///< the process that received it
  std::shared_ptr<SharedLoan> loan;

 private:
  void addField(const BatchField& field);

  std::vector<millrace_field> m_fields;
  std::vector<Shape> m_shapes;
  std::vector<std::vector<millrace_row>> m_rows;
  std::vector<std::uint32_t> m_samples;
};

}  // namespace millrace::capi
