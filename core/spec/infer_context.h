// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/data/stream_type.h"
#include "core/spec/problem.h"

namespace millrace {

/// What a check may assume about a GPU.
enum class DeviceUse : std::uint8_t {
  Detect,      ///< detect whether this machine has one, which loads NVIDIA's driver
  DontDetect,  ///< treat `auto` as the host, and assume a device for `gpu`
  HostOnly,    ///< batches must stay in host memory; `gpu` is an error
};

/// What a node may use while its output stream is inferred, and where it reports problems.
class InferContext {
 public:
  InferContext(std::string node, Problems& problems, std::filesystem::path base = {})
      : m_node(std::move(node)), m_problems(problems), m_base(std::move(base)) {}

  const std::string& node() const { return m_node; }
  /// The folder that relative paths start from.
  const std::filesystem::path& base() const { return m_base; }
  DeviceUse deviceUse() const { return m_deviceUse; }
  void setDeviceUse(DeviceUse use) { m_deviceUse = use; }
  void error(std::string field, std::string message, std::string remedy) {
    m_problems.error(m_node, std::move(field), std::move(message), std::move(remedy));
  }
  void warning(std::string field, std::string message, std::string remedy) {
    m_problems.warning(m_node, std::move(field), std::move(message), std::move(remedy));
  }

 private:
  std::string m_node;
  Problems& m_problems;
  std::filesystem::path m_base;
  DeviceUse m_deviceUse = DeviceUse::Detect;
};

/// Indices of the fields that a node acts on: the named ones, or if none are named those whose role
/// is in `roles`. Names that the stream lacks are skipped here; checkFields() reports them.
std::vector<std::size_t> actedFields(const StreamType& stream,
                                     const std::vector<std::string>& named,
                                     std::initializer_list<Role> roles);

/// Reports named fields that the stream lacks, and a node that has no field to act on. True if
/// there is no problem.
bool checkFields(const StreamType& stream, const std::vector<std::string>& named,
                 std::initializer_list<Role> roles, InferContext& context);

}  // namespace millrace
