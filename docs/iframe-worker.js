// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The site's search, for pages that are opened as files: browsers refuse to start a Worker there, so
// its script runs in a hidden frame. The theme looks for the name IFrameWorker, and MkDocs would
// otherwise load such a script from another server.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      this.inside = frame.contentWindow;
      this.loaded = new Promise((resolve) => { frame.onload = resolve; });
      this.inside.document.open();
      this.inside.document.write(
        `<!doctype html><script>importScripts = () => {};</script><script src="${url}"></script>`);
      this.inside.document.close();
      this.inside.postMessage = (data) => {
        this.dispatchEvent(new MessageEvent("message", { data }));
      };
    }
    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
  window.Worker = window.IFrameWorker;
}
