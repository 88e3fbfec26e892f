function draw(board, cells) {
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
