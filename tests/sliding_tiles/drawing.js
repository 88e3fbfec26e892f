function draw(board, cells) {
  const { height, width } = board;
  const svg = canvas(0, 0, width * CELL, height * CELL);
  cells.forEach((cell, index) => {
    const tile = Math.log2(cell);
    if (!tile) return;
    const x = (index % width) * CELL, y = Math.floor(index / width) * CELL;
    add(svg, "rect", { x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4, rx: 5, fill: "#34699a" });
    add(svg, "text", { x: x + 20, y: y + 27, fill: "#ffffff", "font-size": 20, "text-anchor": "middle" }, tile);
  });
  return svg;
}
