// Steps through a game and returns what overlaps at every so many moves and arrows. On a map, names, pieces and
// the label of an arrow are compared by their boxes, the line of an arrow by points along it. Of a game
// without a map, the players' cards are compared.
async ([every, arrowsEvery]) => {
  const svg = document.querySelector("svg.map");
  const ON_MAP = ".place text:not(.piece text), .piece, .arrow-label, .edge-names text";
  const ON_MATS = "#mats :is(.card, .pile > .chip, .of, h2, h3)";
  // What is seen of a card: some of a pile may have to be scrolled into view.
  const seen = (element) => {
    const { left, right, top, bottom, width } = element.getBoundingClientRect();
    const around = element.closest(".pile")?.getBoundingClientRect();
    return around ? { left, right, top: Math.max(top, around.top), bottom: Math.min(bottom, around.bottom), width } : { left, right, top, bottom, width };
  };
  const shown = (element) => ({
    text: (element.querySelector?.("title") ?? element).textContent,
    place: element.closest(".place, .hand")?.getAttribute("data-ref") ?? element.getAttribute("class"),
    box: seen(element),
  });
  const touching = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const found = [];
  const smallest = { text: "", pixels: Infinity };
  let looked = 0;
  const lookAtArrow = (moment, parts) => {
    const line = svg.querySelector(".arrow-line");
    if (!line) {
      return;
    }
    const matrix = line.getScreenCTM();
    const half = (Number(line.getAttribute("stroke-width")) / 2) * matrix.a;
    for (let part = 0; part <= 20; part += 1) {
      const { x, y } = line.getPointAtLength((line.getTotalLength() * part) / 20).matrixTransform(matrix);
      const spot = { left: x - half, right: x + half, top: y - half, bottom: y + half };
      for (const { place, text, box } of parts) {
        if (place !== "arrow-label" && touching(spot, box)) {
          found.push([moment, "arrow", part, place, text].join(" | "));
        }
      }
    }
  };
  const lookAtMap = (moment, parts) => {
    lookAtArrow(moment, parts);
    for (const text of svg.querySelectorAll(":scope text:not(.piece text)")) {
      const pixels = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
      // The scale of a text that stands upright is its other entry.
      const size = pixels || parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().b);
      if (size < smallest.pixels) {
        Object.assign(smallest, { text: text.textContent, pixels: size });
      }
    }
    const frame = svg.getBoundingClientRect();
    for (const { place, text, box } of parts) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        found.push([moment, place, text, "outside"].join(" | "));
      }
    }
  };
  const look = (moment) => {
    looked += 1;
    const all = svg ? svg.querySelectorAll(ON_MAP) : document.querySelectorAll(ON_MATS);
    const parts = [...all].map(shown).filter(({ box }) => box.width > 0);
    parts.forEach((one, number) => {
      for (const other of parts.slice(number + 1)) {
        if (touching(one.box, other.box)) {
          found.push([moment, one.place, one.text, other.place, other.text].join(" | "));
        }
      }
    });
    if (svg) {
      lookAtMap(moment, parts);
    }
  };
  const count = Number(document.getElementById("slider").max);
  let fitted = "";
  let arrows = 0;
  for (let moment = 0; moment <= count; moment += 1) {
    const arrow = Boolean(svg?.querySelector(".arrow-line"));
    arrows += arrow ? 1 : 0;
    if (moment % every === 0 || (arrow && arrows % arrowsEvery === 0)) {
      const { width, height } = (svg ?? document.getElementById("mats")).getBoundingClientRect();
      if (fitted !== `${width} ${height}`) {
        // Names and pieces are fitted to the size of the map with the next frame.
        fitted = `${width} ${height}`;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
      look(moment);
    }
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  }
  return { looked, found, smallest: svg ? smallest : null, over: document.documentElement.scrollWidth - innerWidth };
};
