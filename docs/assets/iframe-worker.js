// Makes search work in pages that are opened as files. Browsers refuse web workers there, so
// the script of the worker runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #waiting = [];
    #frame = document.createElement("iframe");

    constructor(address) {
      super();
      this.#frame.hidden = true;
      this.#frame.srcdoc = "<!doctype html><title>search</title>";
      this.#frame.addEventListener("load", () => this.#start(address), { once: true });
      document.body.append(this.#frame);
    }

    postMessage(data) {
      if (this.#waiting) {
        this.#waiting.push(data);
      } else {
        this.#deliver(data);
      }
    }

    terminate() {
      this.#frame.remove();
    }

    #start(address) {
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => {
        const waiting = this.#waiting;
        this.#waiting = null;
        waiting.forEach((data) => this.#deliver(data));
      });
      inside.document.body.append(script);
    }

    #deliver(data) {
      const inside = this.#frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }
  };
}
