// The console's script: keys, leads that appear by themselves, and forms that are checked while they are typed. Every page works without it.
"use strict";

const home = document.body.dataset.home;
const keys = document.querySelector("dialog.keys");
let afterG = -Infinity; // when g was pressed

const typing = (element) => element.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

// move goes to another row of the list.
function move(step) {
  const rows = [...document.querySelectorAll("[data-rows] tbody tr")];
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.classList.contains("at"));
  const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  rows[at]?.classList.remove("at");
  next.classList.add("at");
  const link = next.querySelector("a");
  link?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || keys.open) return;
  if (event.timeStamp - afterG < 1500 && event.key !== "g") {
    afterG = -Infinity;
    const link = document.querySelector(`nav [data-key="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
    return;
  }
  switch (event.key) {
    case "g": afterG = event.timeStamp; break;
    case "j": move(1); break;
    case "k": move(-1); break;
    case "?": keys.showModal(); break;
    case "/":
      event.preventDefault();
      document.getElementById("menu").checked = true;
      document.getElementById("find").focus();
      break;
    case "Enter": {
      const row = document.querySelector("tr.at[data-href]");
      if (row && event.target === document.body) location.assign(row.dataset.href);
    }
  }
});

const button = document.querySelector(".keys-button");
button.hidden = false;
button.addEventListener("click", () => keys.showModal());

// What is shown only once can be copied.
const copy = document.querySelector(".copy");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copy.previousElementSibling.textContent);
    copy.textContent = "Copied";
  });
}

// A form that was sent is not sent again by a second click.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

// What was done is said once: not after the way back, and not after a reload.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  for (const name of ["done", "form"]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
}

// refresh takes over the figures of the page after it was opened, while leads come in, and until the last is counted: that is done every
// 15 seconds.
let refreshing, left;
function refresh() {
  left = 4;
  refreshing ??= setInterval(async () => {
    if (--left === 0) {
      clearInterval(refreshing);
      refreshing = undefined;
    }
    const answer = document.hidden ? undefined : await fetch(location.href).catch(() => undefined);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-fresh]")) {
      const fresh = page.querySelector(`[data-fresh="${CSS.escape(part.dataset.fresh)}"]`);
      if (fresh && !part.contains(document.activeElement) && !part.querySelector("details[open]")) part.replaceWith(fresh);
    }
  }, 6000);
}

// listen hears what happens while the page is open, and leaves it when the session has ended elsewhere. A hidden page has no connection.
function listen(leave, update) {
  let stream, again;
  const connect = () => {
    clearTimeout(again);
    stream?.close();
    stream = undefined;
    if (document.hidden) return;
    stream = new EventSource(home + "/live"); // it reconnects by itself, but not after an error of a proxy
    if (update) stream.addEventListener("leads", update);
    stream.addEventListener("signed-out", leave);
    stream.addEventListener("error", (event) => {
      if (event.target.readyState === EventSource.CLOSED) again = setTimeout(connect, 5000);
    });
  };
  document.addEventListener("visibilitychange", connect);
  connect();
}

// follow shows new leads as they come.
function follow(table) {
  const body = table.tBodies[0];
  const most = Math.max(body.rows.length, 15);
  const sent = new WeakMap([...body.rows].map((row) => [row, row.outerHTML])); // without what this page adds to a row
  const update = (event) => {
    const rows = document.createElement("template");
    rows.innerHTML = event.data; // made by the same template as the page
    for (const row of [...rows.content.children].reverse()) {
      const old = body.querySelector(`tr[data-href="${CSS.escape(row.dataset.href)}"]`);
      if (old && sent.get(old) === row.outerHTML) continue;
      sent.set(row, row.outerHTML);
      row.classList.add("new");
      refresh();
      if (!old) {
        body.prepend(row);
      } else { // whoever is at the row stays there
        const focused = old.contains(document.activeElement);
        row.classList.toggle("at", old.classList.contains("at"));
        old.replaceWith(row);
        if (focused) row.querySelector("a")?.focus({ preventScroll: true });
      }
      table.closest(".panel").querySelector(".empty")?.remove();
    }
    while (body.rows.length > most) body.lastElementChild.remove();
  };
  listen(() => location.reload(), update); // to the page on which one signs in again
  refresh(); // a lead that came just before may not be counted yet
}
document.querySelectorAll("table[data-live]").forEach(follow);

// What is shown only now, such as a person, does not stay on the screen without a session. That page cannot be loaded again.
if (document.querySelector("main[data-shown-once]")) listen(() => location.replace(home));

// check shows what the terms in a form would do, and what is wrong with them, while they are typed: what the button Check would show.
function check(form) {
  let timer, asked;
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    try {
      const answer = await fetch(form.dataset.check, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: asked.signal });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("form[data-check]");
      if (!fresh) return; // signed out meanwhile
      form.querySelector(".effect").replaceChildren(...fresh.querySelector(".effect").childNodes);
      for (const field of fresh.querySelectorAll(".field")) {
        const input = field.matches("fieldset") ? field : field.querySelector("[id]:is(input, select, textarea)");
        const here = input && document.getElementById(input.id);
        if (!here || here.type === "checkbox") continue;
        const old = here.closest(".field");
        old.className = field.className;
        for (const name of ["aria-invalid", "aria-describedby"]) {
          input.hasAttribute(name) ? here.setAttribute(name, input.getAttribute(name)) : here.removeAttribute(name);
        }
        old.querySelector(".help")?.remove();
        old.append(...field.querySelectorAll(".help"));
      }
    } catch {
      // The next key asks again.
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300);
  };
  form.addEventListener("input", soon);
  form.addEventListener("focusin", soon, { once: true });
}
document.querySelectorAll("form[data-check]").forEach(check);
