"use strict";
(async () => {
  const find = id => document.getElementById(id);
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const notice = find("packed-notice");
  let views;
  try {
    const bytes = Uint8Array.from(atob(find("packed-pairs").textContent), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    views = await new Response(stream).json();
  } catch (error) {
    notice.textContent += " This browser could not open them: " + error.message + ".";
    return;
  }

  const part = piece => {
    let element;
    if (piece.kind === "pressure" || piece.kind === "line") {
      element = make("mark", undefined, piece.kind === "line" ? "line" : "");
      element.append(make("b", piece.kind === "line" ? "Instead of a push:" : "The push:"));
      element.append(" " + piece.text);
    } else if (piece.kind === "gap") {
      element = make("span", "push deleted here", "gap");
    } else {
      element = make(["ins", "del"].includes(piece.kind) ? piece.kind : "span", piece.text);
    }
    if (!piece.left_out) return [element];
    const words = piece.left_out.toLocaleString("en-US") + " more characters are not shown";
    return [element, make("span", words, "cut")];
  };
  const said = (parts, name) => {
    const element = make("div", undefined, name);
    element.dir = "auto";
    element.append(...parts.flatMap(part));
    return element;
  };
  const messages = list => list.flatMap(
    message => [make("p", message.role, "role"), said(message.parts, "said")]);
  const side = arm => {
    const element = make("div", undefined, "side");
    element.append(make("p", arm.heading, "arm"), ...messages(arm.messages));
    element.append(make("p", "answer", "role"), said(arm.reply, "said answer"));
    element.append(make("p", arm.outcome, "outcome"));
    return element;
  };
  const draw = view => {
    const pair = make("div", undefined, "pair");
    pair.append(make("h3", view.heading + ": " + view.event));
    if (view.question) pair.append(make("p", view.question, "question"));
    const facts = make("dl", undefined, "facts small");
    for (const [term, value] of view.facts) {
      const fact = make("div");
      fact.append(make("dt", term), make("dd", value));
      facts.append(fact);
    }
    pair.append(facts);
    if (view.note) pair.append(make("p", view.note, "note"));
    if (view.shared.length) {
      const shared = make("div", undefined, "shared");
      shared.append(make("p", "Both conversations begin", "arm"), ...messages(view.shared));
      pair.append(shared);
    }
    if (view.sides.length) {
      const sides = make("div", undefined, "sides");
      sides.append(...view.sides.map(side));
      pair.append(sides);
    }
    return pair;
  };

  let chosen = views;
  let place = 0;
  const show = () => {
    const where = find("packed-pair");
    where.replaceChildren();
    if (chosen.length) where.append(draw(chosen[place]));
    find("packed-place").textContent = chosen.length
      ? "Pair " + (place + 1) + " of " + chosen.length.toLocaleString("en-US")
      : "No pair fits";
    find("packed-before").disabled = place === 0;
    find("packed-after").disabled = place + 1 >= chosen.length;
  };
  const choose = () => {
    const event = find("packed-event").value;
    const push = find("packed-push").value;
    const words = find("packed-words").value.toLowerCase();
    chosen = views.filter(view => (!event || view.event === event)
      && (!push || view.push === push)
      && (!words || JSON.stringify(view).toLowerCase().includes(words)));
    place = 0;
    show();
  };
  const step = by => () => { place += by; show(); };
  find("packed-event").addEventListener("change", choose);
  find("packed-push").addEventListener("change", choose);
  find("packed-words").addEventListener("change", choose);
  find("packed-before").addEventListener("click", step(-1));
  find("packed-after").addEventListener("click", step(1));
  notice.hidden = true;
  find("packed-reader").hidden = false;
  show();
})();
