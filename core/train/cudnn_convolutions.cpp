// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/train/convolutions.h"

namespace millrace {

namespace {

using cudnn::Code;

/// The number of cached row counts; usually a whole batch and an epoch's last batch are used.
constexpr std::size_t kMostKept = 4;

int cudnnTypeOf(DType dtype) {
  switch (dtype) {
    case DType::F16: return cudnn::kHalf;
    case DType::BF16: return cudnn::kBfloat16;
    default: return cudnn::kFloat;
  }
}

/// An object of cuDNN that is destroyed with this.
template <class T>
class Owned {
 public:
  Owned() = default;
  Owned(T value, Code (*destroy)(T)) : m_value(value), m_destroy(destroy) {}
  Owned(Owned&& other) noexcept
      : m_value(std::exchange(other.m_value, nullptr)), m_destroy(other.m_destroy) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(m_value, other.m_value);
    std::swap(m_destroy, other.m_destroy);
    return *this;
  }
  ~Owned() {
    if (m_value != nullptr) m_destroy(m_value);
  }
  T get() const { return m_value; }

 private:
  T m_value = nullptr;
  Code (*m_destroy)(T) = nullptr;
};

/// One of the three passes of a layer, configured for the current number of rows.
struct Pass {
  Owned<cudnn::Convolution> convolution;
  int algorithm = 0;
  int math = 0;
  std::size_t workspace = 0;
};

struct LayerHandles {
  Owned<cudnn::Tensor> in;
  Owned<cudnn::Tensor> out;
  Owned<cudnn::Filter> weights;
  Pass forward;
  Pass backwardData;
  Pass backwardWeights;
};

class CudnnConvolutions final : public Convolutions {
 public:
  CudnnConvolutions(std::shared_ptr<const CudnnLibrary> library, Device& device, Stream& stream,
                    const Network& network, DType dtype, std::vector<ConvMemory> memory)
      : m_library(std::move(library)),
        m_calls(m_library->functions()),
        m_device(device),
        m_stream(stream),
        m_network(network),
        m_dtype(dtype),
        m_memory(std::move(memory)) {}

  Status open() {
    MILLRACE_TRY(m_stream.enter());
    MILLRACE_TRY(make(m_handle, m_calls.create, m_calls.destroy, "cudnnCreate"));
    MILLRACE_TRY(ok(m_calls.setStream(m_handle.get(), m_stream.native()), "cudnnSetStream"));
    return {};
  }

  Status begin(std::uint32_t rows) override {
    MILLRACE_TRY(m_stream.enter());
    if (m_layers != nullptr && rows == m_rows) return {};
    m_layers = nullptr;
    auto kept = m_kept.find(rows);
    if (kept == m_kept.end()) {
      // Work in flight uses the workspace and the memory on which algorithms are tried.
      MILLRACE_TRY(m_stream.synchronise());
      MILLRACE_ASSIGN_OR_RETURN(auto made, handlesFor(rows));
      // Keeps the whole batch, which was tried: it has the most rows.
      if (m_kept.size() == kMostKept) m_kept.erase(m_kept.begin());
      kept = m_kept.emplace(rows, std::move(made)).first;
    }
    m_layers = &kept->second;
    m_rows = rows;
    return {};
  }

  Status forward(const ConvLayer& conv, const void* in, const void* weights, void* out) override {
    const LayerHandles& layer = (*m_layers)[conv.number];
    return call("cudnnConvolutionForward", [this, &layer, in, weights, out] {
      return m_calls.forward(m_handle.get(), &kOne, layer.in.get(), in, layer.weights.get(),
                             weights, layer.forward.convolution.get(), layer.forward.algorithm,
                             m_workspace.data(), layer.forward.workspace, &kZero, layer.out.get(),
                             out);
    });
  }

  Status backwardData(const ConvLayer& conv, const void* outGradient, const void* weights,
                      void* inGradient) override {
    const LayerHandles& layer = (*m_layers)[conv.number];
    const float* const kept = conv.adds ? &kOne : &kZero;
    return call("cudnnConvolutionBackwardData",
                [this, &layer, kept, outGradient, weights, inGradient] {
                  const Pass& pass = layer.backwardData;
                  return m_calls.backwardData(m_handle.get(), &kOne, layer.weights.get(), weights,
                                              layer.out.get(), outGradient, pass.convolution.get(),
                                              pass.algorithm, m_workspace.data(), pass.workspace,
                                              kept, layer.in.get(), inGradient);
                });
  }

  Status backwardWeights(const ConvLayer& conv, const void* in, const void* outGradient,
                         void* weightGradient) override {
    const LayerHandles& layer = (*m_layers)[conv.number];
    return call("cudnnConvolutionBackwardFilter", [this, &layer, in, outGradient, weightGradient] {
      const Pass& pass = layer.backwardWeights;
      return m_calls.backwardWeights(m_handle.get(), &kOne, layer.in.get(), in, layer.out.get(),
                                     outGradient, pass.convolution.get(), pass.algorithm,
                                     m_workspace.data(), pass.workspace, &kZero,
                                     layer.weights.get(), weightGradient);
    });
  }

 private:
  static constexpr float kOne = 1;
  static constexpr float kZero = 0;

  Status ok(Code code, const char* call) const { return m_library->result(code, call); }

  template <class T>
  Status make(Owned<T>& owned, Code (*create)(T*), Code (*destroy)(T), const char* call) const {
    T made = nullptr;
    MILLRACE_TRY(ok(create(&made), call));
    owned = Owned<T>(made, destroy);
    return {};
  }

  /// A test double runs immediately, so it is enqueued to run in stream order.
  template <class Work>
  Status call(const char* name, const Work& work) {
    if (!m_stream.emulated()) return ok(work(), name);
    return m_stream.enqueue(
        name, [work] { MILLRACE_CHECK(work() == cudnn::kSuccess, "the test double failed"); });
  }

  Status describe(const LayerHandles& layer, const ConvShape& shape) const {
    const int type = cudnnTypeOf(m_dtype);
    const auto rows = static_cast<int>(shape.rows);
    MILLRACE_TRY(ok(m_calls.setTensor(layer.in.get(), cudnn::kChannelsLast, type, rows,
                                      shape.inChannels, shape.inHeight, shape.inWidth),
                    "cudnnSetTensor4dDescriptor"));
    MILLRACE_TRY(ok(m_calls.setTensor(layer.out.get(), cudnn::kChannelsLast, type, rows,
                                      shape.outChannels, shape.outHeight, shape.outWidth),
                    "cudnnSetTensor4dDescriptor"));
    MILLRACE_TRY(
        ok(m_calls.setFilter(layer.weights.get(), type, cudnn::kChannelsLast, shape.outChannels,
                             shape.inChannels, shape.kernel, shape.kernel),
           "cudnnSetFilter4dDescriptor"));
    for (const Pass* pass : {&layer.forward, &layer.backwardData, &layer.backwardWeights}) {
      MILLRACE_TRY(ok(m_calls.setConvolution(pass->convolution.get(), shape.padding, shape.padding,
                                             shape.stride, shape.stride, 1, 1,
                                             cudnn::kCrossCorrelation, cudnn::kFloat),
                      "cudnnSetConvolution2dDescriptor"));
      // For f32 cuDNN's default math is used, as in PyTorch.
      const int math = m_dtype == DType::F32 ? cudnn::kDefaultMath : cudnn::kTensorOpMath;
      MILLRACE_TRY(
          ok(m_calls.setMath(pass->convolution.get(), math), "cudnnSetConvolutionMathType"));
    }
    return {};
  }

  Status makeHandles(LayerHandles& layer) const {
    for (Owned<cudnn::Tensor>* tensor : {&layer.in, &layer.out})
      MILLRACE_TRY(make(*tensor, m_calls.createTensor, m_calls.destroyTensor,
                        "cudnnCreateTensorDescriptor"));
    MILLRACE_TRY(make(layer.weights, m_calls.createFilter, m_calls.destroyFilter,
                      "cudnnCreateFilterDescriptor"));
    for (Pass* pass : {&layer.forward, &layer.backwardData, &layer.backwardWeights})
      MILLRACE_TRY(make(pass->convolution, m_calls.createConvolution, m_calls.destroyConvolution,
                        "cudnnCreateConvolutionDescriptor"));
    return {};
  }

  using AllHandles = std::vector<LayerHandles>;  ///< indexed by ConvLayer::number

  /// How algorithms are chosen.
  struct Choice {
    std::size_t bytes = 0;  ///< the maximum workspace of an algorithm
    bool tries = false;     ///< measure them in the workspace, which then has this size
  };

  Result<AllHandles> handlesFor(std::uint32_t rows) {
    if (m_kept.empty()) return triedHandles(rows);
    // Fewer rows usually find algorithms that fit the existing workspace; allocating more during a
    // run would stall the device.
    auto all = chosenHandles(rows, {.bytes = m_workspace.bytes()});
    if (all) return all;
    auto larger = chosenHandles(rows, {.bytes = kMostConvWorkspace});
    if (!larger) return larger;
    MILLRACE_ASSIGN_OR_RETURN(m_workspace, m_device.deviceMemory(mostWorkspace(*larger)));
    return larger;
  }

  /// Tries algorithms in as much memory as is available; those that need more are skipped.
  Result<AllHandles> triedHandles(std::uint32_t rows) {
    constexpr std::size_t kLeast = std::size_t{1} << 20U;
    for (std::size_t bytes = kMostConvWorkspace; bytes >= kLeast; bytes /= 2)
      if (auto taken = m_device.deviceMemory(bytes)) {
        m_workspace = taken.take();
        break;
      }
    auto all = chosenHandles(rows, {.bytes = m_workspace.bytes(), .tries = true});
    if (!all) return all;
    const std::size_t needed = mostWorkspace(*all);
    if (needed > m_workspace.bytes() / 2) return all;
    // Releases what is not used, for others.
    m_workspace = {};
    m_device.giveBackFree();
    if (needed == 0) return all;
    MILLRACE_ASSIGN_OR_RETURN(m_workspace, m_device.deviceMemory(needed));
    return all;
  }

  static std::size_t mostWorkspace(const AllHandles& all) {
    std::size_t most = 0;
    for (const LayerHandles& layer : all)
      for (const Pass* pass : {&layer.forward, &layer.backwardData, &layer.backwardWeights})
        most = std::max(most, pass->workspace);
    return most;
  }

  /// The blocks of a stage are equal, so one choice fits all.
  Result<AllHandles> chosenHandles(std::uint32_t rows, const Choice& choice) const {
    AllHandles all(m_network.convs);
    std::vector<const ConvLayer*> chosen;
    for (const Layer& layer : m_network.layers)
      if (const auto* const conv = std::get_if<ConvLayer>(&layer)) {
        LayerHandles& handles = all[conv->number];
        MILLRACE_TRY(makeHandles(handles));
        const ConvShape shape = m_network.shapeOf(*conv, rows);
        MILLRACE_TRY(describe(handles, shape));
        const auto alike = std::ranges::find_if(chosen, [&](const ConvLayer* other) {
          return other->toPicture == conv->toPicture && m_network.shapeOf(*other, rows) == shape;
        });
        if (alike != chosen.end()) {
          MILLRACE_TRY(takeOver(all[(*alike)->number], handles));
          continue;
        }
        MILLRACE_TRY(choose(handles, *conv, choice));
        chosen.push_back(conv);
      }
    return all;
  }

  Status takeOver(const LayerHandles& from, LayerHandles& to) const {
    for (Pass LayerHandles::* const each :
         {&LayerHandles::forward, &LayerHandles::backwardData, &LayerHandles::backwardWeights})
      MILLRACE_TRY(
          set(to.*each, (from.*each).algorithm, (from.*each).math, (from.*each).workspace));
    return {};
  }

  Status set(Pass& pass, int algorithm, int math, std::size_t workspace) const {
    pass.algorithm = algorithm;
    pass.math = math;
    pass.workspace = workspace;
    return ok(m_calls.setMath(pass.convolution.get(), math), "cudnnSetConvolutionMathType");
  }

  Status choose(LayerHandles& layer, const ConvLayer& conv, const Choice& choice) const {
    cudnn::Handle handle = m_handle.get();
    const ConvMemory& memory = m_memory[conv.number];
    void* const workspace = m_workspace.data();
    const std::size_t bytes = choice.bytes;
    MILLRACE_TRY(chooseOf(
        choice, layer.forward, "cudnnFindConvolutionForwardAlgorithmEx",
        "cudnnGetConvolutionForwardAlgorithm_v7",
        [&](cudnn::Convolution convolution, int asked, int* given, cudnn::Algorithm* algorithms) {
          return m_calls.findForward(handle, layer.in.get(), memory.in, layer.weights.get(),
                                     memory.weights, convolution, layer.out.get(), memory.out,
                                     asked, given, algorithms, workspace, bytes);
        },
        [&](cudnn::Convolution convolution, int asked, int* given, cudnn::Algorithm* algorithms) {
          return m_calls.forwardAlgorithms(handle, layer.in.get(), layer.weights.get(), convolution,
                                           layer.out.get(), asked, given, algorithms);
        }));
    MILLRACE_TRY(chooseOf(
        choice, layer.backwardWeights, "cudnnFindConvolutionBackwardFilterAlgorithmEx",
        "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
        [&](cudnn::Convolution convolution, int asked, int* given, cudnn::Algorithm* algorithms) {
          return m_calls.findWeights(handle, layer.in.get(), memory.in, layer.out.get(),
                                     memory.outGradient, convolution, layer.weights.get(),
                                     memory.weightGradient, asked, given, algorithms, workspace,
                                     bytes);
        },
        [&](cudnn::Convolution convolution, int asked, int* given, cudnn::Algorithm* algorithms) {
          return m_calls.weightAlgorithms(handle, layer.in.get(), layer.out.get(), convolution,
                                          layer.weights.get(), asked, given, algorithms);
        }));
    if (conv.toPicture) return {};
    return chooseOf(
        choice, layer.backwardData, "cudnnFindConvolutionBackwardDataAlgorithmEx",
        "cudnnGetConvolutionBackwardDataAlgorithm_v7",
        [&](cudnn::Convolution convolution, int asked, int* given, cudnn::Algorithm* algorithms) {
          return m_calls.findData(handle, layer.weights.get(), memory.weights, layer.out.get(),
                                  memory.outGradient, convolution, layer.in.get(),
                                  memory.inGradient, asked, given, algorithms, workspace, bytes);
        },
        [&](cudnn::Convolution convolution, int asked, int* given, cudnn::Algorithm* algorithms) {
          return m_calls.dataAlgorithms(handle, layer.weights.get(), layer.out.get(), convolution,
                                        layer.in.get(), asked, given, algorithms);
        });
  }

  /// Tries algorithms if requested and possible, else takes those that cuDNN expects to be fastest.
  template <class Find, class Ask>
  Status chooseOf(const Choice& choice, Pass& pass, const char* finding, const char* asking,
                  const Find& find, const Ask& ask) const {
    if (choice.tries && take(pass, choice.bytes, finding, find)) return {};
    return take(pass, choice.bytes, asking, ask);
  }

  /// Takes the first of the algorithms in cuDNN's order (fastest first) that works and fits.
  template <class Ask>
  Status take(Pass& pass, std::size_t bytes, const char* name, const Ask& ask) const {
    std::array<cudnn::Algorithm, 16> algorithms{};
    int given = 0;
    MILLRACE_TRY(ok(
        ask(pass.convolution.get(), static_cast<int>(algorithms.size()), &given, algorithms.data()),
        name));
    for (int i = 0; i < given; ++i) {
      const cudnn::Algorithm& algorithm = algorithms[static_cast<std::size_t>(i)];
      if (algorithm.status != cudnn::kSuccess || algorithm.memory > bytes) continue;
      return set(pass, algorithm.algorithm, algorithm.math, algorithm.memory);
    }
    return Error{fmt::format("{}: none of {} algorithms works in {} bytes", name, given, bytes)};
  }

  const std::shared_ptr<const CudnnLibrary> m_library;
  const cudnn::Functions& m_calls;
  Device& m_device;
  Stream& m_stream;
  const Network& m_network;
  const DType m_dtype;
  const std::vector<ConvMemory> m_memory;  ///< indexed by ConvLayer::number
  Owned<cudnn::Handle> m_handle;
  std::map<std::uint32_t, AllHandles> m_kept;  ///< by number of rows
  const AllHandles* m_layers = nullptr;        ///< those of m_rows
  std::uint32_t m_rows = 0;
  DeviceBuffer m_workspace;
};

}  // namespace

std::string whyNotCudnn(const DeviceFacts& device, DType dtype) {
  // "cuDNN Support Matrix": bfloat16 needs Ampere.
  constexpr int kFirstWithBf16 = 8;
  if (dtype != DType::BF16 || device.major == 0 || device.major >= kFirstWithBf16) return {};
  return fmt::format("cuDNN supports bf16 from compute capability {}.0 on, but {} has {}.{}",
                     kFirstWithBf16, device.text(), device.major, device.minor);
}

Result<std::unique_ptr<Convolutions>> cudnnConvolutions(std::shared_ptr<const CudnnLibrary> library,
                                                        Device& device, Stream& stream,
                                                        const Network& network, DType dtype,
                                                        std::vector<ConvMemory> memory) {
  auto made = std::make_unique<CudnnConvolutions>(std::move(library), device, stream, network,
                                                  dtype, std::move(memory));
  MILLRACE_TRY(made->open());
  return std::unique_ptr<Convolutions>(std::move(made));
}

}  // namespace millrace
