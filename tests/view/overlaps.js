// Steps through a game and returns what overlaps on its map at every so many moves. Names, pieces and
// the label of an arrow are compared by their boxes, the line of an arrow by points along it.
async (every) => {
  const svg = document.querySelector("svg.map");
  const shown = (element) => ({
    text: (element.querySelector?.("title") ?? element).textContent,
    place: element.closest(".place")?.getAttribute("data-ref") ?? "arrow",
    box: element.getBoundingClientRect(),
  });
  const touching = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const found = [];
  const smallest = { text: "", pixels: Infinity };
  let looked = 0;
  const look = (moment) => {
    looked += 1;
    const parts = [...svg.querySelectorAll(".name, .piece, .piece-count, .arrow-label")].map(shown);
    parts.forEach((one, number) => {
      for (const other of parts.slice(number + 1)) {
        if (touching(one.box, other.box)) {
          found.push([moment, one.place, one.text, other.place, other.text].join(" | "));
        }
      }
    });
    const line = svg.querySelector(".arrow-line");
    if (line) {
      const matrix = line.getScreenCTM();
      const half = (Number(line.getAttribute("stroke-width")) / 2) * matrix.a;
      for (let part = 0; part <= 20; part += 1) {
        const { x, y } = line.getPointAtLength((line.getTotalLength() * part) / 20).matrixTransform(matrix);
        const spot = { left: x - half, right: x + half, top: y - half, bottom: y + half };
        for (const { place, text, box } of parts) {
          if (place !== "arrow" && touching(spot, box)) {
            found.push([moment, "arrow", part, place, text].join(" | "));
          }
        }
      }
    }
    for (const text of svg.querySelectorAll(":scope text:not(.piece text)")) {
      const pixels = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
      if (pixels < smallest.pixels) {
        Object.assign(smallest, { text: text.textContent, pixels });
      }
    }
    const frame = svg.getBoundingClientRect();
    for (const { place, text, box } of parts) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        found.push([moment, place, text, "outside"].join(" | "));
      }
    }
  };
  const count = Number(document.getElementById("slider").max);
  for (let moment = 0; moment <= count; moment += 1) {
    const arrow = svg.querySelector(".arrow-line") !== null;
    if (moment % every === 0 || arrow) {
      // Names and pieces are fitted to the size of the map with the next frame.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      look(moment);
    }
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  }
  return { looked, found, smallest, over: document.documentElement.scrollWidth - innerWidth };
}
