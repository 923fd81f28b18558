# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The Python package with its batches on a device, or in pinned memory.

Takes MILLRACE_LIBRARY from the environment; needs NumPy alone.
"""

import os
import tempfile
import unittest
from pathlib import Path

from shared import copies, document, finish, np, pictures, same

import millrace
import millrace._dlpack
import millrace._library


class OnADevice(unittest.TestCase):
    """The emulated device: host memory, which DLPack reports as CPU memory."""

    def setUp(self):
        os.environ["MILLRACE_BACKEND"] = "emulated"
        self.addCleanup(os.environ.pop, "MILLRACE_BACKEND")

    def test_batches_are_those_of_the_host(self):
        for dtype in ("f32", "bf16"):
            with millrace.Loader(pictures(dtype=dtype)) as host, millrace.Loader(
                pictures(dtype=dtype), device="cuda"
            ) as device:
                self.assertEqual((host.device, device.device), ("cpu", "cuda:0"))
                self.assertIn("`transfer` was inserted before `drain`", "".join(device.warnings))
                for _ in range(2):
                    for a, b in zip(host, device):
                        self.assertTrue(all(isinstance(b[name], millrace.DeviceArray) for name in b))
                        self.assertTrue(same(a, {name: b[name].numpy() for name in b}))
                device.load_state_dict(host.state_dict())
                self.assertEqual(next(iter(device)).epoch, 2)

    def test_an_array_of_dlpack_is_the_batch_and_keeps_it(self):
        loader = millrace.Loader(pictures(), device="cuda:0", held=1)
        image = next(iter(loader))["image"]
        self.assertEqual((image.shape, image.nbytes), ((4, 3, 16, 16), 4 * 3 * 16 * 16 * 4))
        self.assertEqual((image.__dlpack_device__(), len(image)), ((1, 0), 4))
        expected = image.numpy()
        array = np.from_dlpack(image)
        self.assertEqual(array.ctypes.data, image._address)
        del image
        for _ in range(3):
            for _ in loader:
                pass
        self.assertTrue(np.array_equal(array, expected))
        loader.close()
        self.assertTrue(np.array_equal(array, expected))

    def test_a_capsule_describes_its_tensor_and_frees_it_if_it_is_not_consumed(self):
        with millrace.Loader(pictures(dtype="bf16"), device="cuda:0", held=0) as loader:
            for batch in loader:
                capsule = batch["image"].__dlpack__(max_version=(1, 0))
                tensor = millrace._dlpack.ManagedTensor.from_address(
                    millrace._dlpack._pointer(id(capsule), b"dltensor")
                )
                self.assertEqual((tensor.code, tensor.bits, tensor.lanes), (4, 16, 1))
                self.assertEqual((tensor.device_type, tensor.device_id, tensor.ndim), (1, 0, 4))
                self.assertEqual(tensor.shape[:4], [batch.rows, 3, 16, 16])
                self.assertEqual(tensor.strides[:4], [768, 256, 16, 1])
                del batch, capsule

    def test_the_consumers_stream_is_told_to_the_engine(self):
        library, told = millrace._library.library(), []
        real = library.millrace_read_on

        def listen(batch, stream):
            told.append(stream)
            return real(batch, stream)

        library.millrace_read_on = listen
        self.addCleanup(setattr, library, "millrace_read_on", real)
        with millrace.Loader(pictures(), device="cuda:0") as loader:
            for batch in loader:
                for stream in (None, -1, 1, 2, 0x5555):
                    batch["image"].__dlpack__(stream=stream)
                batch.read_on(7)
                break
        self.assertEqual(told, [1, 2, 0x5555, 7])
        # None is the legacy default stream where the device has streams.
        told.clear()
        with millrace.Loader(pictures(), device="cuda:0") as loader:
            image = next(iter(loader))["image"]
            image.device = (2, 0)
            image.__dlpack__()
        self.assertEqual(told, [1])

    def test_what_the_protocol_forbids_is_refused(self):
        with millrace.Loader(pictures(), device="cuda:0") as loader:
            image = next(iter(loader))["image"]
            self.assertRaisesRegex(ValueError, "stream 0", image.__dlpack__, stream=0)
            self.assertRaisesRegex(BufferError, "device", image.__dlpack__, dl_device=(2, 1))
            self.assertRaisesRegex(BufferError, "copy", image.__dlpack__, copy=True)
            image.device = (2, 0)
            self.assertRaises(BufferError, image.__dlpack__, dl_device=(1, 0), copy=False)
            self.assertIn("dltensor", repr(image.__dlpack__(dl_device=(1, 0))))

    def test_rows_of_any_size_are_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(3):
                Path(folder, f"{i}.bin").write_bytes(b"x" * (i + 1))
            pipeline = document(
                ("image_folder", {"paths": [folder]}), ("batch", {"size": 3}), "drain"
            )
            with millrace.Loader(pipeline, device="cuda:0") as loader:
                rows = next(iter(loader))["image"]
                self.assertEqual([bytes(np.from_dlpack(row)) for row in rows], [b"x", b"xx", b"xxx"])

    def test_pinned_batches_are_arrays_of_numpy(self):
        with millrace.Loader(pictures()) as host, millrace.Loader(
            pictures(), device="pinned"
        ) as pinned:
            self.assertEqual(pinned.device, "pinned")
            for a, b in zip(host, pinned):
                b.read_on(1)
                self.assertTrue(same(copies(a), copies(b)))

    def test_what_is_not_there_is_refused(self):
        for device, words in (("gpu", "`gpu` is unknown"), ("cuda:7", "no GPU 7")):
            with self.assertRaisesRegex(millrace.PipelineError, words):
                millrace.Loader(pictures(), device=device)
        os.environ["MILLRACE_BACKEND"] = "cpu"
        with self.assertRaisesRegex(millrace.PipelineError, "ordinary memory"):
            millrace.Loader(pictures(), device="cuda")


if __name__ == "__main__":
    finish()
