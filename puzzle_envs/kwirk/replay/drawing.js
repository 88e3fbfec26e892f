const CHARACTERS = ["#d0342c", "#2e8b57", "#d9a400", "#7a4fb5"];

// Which character is which: the planes only tell who is active, who comes next, and so on.
function prepare(board, states) {
  let now = places(states[0]).map((place, number) => ({ place, number }));
  const scenes = [now];
  for (const cells of states.slice(1)) {
    const before = new Map(now.map((who) => [who.place, who.number]));
    const there = places(cells);
    const gone = now.filter((who) => !there.includes(who.place)).map((who) => who.number);
    now = there.map((place) => ({ place, number: before.has(place) ? before.get(place) : gone.shift() ?? 0 }));
    scenes.push(now);
  }
  return scenes;
}

function places(cells) {
  return [0, 1, 2, 3].map((order) => cells.findIndex((cell) => has(cell, CHARACTER + order))).filter((place) => place >= 0);
}

function draw(board, cells, characters) {
  const { height, width } = board;
  const svg = canvas(0, 0, width * CELL, height * CELL);
  const corner = (index) => [(index % width) * CELL, Math.floor(index / width) * CELL];
  cells.forEach((cell, index) => floor(svg, cell, ...corner(index), index, width));
  cells.forEach((cell, index) => {
    if (!has(cell, BLOCK)) return;
    if (index % width && has(cells[index - 1], GOES_RIGHT)) return;
    if (index >= width && has(cells[index - width], GOES_DOWN)) return;
    let wide = 1, high = 1;
    while (has(cells[index + wide - 1], GOES_RIGHT)) wide++;
    while (has(cells[index + (high - 1) * width], GOES_DOWN)) high++;
    const [x, y] = corner(index), w = wide * CELL, h = high * CELL;
    add(svg, "rect", { x: x + 2, y: y + 2, width: w - 4, height: h - 4, rx: 5, fill: "#b98a4e", stroke: "#5b3d18", "stroke-width": 2.5 });
    add(svg, "rect", { x: x + 9, y: y + 9, width: w - 18, height: h - 18, rx: 3, fill: "none", stroke: "#7d5828", "stroke-width": 2.5 });
  });
  cells.forEach((cell, index) => {
    WAYS.forEach(([down, right], way) => {
      if (!has(cell, ARM + way)) return;
      const [x, y] = corner(index).map((place) => place + 20);
      for (const [stroke, thick] of [["#173a5e", 17], ["#4a90c8", 12]]) {
        add(svg, "path", { d: `M${x - right * CELL} ${y - down * CELL} L${x + right * 9} ${y + down * 9}`, stroke, "stroke-width": thick, "stroke-linecap": "round" });
      }
    });
  });
  cells.forEach((cell, index) => {
    const [x, y] = corner(index);
    if (has(cell, PIVOT)) add(svg, "circle", { cx: x + 20, cy: y + 20, r: 11, fill: "#e8eef4", stroke: "#173a5e", "stroke-width": 4 });
    const covered = has(cell, BLOCK) || [0, 1, 2, 3].some((way) => has(cell, ARM + way));
    if (has(cell, HOLE) && covered) add(svg, "rect", { x: x + 6, y: y + 6, width: 28, height: 28, rx: 4, fill: "none", stroke: "#14110d", "stroke-width": 3, "stroke-dasharray": "5 4" });
  });
  characters.forEach(({ place, number }, order) => {
    const [x, y] = corner(place).map((edge) => edge + 20);
    if (order === 0) add(svg, "circle", { cx: x, cy: y, r: 17, fill: "#ffffff", stroke: "#14110d", "stroke-width": 2 });
    add(svg, "circle", { cx: x, cy: y, r: 13.5, fill: CHARACTERS[number % 4], stroke: "#14110d", "stroke-width": 2 });
    for (const side of [-5, 5]) {
      add(svg, "circle", { cx: x + side, cy: y - 4, r: 3.6, fill: "#ffffff" });
      add(svg, "circle", { cx: x + side, cy: y - 3, r: 1.8, fill: "#14110d" });
    }
    add(svg, "path", { d: `M${x - 5} ${y + 5} q5 4 10 0`, fill: "none", stroke: "#14110d", "stroke-width": 2 });
  });
  return svg;
}

function floor(svg, cell, x, y, index, width) {
  if (!has(cell, GROUND)) {
    add(svg, "rect", { x, y, width: CELL, height: CELL, "shape-rendering": "crispEdges", fill: "#8d4a3a" });
    add(svg, "path", { d: `M${x} ${y} h40 M${x} ${y + 13} h40 M${x} ${y + 27} h40 M${x + 20} ${y} v13 M${x + 8} ${y + 13} v14 M${x + 30} ${y + 13} v14 M${x + 20} ${y + 27} v13`, stroke: "#5c2c22", "stroke-width": 2 });
    return;
  }
  const dark = (Math.floor(index / width) + (index % width)) % 2;
  add(svg, "rect", { x, y, width: CELL, height: CELL, "shape-rendering": "crispEdges", fill: dark ? "#e3d8c0" : "#ece3cf" });
  if (has(cell, HOLE)) add(svg, "rect", { x: x + 2, y: y + 2, width: 36, height: 36, rx: 5, fill: "#2a2722", stroke: "#8f866f", "stroke-width": 3 });
  if (has(cell, EXIT)) {
    add(svg, "rect", { x, y, width: CELL, height: CELL, fill: "#2f6b3c" });
    add(svg, "path", { d: `M${x + 5} ${y + 34} h9 v-9 h9 v-9 h9 v-9 h4`, fill: "none", stroke: "#f7e9a8", "stroke-width": 4 });
  }
}
