// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/metric_spec.h"

#include <algorithm>
#include <array>

namespace millrace {

namespace {

using enum MetricScope;
using enum BetterWhen;

constexpr std::array kRunSpecs = {
    MetricSpec{"samples_per_second", Run, "Samples per second", "samples/s", Higher,
               "Samples that reached the consumer per measured second, without warm-up; mean of "
               "the repeats.",
               "The speed of the loader. A difference of a few percent is noise unless the "
               "interval or a comparison confirms it."},
    MetricSpec{"batches_per_second", Run, "Batches per second", "batches/s", Higher,
               "Batches that reached the consumer per measured second.",
               "Compare it with the steps per second that training needs."},
    MetricSpec{"lockstep_samples_per_second", Run, "Lockstep rate", "samples/s", Higher,
               "In a run with several ranks: number of ranks times the rate of the slowest. Absent "
               "for a single process.",
               "The rate that training can use if every rank waits for the others at each step. "
               "Far below samples per second: one rank holds up the others."},
    MetricSpec{"input_bytes_per_second", Run, "Input rate", "B/s", Higher,
               "Bytes that the source read, in encoded form, per measured second.",
               "Close to the bandwidth of the disk or network: reading is the limit. Far below it: "
               "something downstream of the source is."},
    MetricSpec{"cpu_seconds_per_1000_samples", Run, "CPU time per 1 000 samples", "s", Lower,
               "CPU time of the whole process in the measured span, per 1 000 samples.",
               "The cost of a sample, whatever the number of workers. It rises when threads slow "
               "each other down."},
    MetricSpec{"peak_rss_bytes", Run, "Peak memory", "B", Lower,
               "Largest resident memory of the process (VmHWM).",
               "Close to the memory limit of the machine or container the run may be killed: use "
               "fewer workers, a shorter prefetch or a smaller cache."},
    MetricSpec{"step_share", Run, "Step busy", "share", Higher,
               "Time in the consumer's step divided by the total time; MLPerf calls it accelerator "
               "utilisation. Absent for a drain.",
               "0.95 or more: the loader keeps the accelerator busy. Less: the accelerator waits "
               "for data the rest of the time."},
    MetricSpec{"step_over_nominal", Run, "Step time over nominal", "ratio", Lower,
               "Measured time of an emulated step divided by its nominal time.",
               "1 is right. Above 1.05 the machine was too busy to keep the nominal time."},
    MetricSpec{"training_steps", Run, "Training steps", "", Neither,
               "Training steps in the measured span.",
               "A few steps say little about the time of a step."},
    MetricSpec{"training_forward_ms", Run, "Forward", "ms", Lower,
               "Mean time of the forward pass of a training step, measured by the device's clock.",
               "With the backward pass and the update, this is the time in which the loader must "
               "deliver a batch."},
    MetricSpec{"training_backward_ms", Run, "Backward", "ms", Lower,
               "Mean time of the backward pass of a training step, measured by the device's clock.",
               "About twice the forward pass, because each product has two gradients."},
    MetricSpec{
        "training_update_ms", Run, "Update", "ms", Lower,
        "Mean time of the optimiser's update of a training step, including averaging gradients "
        "over ranks, measured by the device's clock.",
        "High with several ranks: they wait for the slowest rank or for the network between them."},
    MetricSpec{"training_skipped_updates", Run, "Skipped updates", "", Lower,
               "Steps without an update because their gradients were not finite.",
               "A few are normal while the loss scale adapts. Many mean that f16 is not suitable "
               "for this training: use bf16 or f32."},
    MetricSpec{"training_first_loss", Run, "First loss", "", Neither, "Loss of the first step.",
               "Should be close to the logarithm of the number of classes."},
    MetricSpec{"training_loss", Run, "Loss", "", Lower,
               "Loss at the end of the run, averaged over about ten steps.",
               "Below the first loss: the network learns from the batches."},
    MetricSpec{"training_loss_scale", Run, "Loss scale", "", Neither,
               "Factor on the loss that keeps gradients within the range of 16-bit floats; its "
               "value at the end.",
               "Close to 1 in f16: the gradients are too large for it; use bf16 or f32."},
    MetricSpec{
        "wait_p95_ms", Run, "Wait for a batch, p95", "ms", Lower,
        "Time that the consumer waited for a batch: 95 % of the waits of a repeat were at most "
        "this "
        "long. Of a run, the mean of its repeats.",
        "Close to 0: batches are always ready. High with a fast loader: a few slow samples hold up "
        "batches."},
    MetricSpec{
        "read_latency_ms", Run, "Read latency", "ms", Lower,
        "Mean time of reading a sample from the file system.",
        "High: a cold or remote disk. More workers, or reading ahead, make more reads at once."},
    MetricSpec{"major_faults", Run, "Major faults", "", Lower,
               "Memory accesses of the process that waited for storage.",
               "Above 0: mapped files are not in memory, or memory is short."},
    MetricSpec{
        "other_busy_share", Run, "Other programs", "share", Lower,
        "Busy time of the cores without that of this process and of the programs that started it, "
        "divided by the time of all cores.",
        "Above 0.03 the figures of this run are disturbed: measure again on a quiet machine."},
    MetricSpec{
        "steal_share", Run, "Stolen by the host", "share", Lower,
        "Share of time that the host of a virtual machine gave to other guests (steal time).",
        "Above 0.01 the host is shared and the figures vary."},
    MetricSpec{"core_speed_change", Run, "Core speed change", "share", Lower,
               "Difference in the speed of a core between the beginning and the end of a repeat, "
               "as a share of the higher speed.",
               "Above 0.05 the figures are disturbed: temperature, power limits, turbo or other "
               "guests change the speed of the cores."},
    MetricSpec{"core_exchange_change", Run, "Inter-core latency change", "share", Lower,
               "Share of the usual speed that is lost when cores exchange data, at the beginning "
               "or the end of a repeat, whichever is worse; 0.5 means twice the usual latency.",
               "Above 0.65 the figures are disturbed: the host of a virtual machine has placed its "
               "cores far apart."},
    MetricSpec{"throttles", Run, "Thermal throttling", "", Lower,
               "Number of times that the processor slowed its cores down because of heat.",
               "Above 0 the figures are disturbed: let the machine cool down."},
    MetricSpec{"other_disk_share", Run, "Other programs' disk traffic", "share", Lower,
               "Bytes that other programs read from and wrote to the disks, as a share of all disk "
               "traffic, while this process read from storage.",
               "Above 0.2 the figures are disturbed: another program uses the disk."},
    MetricSpec{"shuffle_distance", Run, "Shuffle distance", "ratio", Neither,
               "Mean distance between a sample's place in the source and in the first epoch, "
               "divided by that of a full shuffle.",
               "1 is a full shuffle, 0 the order of the source. Low: samples meet only their "
               "neighbours."},
    MetricSpec{"shuffle_class_run", Run, "Class run", "ratio", Lower,
               "Mean number of samples of one class in a row in the first epoch, divided by that "
               "of a full shuffle. Absent if the classes are not known before samples are read.",
               "1 is a full shuffle. High: the classes come in blocks."},
    MetricSpec{"shuffle_file_run", Run, "File run", "ratio", Neither,
               "Mean number of samples from one file in a row in the first epoch, divided by that "
               "of a full shuffle. Absent if each sample has its own file.",
               "1 is a full shuffle. High: reading is sequential, and neighbours in a file stay "
               "neighbours in a batch."},
    MetricSpec{"shuffle_batch_entropy", Run, "Class entropy of a batch", "ratio", Higher,
               "Shannon entropy of the classes in a batch, mean over the first epoch, divided by "
               "that of a full shuffle.",
               "1 is a full shuffle. Below 0.9 a batch holds clearly fewer classes: shuffle with a "
               "larger window or more files."},
    MetricSpec{"dumped_batches", Run, "Batches written", "", Neither,
               "Number of batches that were written to files while they were measured.",
               "Above 0 the figures are disturbed: the rate includes writing the files."},
    MetricSpec{"page_cache_change", Run, "Page cache change", "share", Lower,
               "Change in the share of the data held by the page cache, from before a repeat to "
               "after it. Determined only if pipelines are measured together.",
               "Above 0.1 the figures are disturbed: part of the data came from storage."},
    MetricSpec{"samples", Run, "Samples", "", Neither,
               "Samples that reached the consumer in the measured spans of all repeats.",
               "With few samples a rate is uncertain."},
    MetricSpec{"batches", Run, "Batches", "", Neither,
               "Batches that reached the consumer in the measured spans of all repeats.",
               "With few batches a rate is uncertain."},
    MetricSpec{"seconds", Run, "Measured time", "s", Neither,
               "Length of the measured spans of all repeats, without warm-up.",
               "In a short time a rate is uncertain."},
    MetricSpec{
        "head_of_line_wait_share", Run, "Waiting for one sample", "share", Lower,
        "Share of time in which finished batches waited for an earlier unfinished one.",
        "High: keeping the order is expensive here; with `order: ready` batches would not wait."},
    MetricSpec{"slot_wait_share", Run, "Waiting for a free slot", "share", Lower,
               "Share of the workers' time spent waiting for a free batch slot.",
               "High: the consumer is the limit, and the workers are faster."},
    MetricSpec{"failed_samples", Run, "Failed samples", "", Lower,
               "Samples that could not be read or decoded and were skipped. For a run each sample "
               "counts once, including warm-ups; for a repeat those of its measured span count.",
               "Each is listed with its reason. The run ends when its limit is exceeded."},
    MetricSpec{"failed_busy_seconds", Run, "Time lost on failed samples", "s", Lower,
               "Busy time spent on samples that failed later.",
               "High: remove the broken files from the data."},
};

constexpr std::array kNodeSpecs = {
    MetricSpec{"node.items", Node, "Items", "", Neither,
               "Samples, or batches after a batch node, that the node passed on. Exact.",
               "Nodes of a chain differ only by items in progress, repeated or failed."},
    MetricSpec{"node.bytes_in", Node, "Bytes in", "B", Neither, "Bytes that the node received.",
               "Compare with bytes out to see whether a node enlarges the data: a decoder often "
               "does so tenfold."},
    MetricSpec{"node.bytes_out", Node, "Bytes out", "B", Neither, "Bytes that the node passed on.",
               "A cache at this point would have to hold as many."},
    MetricSpec{"node.busy_seconds", Node, "Busy", "s", Lower,
               "Time inside the node over all threads, extrapolated from one item in N. Waiting "
               "for the disk is included.",
               "The node with the most busy time is the one worth making faster."},
    MetricSpec{
        "node.cpu_seconds", Node, "CPU time", "s", Lower,
        "CPU time of the node's threads, in proportion to the node's share of their busy time.",
        "Far below busy: the node waits for a disk, a lock or a core."},
    MetricSpec{
        "node.mean_ms", Node, "Mean time", "ms", Lower, "Busy time per item.",
        "Multiplied by the items per second it gives the number of cores that the node needs."},
};

constexpr std::array kQueueSpecs = {
    MetricSpec{
        "queue.capacity", Queue, "Capacity", "", Neither, "Items that the queue can hold.",
        "A longer queue evens out slow items, at the cost of one slot of memory for each batch."},
    MetricSpec{"queue.mean_fill", Queue, "Mean fill", "", Neither,
               "Mean number of items in the queue over time.",
               "Close to the capacity: the downstream side is the limit. Close to 0: the upstream "
               "side is."},
    MetricSpec{"queue.empty_share", Queue, "Empty", "share", Neither,
               "Share of time in which no item could be taken: the queue was empty, or its next "
               "item in order was not finished.",
               "Above 0.8 the stages that fill the queue are too slow."},
    MetricSpec{"queue.full_share", Queue, "Full", "share", Neither,
               "Share of time in which the queue was full.",
               "Above 0.8 the stages that empty the queue are the limit: the loader keeps up."},
};

constexpr std::array kStageSpecs = {
    MetricSpec{
        "stage.cpu_share", Stage, "Thread CPU share", "share", Neither,
        "CPU time of the stage's thread divided by wall time.",
        "1 means a whole core. Low with a busy node: the thread waits for a disk or a lock."},
    MetricSpec{"stage.run_delay_share", Stage, "Waiting for a core", "share", Lower,
               "Share of time in which the thread was ready to run but had no core (schedstat).",
               "High: there are more threads than cores, or other programs use the cores."},
    MetricSpec{
        "stage.outside_nodes_share", Stage, "Outside nodes", "share", Lower,
        "Share of the worker's time outside any node: scheduling, waiting, assembling batches.",
        "High with tiny samples: work on whole batches."},
};

constexpr std::array kMachineSpecs = {
    MetricSpec{
        "machine.core_busy_share", Machine, "Cores busy", "share", Neither,
        "Share of time in which the cores ran anything, for each core and on average (/proc/stat).",
        "Close to 1 with an idle GPU: the CPU is the limit."},
    MetricSpec{
        "machine.other_busy_share", Machine, "Other programs", "share", Lower,
        "Busy time of the cores without that of this process and of the programs that started it, "
        "divided by the time of all cores.",
        "Above 0.03 the figures of this run are disturbed: measure again on a quiet "
        "machine."},
    MetricSpec{
        "machine.steal_share", Machine, "Stolen by the host", "share", Lower,
        "Share of time that the host of a virtual machine gave to other guests (steal time).",
        "Above 0.01 the host is shared and the figures vary."},
    MetricSpec{"machine.iowait_share", Machine, "I/O wait", "share", Lower,
               "Share of time in which a core was idle while a read was pending.",
               "High: reading is the limit; reading ahead or a faster disk helps."},
    MetricSpec{"machine.disk_read_bytes_per_second", Machine, "Disk reads", "B/s", Neither,
               "Bytes that all programs read from the machine's disks, per second "
               "(/proc/diskstats). Each disk counts once, without its partitions.",
               "At the speed of the disk: reading is the limit. 0 while input is read: it comes "
               "from the page cache or a network."},
    MetricSpec{
        "machine.disk_written_bytes_per_second", Machine, "Disk writes", "B/s", Neither,
        "Bytes that all programs wrote to the machine's disks, per second. The kernel writes "
        "some seconds after the program.",
        "High: something writes, such as a disk cache that is being filled. It takes the "
        "disk from the reads."},
    MetricSpec{"machine.network_received_bytes_per_second", Machine, "Network received", "B/s",
               Neither,
               "Bytes that the machine's network interfaces received, per second (/proc/net/dev), "
               "without the loopback.",
               "At the speed of the network: data on another machine is the limit. A copy on a "
               "local disk helps."},
    MetricSpec{"machine.network_sent_bytes_per_second", Machine, "Network sent", "B/s", Neither,
               "Bytes that the machine's network interfaces sent, per second, without the "
               "loopback.",
               "A loader sends little: a high value is another program or the training."},
    MetricSpec{"process.cpu_share", Machine, "Cores used", "cores", Neither,
               "CPU time of the process divided by wall time.",
               "Below the number of workers: they wait for something."},
    MetricSpec{"process.rss_bytes", Machine, "Memory", "B", Lower,
               "Resident memory of the process (VmRSS).",
               "If it keeps growing, a cache has no limit."},
    MetricSpec{"process.read_bytes_per_second", Machine, "Storage reads", "B/s", Neither,
               "Bytes that storage delivered for this process and the programs that it started, "
               "per second (/proc/PID/io).",
               "0 while input is read: everything comes from the page cache. A larger data set or "
               "a freshly started machine will be slower."},
    MetricSpec{"process.read_call_bytes_per_second", Machine, "Bytes read", "B/s", Neither,
               "Bytes that the process read, from the page cache or storage, per second.",
               "Compare with storage reads to see the share of the page cache."},
    MetricSpec{"process.major_faults", Machine, "Major faults", "", Lower,
               "Memory accesses that waited for storage.",
               "Rising: mapped files are not in memory, or memory is short."},
    MetricSpec{"process.involuntary_switches", Machine, "Involuntary switches", "", Lower,
               "Number of times that a thread lost its core although it could have continued.",
               "High: more threads than cores."},
};

constexpr std::array kAcceleratorSpecs = {
    MetricSpec{"accelerator.utilisation", Accelerator, "GPU busy", "share", Higher,
               "Share of time in which a kernel ran on the GPU. Absent without a GPU.",
               "It shows that something ran, not that the GPU was fully used. Close to 0 in "
               "training: the loader is too slow."},
    MetricSpec{"accelerator.memory_utilisation", Accelerator, "GPU memory busy", "share", Neither,
               "Share of time in which GPU memory was read or written. Absent without a GPU.",
               "High: the GPU's memory bandwidth limits the work on the device."},
    MetricSpec{"accelerator.memory_used_bytes", Accelerator, "GPU memory used", "B", Lower,
               "Largest GPU memory held by all processes and the driver together.",
               "Close to the GPU's memory the next batch may not fit: use smaller or fewer slots."},
    MetricSpec{"accelerator.memory_total_bytes", Accelerator, "GPU memory", "B", Neither,
               "Memory of the GPU, or of its instance in Multi-Instance mode.",
               "Batch slots, network and activations share it."},
    MetricSpec{"accelerator.power_watts", Accelerator, "GPU power", "W", Neither,
               "Power drawn by the whole card.",
               "Far below its limit with a busy GPU: kernels are short, or they wait for memory."},
    MetricSpec{"accelerator.power_limit_watts", Accelerator, "GPU power limit", "W", Neither,
               "Power at which the driver reduces the clocks.",
               "With a lower limit the same GPU is slower than in another machine."},
    MetricSpec{"accelerator.sm_clock_mhz", Accelerator, "GPU clock", "MHz", Neither,
               "Clock of the multiprocessors.",
               "It falls when the GPU is idle, too hot or at its power limit."},
    MetricSpec{"accelerator.memory_clock_mhz", Accelerator, "GPU memory clock", "MHz", Neither,
               "Clock of the GPU's memory.", "It falls when the GPU is idle."},
    MetricSpec{"accelerator.throttled_share", Accelerator, "GPU throttled", "share", Lower,
               "Share of the readings in which power, heat or a fault reduced the clocks.",
               "Above 0 the figures depend on cooling and the power limit: compare with care."},
    MetricSpec{"accelerator.temperature_celsius", Accelerator, "GPU temperature", "°C", Lower,
               "Highest temperature of the GPU.",
               "On most cards the clocks begin to fall at about 85 °C."},
    MetricSpec{"accelerator.pcie_rx_bytes_per_second", Accelerator, "PCIe to the GPU", "B/s",
               Neither, "Bytes per second that the card received over its bus, for all processes.",
               "Close to the rate of a pinned copy, the transfer is the limit: send u8."},
    MetricSpec{"accelerator.pcie_tx_bytes_per_second", Accelerator, "PCIe from the GPU", "B/s",
               Neither, "Bytes per second that the card sent over its bus, for all processes.",
               "High: results are copied back that could stay on the device."},
    MetricSpec{"accelerator.decoder_utilisation", Accelerator, "GPU video decoder busy", "share",
               Neither, "Share of time in which the video decoder worked.",
               "Pictures do not use it. Above 0 another program decodes video."},
    MetricSpec{"accelerator.jpeg_utilisation", Accelerator, "GPU JPEG engine busy", "share",
               Neither, "Share of time in which the JPEG engine worked. Absent without one.",
               "Close to 1 it is fully used: leave more of the pictures to the CPU."},
    MetricSpec{"accelerator.other_processes", Accelerator, "Other GPU processes", "", Lower,
               "Largest number of other processes that used the GPU at the same time. Absent "
               "inside a container, where they cannot be seen.",
               "Above 0 the GPU is shared and the figures vary."},
    MetricSpec{
        "accelerator.other_share", Accelerator, "GPU used by others", "share", Lower,
        "Share of time in which kernels of other processes ran. Absent inside a container.",
        "Above 0.03 the repeat counts as disturbed: stop the other programs that use the GPU."},
    MetricSpec{"accelerator.monitor_cpu_share", Accelerator, "GPU monitoring cost", "cores", Lower,
               "CPU time of the thread that reads the GPU's figures, divided by wall time.",
               "Above 0.005 cores the driver is slow to answer, which slows the run down."},
};

constexpr auto kAll = [] {
  std::array<MetricSpec, kRunSpecs.size() + kNodeSpecs.size() + kQueueSpecs.size() +
                             kStageSpecs.size() + kMachineSpecs.size() + kAcceleratorSpecs.size()>
      all{};
  auto at = std::copy(kRunSpecs.begin(), kRunSpecs.end(), all.begin());
  at = std::copy(kNodeSpecs.begin(), kNodeSpecs.end(), at);
  at = std::copy(kQueueSpecs.begin(), kQueueSpecs.end(), at);
  at = std::copy(kStageSpecs.begin(), kStageSpecs.end(), at);
  at = std::copy(kMachineSpecs.begin(), kMachineSpecs.end(), at);
  std::copy(kAcceleratorSpecs.begin(), kAcceleratorSpecs.end(), at);
  return all;
}();

}  // namespace

std::span<const MetricSpec> metricSpecs() { return kAll; }

const MetricSpec* findMetric(std::string_view id) {
  const auto found = std::ranges::find(kAll, id, &MetricSpec::id);
  return found == kAll.end() ? nullptr : &*found;
}

std::string_view nameOf(MetricScope scope) {
  switch (scope) {
    case Run: return "run";
    case Node: return "node";
    case Queue: return "queue";
    case Stage: return "stage";
    case Machine: return "machine";
    case Accelerator: return "accelerator";
  }
  return "";
}

}  // namespace millrace
