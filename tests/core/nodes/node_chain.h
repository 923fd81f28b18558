// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/sample.h"
#include "core/spec/node_spec.h"

namespace millrace::tests {

enum class Fuse { Yes, No };

/// A chain of nodes that is checked and run directly: what plan and executor do, in a few lines.
class NodeChain {
 public:
  explicit NodeChain(std::vector<FieldSpec> fields);

  /// Infers the stream after the node; its id is its kind with its position in the chain.
  NodeChain& add(const std::string& kind, const Values& values = {});
  NodeChain& noRandom() { return m_noRandom = true, *this; }
  NodeChain& seed(std::uint64_t seed) { return m_seed = seed, *this; }

  const StreamType& out() const { return m_stream; }
  const Problems& problems() const { return m_problems; }
  /// The texts of all problems in one string, for messages and searching.
  std::string problemText() const;

  /// Creates the operations (joined as `joins` allows if `fuse` is Yes) and runs them.
  Status run(Sample& sample, Fuse fuse = Fuse::Yes) const;
  std::size_t operations(Fuse fuse) const;

 private:
  struct Node {
    const NodeSpec* spec;
    Values values;
    BuildContext context;
    std::uint32_t drawKey;
  };
  std::vector<std::vector<std::size_t>> groups(Fuse fuse) const;
  Result<std::unique_ptr<SampleOp>> make(const std::vector<std::size_t>& group) const;

  StreamType m_stream;
  Problems m_problems;
  std::vector<Node> m_nodes;
  bool m_noRandom = false;
  std::uint64_t m_seed = 7;
};

/// A u8 hwc picture field, of unknown size unless given.
FieldSpec pictureField(const std::string& name, Role role, int channels = 3, int height = -1,
                       int width = -1);
FieldSpec encodedField(const std::string& name, Role role);

/// Sets field i of a sample to the pixels at `bytes`, which must outlive it.
void setPicture(Sample& sample, std::size_t i, const std::vector<std::uint8_t>& bytes, int height,
                int width, int channels);
void setFile(Sample& sample, std::size_t i, const std::vector<std::byte>& bytes);
std::vector<std::uint8_t> bytesOf(const TensorView& view);
std::vector<float> floatsOf(const TensorView& view);

/// All pixels differ: channel 0 is x, channel 1 is y, others are x + 3 y + c.
std::vector<std::uint8_t> coordinates(int height, int width, int channels);
/// Smooth noise, strong enough for every filter to matter.
std::vector<std::uint8_t> noise(int height, int width, int channels, std::uint32_t seed);

}  // namespace millrace::tests
