// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loaned_batch.h"

#include <cstring>
#include <utility>

#include "core/loader/loader_session.h"

namespace millrace {

LoanedBatch::LoanedBatch(std::shared_ptr<LoaderSession> session, BatchSlot* slot)
    : m_session(std::move(session)), m_slot(slot) {}

LoanedBatch::LoanedBatch(LoanedBatch&& other) noexcept
    : m_session(std::move(other.m_session)),
      m_slot(std::exchange(other.m_slot, nullptr)),
      m_streams(std::move(other.m_streams)) {}

LoanedBatch& LoanedBatch::operator=(LoanedBatch&& other) noexcept {
  std::swap(m_session, other.m_session);
  std::swap(m_slot, other.m_slot);
  std::swap(m_streams, other.m_streams);
  return *this;
}

LoanedBatch::~LoanedBatch() {
  if (m_slot != nullptr) m_session->giveBack(*m_slot, m_streams);
}

const std::shared_ptr<Device>& LoanedBatch::device() const { return m_session->executor->device(); }

Status LoanedBatch::toHost(void* to, const void* from, std::size_t bytes,
                           std::span<const ProgramStream> readers) const {
  if ((*this)->place != Place::Device) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return {};
  }
  const auto scope = device()->enter();
  MILLRACE_ASSIGN_OR_RETURN(auto stream, device()->makeStream("to the host"));
  std::vector<std::unique_ptr<Event>> marks;
  for (const ProgramStream& reader : readers) {
    MILLRACE_ASSIGN_OR_RETURN(auto mark, reader.device->makeEvent(EventKind::Ordering));
    marks.push_back(std::move(mark));
    MILLRACE_TRY(reader.stream->record(*marks.back()));
    MILLRACE_TRY(stream->wait(*marks.back()));
  }
  MILLRACE_TRY(stream->copyToHost(to, from, bytes));
  return stream->synchronise();
}

}  // namespace millrace
