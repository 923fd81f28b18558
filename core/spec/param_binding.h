// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/param_spec.h"
#include "core/spec/runtime_settings.h"

namespace millrace {

/// The texts, each copied.
std::vector<std::string> textsOf(std::initializer_list<std::string_view> texts);

/// Refines the parameter that was described last. What takes texts is defined in the source and
/// takes views: node files are full of such calls, and each text made there would cost time to
/// compile.
class ParamBuilder {
 public:
  ParamBuilder(std::vector<ParamSpec>& all, std::size_t at) : m_all(all), m_at(at) {}

  ParamBuilder& label(std::string_view text);
  ParamBuilder& help(std::string_view text);
  ParamBuilder& unit(std::string_view text);
  ParamBuilder& range(double low, double high);
  ParamBuilder& atLeast(double low);
  ParamBuilder& atMost(double high);
  ParamBuilder& live() { return spec().live = true, *this; }
  ParamBuilder& data() { return spec().isData = true, *this; }
  ParamBuilder& speedOnly() { return spec().speedOnly = true, *this; }
  ParamBuilder& optional() { return spec().optional = true, *this; }
  /// Its texts are ids of nodes, which follow when a node is renamed or removed.
  ParamBuilder& nodeIds() { return spec().isNodes = true, *this; }
  ParamBuilder& file() { return spec().names = DiskName::File, *this; }
  /// The parameter only has an effect if `param` has one of these values, is true, or is set
  /// (ParamUse).
  ParamBuilder& usedWith(std::string_view param,
                         std::initializer_list<std::string_view> choices = {});
  ParamBuilder& folder() { return spec().names = DiskName::Folder, *this; }

 private:
  ParamSpec& spec() { return m_all[m_at]; }
  std::vector<ParamSpec>& m_all;
  std::size_t m_at;
};

/// One value of a choice: the enumerator, its name in the file, and its help. The texts are
/// borrowed for the call.
template <class Enum>
struct Choice {
  Enum value;
  std::string_view name;
  std::string_view help;
};

/// The parameters of a kind, and where each lies in the kind's `Params` struct. Not a template, so
/// that a node file costs little to compile. Filled while the kind is described, then constant.
class ParamTable {
 public:
  const std::vector<ParamSpec>& specs() const { return m_specs; }

  /// Adds a parameter that lies `offset` bytes into the struct `params` and whose default is the
  /// member's value there. The member's type is the one in Value that belongs to `type`.
  ParamBuilder add(std::string_view name, ParamType type, const void* params, std::size_t offset);
  /// The same, of a choice whose enumerators are `size` bytes long in the struct.
  ParamBuilder addChoice(std::string_view name, const void* params, std::size_t offset,
                         std::size_t size, std::span<const Choice<std::uint64_t>> choices);

  /// Sets the members of the struct `params`; every parameter must be among `values`.
  void read(const Values& values, void* params) const;

 private:
  struct Member {
    std::size_t offset = 0;
    std::size_t enumBytes = 0;               ///< of a choice
    std::vector<std::uint64_t> enumerators;  ///< of a choice, in the order of its names
  };

  ParamBuilder append(ParamSpec spec, Member member);

  std::vector<ParamSpec> m_specs;
  std::vector<Member> m_members;  ///< one for each spec
};

/// Describes parameters and binds each to a member of a kind's `Params` struct, whose initialiser
/// is its default.
template <class Params>
class ParamBinding {
 public:
  ParamBuilder integer(std::string_view name, std::int64_t Params::* member) {
    return bind(name, ParamType::Integer, member);
  }
  ParamBuilder real(std::string_view name, double Params::* member) {
    return bind(name, ParamType::Real, member);
  }
  ParamBuilder boolean(std::string_view name, bool Params::* member) {
    return bind(name, ParamType::Boolean, member);
  }
  ParamBuilder text(std::string_view name, std::string Params::* member) {
    return bind(name, ParamType::Text, member);
  }
  ParamBuilder path(std::string_view name, std::string Params::* member) {
    return bind(name, ParamType::Path, member);
  }
  ParamBuilder reals(std::string_view name, RealList Params::* member) {
    return bind(name, ParamType::RealList, member);
  }
  ParamBuilder texts(std::string_view name, TextList Params::* member) {
    return bind(name, ParamType::TextList, member);
  }
  ParamBuilder paths(std::string_view name, TextList Params::* member) {
    return bind(name, ParamType::PathList, member);
  }
  template <class Enum>
  ParamBuilder choice(std::string_view name, Enum Params::* member,
                      std::initializer_list<Choice<Enum>> choices) {
    std::vector<Choice<std::uint64_t>> all;
    for (const Choice<Enum>& choice : choices)
      all.push_back({static_cast<std::uint64_t>(choice.value), choice.name, choice.help});
    return m_table->addChoice(name, &m_defaults, offsetOf(member), sizeof(Enum), all);
  }
  /// The parameter `fields`, with which users override the fields that a node acts on
  /// (docs/reference/order-and-randomness.md §2).
  ParamBuilder fields(TextList Params::* member) {
    return texts("fields", member)
        .label("Fields")
        .optional()
        .help("Names of the fields to act on. Empty: every field with a suitable role.");
  }
  /// The parameter `place` of a node that can run on the CPU and on the GPU
  /// (docs/reference/pipeline-file.md).
  ParamBuilder place(PlaceRequest Params::* member) {
    return choice<PlaceRequest>(
               "place", member,
               {{PlaceRequest::Auto, "auto",
                 "On the GPU after a transfer to the GPU, otherwise on the CPU."},
                {PlaceRequest::Cpu, "cpu", "On the CPU. An error if the batch is on the GPU."},
                {PlaceRequest::Gpu, "gpu", "On the GPU. An error if the batch is not on the GPU."}})
        .label("Place")
        .help("Where the node runs.");
  }

  /// Makes the struct of a node's values. Shared by all hooks of the kind.
  class Reader {
   public:
    explicit Reader(std::shared_ptr<const ParamTable> table) : m_table(std::move(table)) {}
    Params operator()(const Values& values) const {
      Params params;
      m_table->read(values, &params);
      return params;
    }

   private:
    std::shared_ptr<const ParamTable> m_table;
  };
  Reader reader() const { return Reader(m_table); }
  const std::vector<ParamSpec>& specs() const { return m_table->specs(); }

 private:
  template <class T>
  std::size_t offsetOf(T Params::* member) const {
    const auto* begin = reinterpret_cast<const std::byte*>(&m_defaults);
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(m_defaults.*member)) -
                                    begin);
  }
  template <class T>
  ParamBuilder bind(std::string_view name, ParamType type, T Params::* member) {
    return m_table->add(name, type, &m_defaults, offsetOf(member));
  }

  const Params m_defaults{};
  std::shared_ptr<ParamTable> m_table = std::make_shared<ParamTable>();
};

}  // namespace millrace
