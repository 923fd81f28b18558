# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Samples of a converted set, as each format's own library gives them: dictionaries with `key`,
`label` and `class` where the format has them, and the bytes of each picture."""
import pathlib


def files(target, ending):
    return [str(file) for file in sorted(target.rglob(f"*{ending}"))]


def tfrecord(target):
    """TensorFlow compares the checksums."""
    import tensorflow as tf
    names = {"image/filename": "key", "image/class/label": "label", "image/class/text": "class"}
    for record in tf.data.TFRecordDataset(files(target, ".tfrecord")).as_numpy_iterator():
        sample = {}
        for key, feature in tf.train.Example.FromString(record).features.feature.items():
            value, = feature.int64_list.value or feature.bytes_list.value
            name = names.get(key, key.split("/")[0])
            sample[name] = value.decode() if name in ("key", "class") else value
        yield sample


def webdataset(target):
    import webdataset
    for parts in webdataset.WebDataset(files(target, ".tar"), shardshuffle=False):
        sample = {"key": parts["__key__"]}
        for extension, content in parts.items():
            if extension == "cls":
                sample["label"] = int(content)
            elif not extension.startswith("__"):
                sample[extension.split(".")[0] if "." in extension else "image"] = content
        yield sample


def datum_class():
    """caffe.proto's Datum, for the protobuf library."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    file = descriptor_pb2.FileDescriptorProto(name="datum.proto", package="caffe")
    message = file.message_type.add(name="Datum")
    types = descriptor_pb2.FieldDescriptorProto
    for number, name, kind in ((1, "channels", types.TYPE_INT32), (2, "height", types.TYPE_INT32),
                               (3, "width", types.TYPE_INT32), (4, "data", types.TYPE_BYTES),
                               (5, "label", types.TYPE_INT32), (7, "encoded", types.TYPE_BOOL)):
        message.field.add(name=name, number=number, type=kind, label=types.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("caffe.Datum"))


def values(folder):
    import lmdb
    with lmdb.open(str(folder), readonly=True, lock=False) as environment:
        with environment.begin() as transaction:
            for key, value in transaction.cursor():
                yield key.decode(), bytes(value)


def lmdb_of_caffe(target):
    """Keys begin with the sample's number; pixels are planes of blue, green and red."""
    import numpy as np
    datum = datum_class()
    for key, value in values(target):
        found = datum.FromString(value)
        image = found.data
        if not found.encoded:
            planes = np.frombuffer(image, np.uint8)
            planes = planes.reshape(found.channels, found.height, found.width)
            image = planes[::-1].transpose(1, 2, 0).tobytes()
        yield {"key": key.split("_", 1)[1], "label": found.label, "image": image}


def lmdb_of_pairs(target):
    """Two databases under the same keys, as basicsr has them."""
    for (key, image), (other, mask) in zip(values(target / "images.lmdb"),
                                           values(target / "masks.lmdb"), strict=True):
        yield {"key": key if key == other else f"{key} and {other}", "image": image, "mask": mask}


def lmdb(target):
    return lmdb_of_caffe(target) if (target / "data.mdb").exists() else lmdb_of_pairs(target)


def hdf5(target):
    import h5py
    for name in files(target, ".h5"):
        with h5py.File(name) as file:
            for row in range(len(file["image"])):
                sample = {field: file[field][row].tobytes() for field in file if field != "label"}
                if "label" in file:
                    sample["label"] = int(file["label"][row])
                    if "classes" in file["label"].attrs:
                        sample["class"] = file["label"].attrs["classes"][sample["label"]].decode()
                yield sample


def numpy(target):
    import numpy as np
    for name in files(target, ".npz"):
        with np.load(name) as file:
            image, label = file["image"], file["label"]
        for row in range(len(label)):
            yield {"label": int(label[row]), "image": image[row].tobytes()}


def mds(target):
    """Pictures are taken as the bytes that they are; the library would decode them."""
    from streaming import LocalDataset
    from streaming.base.format.mds import reader
    decode = reader.mds_decode
    reader.mds_decode = lambda encoding, data: (
        data if encoding in ("jpeg", "png") else decode(encoding, data))
    dataset = LocalDataset(local=str(target))
    for row in range(len(dataset)):
        parts = dataset[row]
        sample = {"key": parts.pop("filename"), **parts}
        for name in sample.keys() - {"key", "label", "class"}:
            sample[name] = bytes(memoryview(sample[name]).cast("B"))
        yield sample


def index_of(file):
    return str(pathlib.Path(file).with_suffix(".idx"))


def recordio(target):
    from mxnet.recordio import MXIndexedRecordIO, unpack
    for file in files(target, ".rec"):
        records = MXIndexedRecordIO(index_of(file), file, "r")
        for key in records.keys:
            head, image = unpack(records.read_idx(key))
            yield {"image": image, "label": int(head.label)}
        records.close()


def recordio_by_dali(target):
    """DALI's reader of MXNet's files. One pipeline a file: it takes one index."""
    from nvidia.dali import fn, pipeline_def

    @pipeline_def(batch_size=1, num_threads=1, device_id=None)
    def records(file):
        image, label = fn.readers.mxnet(path=[file], index_path=[index_of(file)], name="records")
        return image, label

    for file in files(target, ".rec"):
        pipeline = records(file)
        pipeline.build()
        for _ in range(pipeline.epoch_size("records")):
            image, label = pipeline.run()
            yield {"image": image.as_array().tobytes(), "label": int(label.as_array().item())}


def hashes(program, samples):
    """The other way: shards that mosaicml-streaming wrote and hashed, checked by Millrace."""
    import streaming
    kinds = ["sha1", "xxh128", "xxh32", "xxh3_128", "xxh3_64", "xxh64"]
    for compression in (None, "zstd"):
        folder = program.folder / f"hashed-{compression}"
        with streaming.MDSWriter(out=str(folder), columns={"image": "bytes", "label": "int"},
                                 compression=compression, hashes=kinds,
                                 size_limit=1 << 20) as writer:
            for sample in samples:
                writer.write({"image": sample["image"], "label": sample["label"]})
        source = ("mds", {"paths": [str(folder)], "check_hashes": True})
        said = program.convert(source, program.folder / f"checked-{compression}", "tfrecord")
        if isinstance(said, str) or said["samples"] != len(samples):
            raise SystemExit(f"mosaicml's own hashes: {said}")
        shard = max(folder.glob("shard.*"))
        content = bytearray(shard.read_bytes())
        content[len(content) // 2] ^= 1
        shard.write_bytes(content)
        said = program.convert(source, program.folder / f"damaged-{compression}", "tfrecord")
        if "its xxh" not in str(said):
            raise SystemExit(f"a changed shard went unseen: {said}")
        print(f"hashes of mosaicml-streaming {streaming.__version__}, {compression or 'plain'}: "
              f"{len(samples)} samples checked; one byte changed: {said}", flush=True)


# Format, and who reads it where several do: the reader, the packages that it is, and what the
# format has a place for.
FORMATS = {
    "tfrecord": (tfrecord, ["tensorflow-cpu"], ["photos", "masks", "arrays"]),
    "webdataset": (webdataset, ["webdataset"], ["photos", "masks", "arrays"]),
    "lmdb": (lmdb, ["lmdb", "protobuf"], ["photos", "masks", "arrays"]),
    "hdf5": (hdf5, ["h5py"], ["photos", "masks", "arrays"]),
    "numpy": (numpy, ["numpy"], ["arrays"]),
    "mds": (mds, ["mosaicml-streaming"], ["photos", "masks", "arrays"]),
    "recordio": (recordio, ["mxnet"], ["photos"]),
    "recordio by DALI": (recordio_by_dali, ["nvidia-dali-cuda120"], ["photos"]),
}
# Environment: the formats that are read in it.
LIBRARIES = {"libraries": ["tfrecord", "webdataset", "lmdb", "hdf5", "numpy"],
             "mosaicml": ["mds"], "mxnet": ["recordio"], "dali": ["recordio by DALI"]}
