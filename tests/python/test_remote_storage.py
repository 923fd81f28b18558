# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Data at moto's S3 server and at nginx: the same batches as from the disk, for every format.

moto is installed into a virtual environment in the build folder, with boto3; MILLRACE_TEST_MOTO names a
Python that has both already. Without a network, and without nginx, the tests that need them are skipped.
"""

import getpass
import hashlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

try:
    import numpy as np
    from PIL import Image
except ImportError:
    print("skipped: there is no NumPy or no Pillow (Debian: python3-numpy, python3-pil)")
    sys.exit(77)

MILLRACE = pathlib.Path(os.environ["MILLRACE"])
FORMATS = ("webdataset", "tfrecord", "mds", "recordio", "numpy")
SECRET = "SECRETKEYSECRETKEY"


def python_with_moto():
    """Return a Python that has moto and boto3, or None."""
    if named := os.environ.get("MILLRACE_TEST_MOTO"):
        return named
    folder = MILLRACE.parents[2] / "moto"
    python = folder / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        if subprocess.run([python, "-c", "import moto.server, boto3"], capture_output=True).returncode:
            subprocess.run([python, "-m", "pip", "install", "--quiet", "moto[server]>=5,<6", "boto3"],
                           check=True, timeout=120, capture_output=True)
    except (subprocess.SubprocessError, OSError):
        return None
    return str(python)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(url):
    for _ in range(300):
        try:
            return urllib.request.urlopen(url, timeout=5).read()
        except urllib.error.HTTPError:
            return None
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"nothing answers at {url}")


class RemoteStorage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace-remote-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.data = cls.folder / "data"
        cls.data.mkdir()
        cls.make_photos()
        for form in FORMATS:
            how = ("--resize", "32x32", "--raw") if form == "numpy" else ("--shard-size", "100K")
            cls.run_millrace("convert", cls.data / "photos", cls.data / form, "--to", form, *how)

    @classmethod
    def make_photos(cls):
        """Pictures in class folders, with names that need encoding."""
        random = np.random.default_rng(5)
        for number in range(60):
            to = cls.data / "photos" / f"class {number % 3}" / f"{number:03} ä+%.jpg"
            to.parent.mkdir(parents=True, exist_ok=True)
            size = (40 + number, 90 - number // 2, 3)
            Image.fromarray(random.integers(0, 256, size, dtype=np.uint8)).save(to, quality=90)

    @classmethod
    def environment(cls, **more):
        plain = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
        return plain | {"no_proxy": "*", "HOME": str(cls.folder), "XDG_DATA_HOME": str(cls.folder)} | more

    @classmethod
    def run_millrace(cls, *arguments, env=None, fails=False):
        done = subprocess.run([MILLRACE, *map(str, arguments)], env=env or cls.environment(),
                              capture_output=True, text=True, timeout=200)
        if (done.returncode != 0) != fails:
            raise AssertionError(f"{arguments}: {done.stdout}\n{done.stderr}")
        if SECRET in done.stdout + done.stderr:
            raise AssertionError("a secret is shown")
        return done.stdout + done.stderr

    def batches(self, path, env=None):
        """The digest of what a run of the proposed pipeline delivers."""
        pipeline = self.folder / "p.millrace.json"
        self.run_millrace("inspect", path, "-o", pipeline, "--force", env=env)
        if "://" in str(path):
            self.assertIn(f'"{path}"', pipeline.read_text())
        dump = self.folder / "dump"
        shutil.rmtree(dump, ignore_errors=True)
        self.run_millrace("run", pipeline, "--epochs", 1, "--warmup", 0, "--repeats", 1, "--dump", dump,
                          "--dump-batches", 100, "--seed", 3, env=env)
        digest = hashlib.sha256()
        files = sorted(dump.rglob("*.npy"))
        self.assertTrue(files)
        for file in files:
            digest.update(file.name.encode() + file.read_bytes())
        return digest.hexdigest()

    def test_s3(self):
        python = python_with_moto()
        if python is None:
            self.skipTest("moto cannot be installed")
        port = free_port()
        server = subprocess.Popen([python, "-m", "moto.server", "-p", str(port)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        url = f"http://127.0.0.1:{port}"
        wait_for(url)
        profile = self.folder / ".aws"
        profile.mkdir(exist_ok=True)
        (profile / "credentials").write_text(
            f"[lab]\naws_access_key_id = AKIA\naws_secret_access_key = {SECRET}\n")
        (profile / "config").write_text(f"[profile lab]\nregion = eu-west-1\nendpoint_url = {url}\n")
        env = self.environment(AWS_PROFILE="lab")
        upload = ("import boto3, pathlib, sys\n"
                  f"s3 = boto3.client('s3', endpoint_url='{url}', region_name='eu-west-1')\n"
                  "s3.create_bucket(Bucket='lab', CreateBucketConfiguration="
                  "{'LocationConstraint': 'eu-west-1'})\n"
                  "root = pathlib.Path(sys.argv[1])\n"
                  "for f in root.rglob('*'):\n"
                  "    if f.is_file(): s3.upload_file(str(f), 'lab', str(f.relative_to(root)))\n")
        subprocess.run([python, "-c", upload, self.data], env=env, check=True)
        for form in (*FORMATS, "photos"):
            with self.subTest(form):
                self.assertEqual(self.batches(f"s3://lab/{form}", env), self.batches(self.data / form))
        kept = list((self.folder).rglob("*.millrace.json")) + list(self.folder.rglob("*.db"))
        for file in kept:
            self.assertNotIn(SECRET.encode(), file.read_bytes(), file)
        said = self.run_millrace("inspect", "s3://none/x", env=env, fails=True)
        self.assertIn("there is no bucket `none`", " ".join(said.split()))

    def test_nginx_with_tls(self):
        nginx = os.environ.get("MILLRACE_TEST_NGINX") or shutil.which("nginx")
        if nginx is None or shutil.which("openssl") is None:
            self.skipTest("nginx or openssl is not installed")
        port = free_port()
        place = self.folder / "nginx"
        place.mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", place / "key.pem", "-out", place / "cert.pem"],
                       check=True, capture_output=True)
        (place / "nginx.conf").write_text(f"""
daemon off; user {getpass.getuser()}; pid {place}/pid; error_log {place}/log; worker_processes 1;
events {{}}
http {{
  access_log off;
  client_body_temp_path {place}/b; proxy_temp_path {place}/p; fastcgi_temp_path {place}/f;
  uwsgi_temp_path {place}/u; scgi_temp_path {place}/s;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {place}/cert.pem; ssl_certificate_key {place}/key.pem;
    root {self.data};
  }}
}}""")
        server = subprocess.Popen([nginx, "-p", place, "-c", place / "nginx.conf"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        for _ in range(100):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        url = f"https://localhost:{port}"
        untrusted = self.run_millrace("inspect", f"{url}/mds/index.json", fails=True)
        self.assertIn("certificate is not trusted", " ".join(untrusted.split()))
        env = self.environment(SSL_CERT_FILE=str(place / "cert.pem"))
        self.assertEqual(self.batches(f"{url}/mds/index.json", env), self.batches(self.data / "mds"))
        shard = sorted((self.data / "webdataset").glob("*.tar"))[0]
        self.assertEqual(self.batches(f"{url}/webdataset/{shard.name}?sig=1", env), self.batches(shard))


if __name__ == "__main__":
    if "no libcurl" in subprocess.run([MILLRACE, "doctor"], capture_output=True, text=True).stdout:
        print("skipped: this build has no libcurl")
        sys.exit(77)
    unittest.main()
