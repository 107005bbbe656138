// The page works without this script. With it, what is set is set at once, and only the bench is drawn again.
"use strict";
(() => {
  document.documentElement.classList.add("js");

  // The link's token is behind the #, which the browser does not send: the form hands it in.
  const enter = document.getElementById("enter");
  if (enter) {
    if (location.hash.length > 1) {
      enter.elements.token.value = location.hash.slice(1);
      history.replaceState(null, "", "/");
      enter.submit();
    }
    return;
  }

  const status = document.getElementById("status");
  let latest = 0;
  let running = null;

  // draw puts the bench of another page in the place of this one, and keeps the focus, what is unfolded and the place on the page.
  function draw(html, url) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById("bench");
    if (!fresh) { location.reload(); return; }
    const said = (id) => (document.getElementById(id) || {}).textContent;
    const signed = said("signed"), working = said("job");
    const focus = document.activeElement && document.activeElement.id;
    const open = [...document.querySelectorAll("#bench details[open] summary")].map((s) => s.getAttribute("aria-label") || s.textContent);
    const old = new Set([...document.querySelectorAll(".yaml code")].map((c) => c.textContent));
    document.getElementById("bench").replaceWith(fresh);
    document.title = page.title;
    if (url && url !== location.href) history.replaceState(null, "", url);
    for (const s of document.querySelectorAll("#bench summary")) {
      if (open.includes(s.getAttribute("aria-label") || s.textContent)) s.parentElement.open = true;
    }
    for (const c of document.querySelectorAll(".yaml code")) {
      if (!old.has(c.textContent)) c.parentElement.classList.add("new");
    }
    const again = focus && document.getElementById(focus);
    if (again) again.focus({ preventScroll: true });
    const message = document.querySelector("#bench .message");
    const figure = document.getElementById("unique");
    // What became of a click far down the page stands at its top.
    const done = document.getElementById("signed");
    if (done && done.textContent !== signed) done.focus();
    else if (message) message.scrollIntoView({ block: "nearest" });
    else if (document.getElementById("job") && !working) document.getElementById("job").scrollIntoView({ block: "nearest" });
    status.textContent = message ? message.textContent : done && done.textContent !== signed ? done.textContent : figure ? figure.parentElement.querySelector("h2").textContent + ": " + figure.textContent : status.dataset.done;
    watch();
  }

  async function ask(url, options) {
    const mine = ++latest;
    if (running) running.abort();
    running = new AbortController();
    document.body.classList.add("busy");
    try {
      const answer = await fetch(url, { ...options, signal: running.signal, credentials: "same-origin" });
      const html = await answer.text();
      if (mine === latest && answer.redirected && new URL(answer.url).pathname !== location.pathname) { location.assign(answer.url); return; }
      if (mine === latest) draw(html, options && options.method ? undefined : answer.url);
    } catch (e) {
      if (mine === latest && e.name !== "AbortError") status.textContent = status.dataset.lost;
    } finally {
      if (mine === latest) document.body.classList.remove("busy");
    }
  }

  document.addEventListener("submit", (e) => {
    const form = e.target; // of which a control named method or action would take the property's place
    if (form.getAttribute("method") !== "post" || form.hasAttribute("data-whole")) return;
    e.preventDefault();
    post(form.getAttribute("action"), new URLSearchParams(new FormData(form, e.submitter)));
  });

  // A slider moves the number beside it, and sets it when it is let go.
  document.addEventListener("input", (e) => {
    const number = e.target.dataset.for && document.getElementById(e.target.dataset.for);
    if (number) number.value = e.target.value;
    // Who ticks a column means these columns.
    const these = e.target.closest(".known") && e.target.form.querySelector("input[value=these]");
    if (these) these.checked = true;
  });

  // post sends one form at a time: what is asked for meanwhile, the latest of it, is asked of the page that comes of the one before.
  let posting = false;
  let next = null;
  async function post(action, data) {
    if (posting) { next = [action, data]; return; }
    posting = true;
    await ask(action, { method: "POST", body: data });
    posting = false;
    if (!next) return;
    const [again, form] = next;
    next = null;
    const seen = document.querySelector("#bench input[name=seen]");
    if (seen) form.set("seen", seen.value);
    post(again, form);
  }

  document.addEventListener("change", (e) => {
    if (e.target.hasAttribute("data-auto") || e.target.dataset.for) e.target.form.requestSubmit();
  });
  // watch follows a piece of work while it runs.
  let timer = 0;
  function watch() {
    clearTimeout(timer);
    const here = document.getElementById("job");
    if (!here) return;
    timer = setTimeout(async () => {
      try {
        const answer = await fetch("/job", { credentials: "same-origin" });
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("job");
        if (!fresh) { // what is being asked for draws the page anyway, and must not be broken off
          if (!posting) ask(location.href);
          return;
        }
        const now = document.querySelector("#job .progress");
        if (now) now.replaceWith(fresh.querySelector(".progress"));
      } catch (e) { /* the next look says whether it is there */ }
      watch();
    }, 400);
  }
  watch();
  // A page that the browser kept and shows again, as on the way back, may show another policy than the one that stands.
  addEventListener("pageshow", (e) => { if (e.persisted && !posting) ask(location.href); });
})();
