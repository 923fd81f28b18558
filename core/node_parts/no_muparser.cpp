// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for muParser in a build without it: no formula can be made, so that none is evaluated.
#include "core/base/parts.h"
#include "core/node_parts/formula.h"

namespace millrace::nodes {

struct Formula::Parts {
  std::vector<std::size_t> uses;
  double value = 0;
};

Formula::Formula(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

Result<Formula> Formula::make(const std::string&, const std::vector<std::string>&) {
  return missingPart("muparser");
}

const std::vector<std::size_t>& Formula::uses() const { return m_parts->uses; }

double& Formula::variable(std::size_t) { return m_parts->value; }

double Formula::value() const { return m_parts->value; }

}  // namespace millrace::nodes
