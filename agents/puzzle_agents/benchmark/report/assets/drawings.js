"use strict";
// How the states of each puzzle are drawn. A state is a number for each cell; bit i is plane i of
// the environment's observation, as the manual page of the environment lists them.

const CELL = 40;
const NORTH = 0, EAST = 1, SOUTH = 2, WEST = 3;
const WAYS = [[-1, 0], [0, 1], [1, 0], [0, -1]]; // rows and columns

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function canvas(left, top, width, height) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  svg.setAttribute("role", "img");
  return svg;
}

function has(cell, bit) {
  return Math.floor(cell / 2 ** bit) % 2 === 1;
}

// --- Zen Puzzle Garden ---------------------------------------------------------------------------

const SAND = 1, ROCK = 2, ORNAMENT = 3, LEAF = 4, MONK = 7;
const LEAVES = [["#f7cb2d", "#8a6500"], ["#e87d1c", "#7f3a04"], ["#b5172b", "#560813"]];

// Where the monk is in each state, and how he went through each cell: what the planes do not tell.
function zenPrepare(board, states, actions) {
  const { height, width } = board;
  const inside = ([row, column]) => row >= 0 && row < height && column >= 0 && column < width;
  const beyond = ([row, column], way) => [row + WAYS[way][0], column + WAYS[way][1]];
  const at = ([row, column]) => row * width + column;
  let now = { monk: [height, -1], heading: NORTH, trails: new Map() };
  const scenes = [now];
  actions.forEach((action, step) => {
    const before = states[step], after = states[step + 1];
    if (before.every((cell, index) => cell === after[index])) {
      scenes.push(now);
      return;
    }
    const onSand = inside(now.monk);
    const trails = new Map(now.trails);
    let heading, start;
    if (onSand) {
      start = now.monk;
      heading = (now.heading + [0, 3, 1][action - 2 * (height + width)]) % 4;
      trails.set(at(start), [now.heading, heading]);
    } else {
      [start, heading] = entrance(action, height, width);
    }
    let cell = beyond(start, heading);
    while (inside(cell) && !has(after[at(cell)], MONK + heading)) {
      trails.set(at(cell), [heading, heading]);
      cell = beyond(cell, heading);
    }
    if (inside(cell)) trails.set(at(cell), [heading, heading]);
    // On the path he turns around, towards the garden.
    now = { monk: cell, heading: inside(cell) ? heading : (heading + 2) % 4, trails };
    scenes.push(now);
  });
  return scenes;
}

function entrance(face, height, width) {
  if (face < width) return [[-1, face], SOUTH];
  face -= width;
  if (face < height) return [[face, width], WEST];
  face -= height;
  if (face < width) return [[height, width - 1 - face], NORTH];
  return [[height - 1 - (face - width), -1], EAST];
}

function zenDraw(board, cells, scene) {
  const { height, width } = board;
  const svg = canvas(-CELL - 4, -CELL - 4, (width + 2) * CELL + 8, (height + 2) * CELL + 8);
  const w = width * CELL, h = height * CELL;
  add(svg, "rect", { x: -CELL - 4, y: -CELL - 4, width: w + 2 * CELL + 8, height: h + 2 * CELL + 8, rx: 8, fill: "#748050" });
  for (let row = -1; row <= height; row++) {
    for (let column = -1; column <= width; column++) {
      if (row >= 0 && row < height && column >= 0 && column < width) continue;
      add(svg, "rect", { x: column * CELL + 6, y: row * CELL + 6, width: CELL - 12, height: CELL - 12, rx: 9, fill: "#aba698", opacity: 0.55 });
    }
  }
  add(svg, "rect", { x: -4, y: -4, width: w + 8, height: h + 8, rx: 3, fill: "#74523a" });
  cells.forEach((cell, index) => {
    const x = (index % width) * CELL, y = Math.floor(index / width) * CELL;
    const place = add(svg, "g", { transform: `translate(${x} ${y})` });
    const bare = has(cell, SAND) || has(cell, ROCK) || has(cell, ORNAMENT);
    add(place, "rect", { width: CELL, height: CELL, "shape-rendering": "crispEdges", fill: bare ? "#dcc598" : "#f4ead2" });
    if (bare) speckle(place, index);
    else grooves(place, scene.trails.get(index));
    if (has(cell, ROCK)) {
      add(place, "path", { d: "M5 30 Q3 18 12 11 Q20 3 29 9 Q38 16 36 28 Q33 36 20 36 Q8 37 5 30Z", fill: "#70747b", stroke: "#363942", "stroke-width": 2 });
      add(place, "path", { d: "M12 15 Q19 8 27 13", fill: "none", stroke: "#c2c3c0", "stroke-width": 3, "stroke-linecap": "round" });
    }
    if (has(cell, ORNAMENT)) {
      add(place, "rect", { x: 9, y: 29, width: 22, height: 6, rx: 2, fill: "#17463f" });
      add(place, "rect", { x: 15, y: 15, width: 10, height: 15, fill: "#3f9488" });
      add(place, "path", { d: "M5 16 L20 4 L35 16Z", fill: "#3f9488", stroke: "#17463f", "stroke-width": 2, "stroke-linejoin": "round" });
      add(place, "rect", { x: 17, y: 19, width: 6, height: 7, fill: "#fff3c4" });
    }
    LEAVES.forEach(([fill, stroke], kind) => {
      if (!has(cell, LEAF + kind)) return;
      const leaf = add(place, "g", { transform: `translate(20 20) rotate(${kind * 50 - 50})` });
      add(leaf, "path", { d: "M0 -15 Q11 -5 0 12 Q-11 -5 0 -15Z", fill, stroke, "stroke-width": 1.6 });
      add(leaf, "path", { d: "M0 -11 L0 17", stroke, "stroke-width": 1.6 });
      for (let vein = 0; vein <= kind; vein++) {
        add(leaf, "path", { d: `M-4 ${-6 + vein * 5} L0 ${-2 + vein * 5} L4 ${-6 + vein * 5}`, fill: "none", stroke, "stroke-width": 1.3 });
      }
    });
  });
  monk(svg, scene);
  return svg;
}

function speckle(place, index) {
  for (let grain = 0; grain < 5; grain++) {
    const chance = (index * 7919 + grain * 104729) % 1024;
    add(place, "circle", { cx: 3 + (chance % 34), cy: 3 + (Math.floor(chance / 7) % 34), r: 1, fill: "#8d6f42", opacity: 0.5 });
  }
}

function grooves(place, trail) {
  const look = { fill: "none", stroke: "#bfa574", "stroke-width": 2 };
  if (trail === undefined) {
    for (const y of [10, 20, 30]) add(place, "path", { d: `M0 ${y} q10 -6 20 0 t20 0`, ...look });
    return;
  }
  const [came, went] = trail;
  for (const reach of [8, 20, 32]) {
    if (came === went) {
      const d = came === EAST || came === WEST ? `M0 ${reach} H40` : `M${reach} 0 V40`;
      add(place, "path", { d, ...look });
      continue;
    }
    const sides = [(came + 2) % 4, went]; // the bend turns around the corner between them
    const cx = sides.includes(EAST) ? 40 : 0, cy = sides.includes(SOUTH) ? 40 : 0;
    const right = cx ? -1 : 1, down = cy ? -1 : 1;
    const sweep = right * down > 0 ? 1 : 0;
    add(place, "path", { d: `M${cx + right * reach} ${cy} A${reach} ${reach} 0 0 ${sweep} ${cx} ${cy + down * reach}`, ...look });
  }
}

function monk(svg, scene) {
  const [row, column] = scene.monk;
  const figure = add(svg, "g", { transform: `translate(${column * CELL + 20} ${row * CELL + 20}) rotate(${scene.heading * 90})` });
  add(figure, "path", { d: "M5 2 L5 17 M-5 17 H15 M-5 17 v3 M0 17 v3 M5 17 v3 M10 17 v3 M15 17 v3", fill: "none", stroke: "#46301f", "stroke-width": 2.4 });
  add(figure, "ellipse", { rx: 15, ry: 10, fill: "#3b4a75", stroke: "#1f2845", "stroke-width": 1.6 });
  add(figure, "circle", { cy: -2, r: 9.5, fill: "#dcb96c", stroke: "#8b6a2f", "stroke-width": 1.6 });
  add(figure, "circle", { cy: -2, r: 3, fill: "#8b6a2f" });
  add(figure, "path", { d: "M-5 -13 L0 -19 L5 -13Z", fill: "#1f2845" });
}

// --- Hua Rong Dao --------------------------------------------------------------------------------

const BLOCK = 1, GOAL_PIECE = 2, GOAL = 3, JOINED = 4, LAST = 8, WENT = 9;

function klotskiDraw(board, cells) {
  const { height, width } = board;
  const w = width * CELL, h = height * CELL, rim = 14;
  const svg = canvas(-rim, -rim, w + 2 * rim, h + 2 * rim);
  add(svg, "rect", { x: -rim, y: -rim, width: w + 2 * rim, height: h + 2 * rim, rx: 8, fill: "#46301f" });
  add(svg, "rect", { width: w, height: h, fill: "#a27a58" });
  const goal = around(board, cells, (cell) => has(cell, GOAL));
  if (goal) {
    if (goal.row + goal.height === height) add(svg, "rect", { x: goal.column * CELL, y: h, width: goal.width * CELL, height: rim, fill: "#a27a58" });
    add(svg, "rect", { x: goal.column * CELL + 4, y: goal.row * CELL + 4, width: goal.width * CELL - 8, height: goal.height * CELL - 8, rx: 5, fill: "none", stroke: "#ffe9b0", "stroke-width": 2.5, "stroke-dasharray": "6 5" });
  }
  cells.forEach((cell, index) => {
    if (!has(cell, BLOCK) || has(cell, JOINED) || has(cell, JOINED + 3)) return;
    const row = Math.floor(index / width), column = index % width;
    let wide = 1, high = 1;
    while (has(cells[index + wide - 1], JOINED + 1)) wide++;
    while (has(cells[index + (high - 1) * width], JOINED + 2)) high++;
    drawBlock(svg, { row, column, wide, high }, cell);
  });
  return svg;
}

function drawBlock(svg, { row, column, wide, high }, cell) {
  let fill = "#7d5a9b";
  if (has(cell, GOAL_PIECE)) fill = "#b5172b";
  else if (wide * high === 1) fill = "#e0a83a";
  else if (high > wide) fill = "#34699a";
  else if (wide > high) fill = "#2f8578";
  const moved = has(cell, LAST);
  const block = add(svg, "g", { transform: `translate(${column * CELL} ${row * CELL})` });
  const w = wide * CELL, h = high * CELL;
  add(block, "rect", { x: 2, y: 2, width: w - 4, height: h - 4, rx: 6, fill, stroke: moved ? "#fff3c4" : "#2b2620", "stroke-width": moved ? 3 : 1.5 });
  add(block, "path", { d: `M7 ${h - 9} V9 Q7 7 9 7 H${w - 9}`, fill: "none", stroke: "#ffffff", opacity: 0.45, "stroke-width": 2.5, "stroke-linecap": "round" });
  if (has(cell, GOAL_PIECE)) add(block, "circle", { cx: w / 2, cy: h / 2, r: Math.min(w, h) / 4, fill: "none", stroke: "#f7cb2d", "stroke-width": 4 });
  if (!moved) return;
  const way = [0, 1, 2, 3].find((number) => has(cell, WENT + number));
  if (way === undefined) return;
  add(block, "path", { d: "M-7 4 L0 -5 L7 4", transform: `translate(${w / 2} ${h / 2}) rotate(${way * 90})`, fill: "none", stroke: "#fff3c4", "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" });
}

function around({ height, width }, cells, wanted) {
  const found = [...cells.keys()].filter((index) => wanted(cells[index]));
  if (!found.length) return null;
  const rows = found.map((index) => Math.floor(index / width)), columns = found.map((index) => index % width);
  const row = Math.min(...rows), column = Math.min(...columns);
  return { row, column, height: Math.max(...rows) - row + 1, width: Math.max(...columns) - column + 1 };
}

// --- Kwirk ---------------------------------------------------------------------------------------

const GROUND = 0, EXIT = 1, HOLE = 2, CRATE = 3, GOES_RIGHT = 4, GOES_DOWN = 5, PIVOT = 6, ARM = 7, CHARACTER = 11;
const CHARACTERS = ["#d0342c", "#2e8b57", "#d9a400", "#7a4fb5"];

// Which character is which: the planes only tell who is active, who comes next, and so on.
function kwirkPrepare(board, states) {
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

function kwirkDraw(board, cells, characters) {
  const { height, width } = board;
  const svg = canvas(0, 0, width * CELL, height * CELL);
  const corner = (index) => [(index % width) * CELL, Math.floor(index / width) * CELL];
  cells.forEach((cell, index) => floor(svg, cell, ...corner(index), index, width));
  cells.forEach((cell, index) => {
    if (!has(cell, CRATE)) return;
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
    const covered = has(cell, CRATE) || [0, 1, 2, 3].some((way) => has(cell, ARM + way));
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

// --- Skyscraper ----------------------------------------------------------------------------------

function skyscraperDraw(board, cells, _scene, before) {
  const size = board.height;
  const svg = canvas(-CELL, -CELL, (size + 2) * CELL, (size + 2) * CELL);
  const heights = cells.map((cell) => { for (let value = 1; value <= size; value++) if (has(cell, 1 + value)) return value; return 0; });
  const line = (side, number) => [...Array(size).keys()].map((place) => {
    const along = side === 1 || side === 3 ? size - 1 - place : place;
    return heights[side < 2 ? along * size + number : number * size + along];
  });
  cells.forEach((cell, index) => {
    const row = Math.floor(index / size), column = index % size, x = column * CELL, y = row * CELL;
    const value = heights[index];
    if (value) add(svg, "rect", { x, y, width: CELL, height: CELL, class: "tower", opacity: (0.1 + 0.4 * value / size).toFixed(2) });
    add(svg, "rect", { x, y, width: CELL, height: CELL, class: "grid-line" });
    if (before && before[index] !== cell) add(svg, "rect", { x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, rx: 5, class: "written" });
    if (!value) return;
    const same = (other) => other === value;
    const repeated = line(0, column).filter(same).length > 1 || line(2, row).filter(same).length > 1;
    add(svg, "text", { x: x + 20, y: y + 27, class: `height${has(cell, 1) ? " given" : ""}${repeated ? " repeated" : ""}` }, value);
  });
  board.clues.forEach((clues, side) => clues.forEach((clue, number) => {
    if (!clue) return;
    const seen = line(side, number);
    let tallest = 0, visible = 0;
    for (const value of seen) if (value > tallest) { tallest = value; visible++; }
    const state = seen.includes(0) ? "" : visible === clue ? " met" : " broken";
    const [x, y] = [[number, -1], [number, size], [-1, number], [size, number]][side];
    add(svg, "text", { x: x * CELL + 20, y: y * CELL + 26, class: `clue${state}` }, clue);
  }));
  return svg;
}

// --- any other puzzle ----------------------------------------------------------------------------

function textDraw(_board, text) {
  const element = document.createElement("pre");
  element.textContent = text;
  return element;
}

// prepare: finds out what the states do not tell by themselves; draw: one state as an element.
const DRAWINGS = {
  zen_garden: { prepare: zenPrepare, draw: zenDraw },
  hua_rong_dao: { draw: klotskiDraw },
  kwirk: { prepare: kwirkPrepare, draw: kwirkDraw },
  skyscraper: { draw: skyscraperDraw },
};
