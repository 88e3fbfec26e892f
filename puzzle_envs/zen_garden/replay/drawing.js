const LEAVES = [["#f7cb2d", "#8a6500"], ["#e87d1c", "#7f3a04"], ["#b5172b", "#560813"]];

// Where the monk is in each state, and how he went through each cell: what the planes do not tell.
function prepare(board, states, actions) {
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
      heading = (now.heading + TURNS[action - board.faces.length] + 4) % 4;
      trails.set(at(start), [now.heading, heading]);
    } else {
      const [row, column, inward] = board.faces[action];
      [start, heading] = [[row, column], inward];
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

function draw(board, cells, scene) {
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
