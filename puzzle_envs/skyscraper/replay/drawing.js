function draw(board, cells, _scene, before) {
  const size = board.height;
  const svg = canvas(-CELL, -CELL, (size + 2) * CELL, (size + 2) * CELL);
  const heights = cells.map((cell) => { for (let value = 1; value <= size; value++) if (has(cell, HEIGHTS + value - 1)) return value; return 0; });
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
    add(svg, "text", { x: x + 20, y: y + 27, class: `height${has(cell, GIVEN) ? " given" : ""}${repeated ? " repeated" : ""}` }, value);
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
