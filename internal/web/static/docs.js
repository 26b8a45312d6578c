// The docs work without this. With it, code can be copied and calls can be sent from the page.
"use strict";

const article = document.querySelector(".article");

for (const pre of article.querySelectorAll("pre:not(.answer)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = article.dataset.copy;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
    } catch {
      getSelection().selectAllChildren(pre); // the reader copies it by hand
      return;
    }
    button.textContent = article.dataset.copied;
    setTimeout(() => { button.textContent = article.dataset.copy; }, 2000);
  });
  const frame = document.createElement("div");
  frame.className = "copyable";
  pre.replaceWith(frame);
  frame.append(pre, button);
}

const consoleBox = document.querySelector(".console");
if (consoleBox) {
  const form = consoleBox.querySelector("form");
  const choice = form.querySelector("select");
  const body = form.querySelector("textarea");
  const status = consoleBox.querySelector("[role=status]");
  const answer = consoleBox.querySelector(".answer");

  const chosen = () => choice.selectedOptions[0].dataset;
  const show = () => {
    body.value = chosen().body;
    body.closest(".field").hidden = chosen().method === "GET";
  };
  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  choice.addEventListener("change", show);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { method, address } = chosen();
    const headers = { Accept: "application/json, text/event-stream" };
    if (method === "POST") headers["Content-Type"] = "application/json";
    status.textContent = status.dataset.sending;
    try {
      const got = await fetch(address, { method, headers, body: method === "POST" ? body.value : undefined, credentials: "omit" });
      answer.firstChild.textContent = pretty(await got.text());
      answer.hidden = false;
      status.textContent = `${got.status} ${got.statusText}`;
    } catch {
      answer.hidden = true;
      status.textContent = status.dataset.failed;
    }
  });

  consoleBox.querySelector(".scriptless").hidden = true;
  form.hidden = false;
  show();
}
