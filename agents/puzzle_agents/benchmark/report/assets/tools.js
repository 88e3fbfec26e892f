"use strict";
// What the drawings of all puzzles are made with. A state is a number for each cell; bit i is plane
// i of the environment's observation, as the manual page of the environment lists them.

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

// Of a puzzle without a drawing a state is text.
function textDraw(_board, text) {
  const element = document.createElement("pre");
  element.textContent = text;
  return element;
}

// By puzzle: `draw` gives one state as an element, `prepare` finds out what states do not tell.
const DRAWINGS = {};
