// The list of runs, and the replay of an episode. Texts of the data only ever become text.

const DATA = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);

// --- runs ----------------------------------------------------------------------------------------

const FILTERS = [["by-puzzle", "puzzle", "all puzzles"], ["by-agent", "agent", "all agents"], ["by-status", "status", "all"]];

function makeFilters() {
  for (const [id, key, all] of FILTERS) {
    by(id).append(new Option(all, ""));
    for (const value of new Set(DATA.rows.map((row) => row[key]))) by(id).append(new Option(value, value));
  }
  by("filters").addEventListener("input", listRows);
  by("filters").addEventListener("submit", (event) => event.preventDefault());
}

function listRows() {
  const part = by("by-level").value.toLowerCase();
  const wanted = DATA.rows.filter((row) =>
    FILTERS.every(([id, key]) => by(id).value === "" || row[key] === by(id).value) &&
    row.level.toLowerCase().includes(part));
  by("rows").tBodies[0].replaceChildren(...wanted.map(rowElement));
  by("shown").textContent = `${wanted.length} of ${DATA.rows.length} runs`;
}

function rowElement(row) {
  const element = document.createElement("tr");
  const cell = (text, number) => {
    const place = element.insertCell();
    place.textContent = text ?? "–";
    if (number) place.className = "number";
    return place;
  };
  const count = (value) => cell(value === null ? null : value.toLocaleString("en"), true);
  count(row.row);
  cell(row.puzzle);
  cell(row.level);
  cell(row.agent);
  count(row.seed);
  const status = cell(row.status);
  for (const fault of row.faults) note(status, `✗ ${fault}`, "wrong");
  if (row.error) note(status, row.error, "");
  count(row.moves);
  count(row.best);
  count(row.expanded);
  count(row.generated);
  cell(row.cpu_seconds.toPrecision(3), true);
  const place = element.insertCell();
  if (row.episode === null) {
    place.textContent = row.why ?? "–";
    return element;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Replay";
  button.setAttribute("aria-label", `Replay ${row.agent} on ${row.level}`);
  button.addEventListener("click", () => openReplay(row));
  place.append(button);
  return element;
}

function note(parent, text, kind) {
  const element = document.createElement("span");
  element.className = `why ${kind}`;
  element.textContent = text;
  parent.append(element);
}

// --- replay --------------------------------------------------------------------------------------

let replay = null; // the open episode: its states and where it stands
let timer = null;

function statesOf(board, episode) {
  if (board.cells === undefined) return [board.text, ...episode.steps];
  const states = [board.cells];
  for (const changes of episode.steps) {
    const state = states[states.length - 1].slice();
    for (let index = 0; index < changes.length; index += 2) state[changes[index]] = changes[index + 1];
    states.push(state);
  }
  return states;
}

function openReplay(row) {
  const episode = DATA.episodes[row.episode], board = DATA.boards[episode.board];
  const drawing = DRAWINGS[board.cells === undefined ? "" : board.puzzle] ?? { draw: textDraw };
  const states = statesOf(board, episode);
  const scenes = drawing.prepare ? drawing.prepare(board, states, episode.actions) : [];
  replay = { board, episode, drawing, states, scenes, step: 0 };
  by("replay-title").textContent = `${row.level}: ${row.agent}${row.seed === null ? "" : `, seed ${row.seed}`}`;
  const cut = episode.length > episode.steps.length ? ` Only the first ${episode.steps.length} of ${episode.length} actions are recorded.` : "";
  by("replay-note").textContent = `${row.puzzle}. Solved in ${row.moves} moves, ${episode.length} actions; the fewest known: ${row.best}.${cut}`;
  by("slider").max = states.length - 1;
  show(0);
  by("replay").showModal();
  by("play").focus();
}

function show(step) {
  const { board, drawing, states, scenes, episode } = replay;
  replay.step = Math.max(0, Math.min(step, states.length - 1));
  const here = replay.step;
  const picture = drawing.draw(board, states[here], scenes[here], here ? states[here - 1] : null);
  by("scene").replaceChildren(picture);
  const moves = here ? episode.moves[here - 1] : 0;
  const action = here ? `, action ${episode.actions[here - 1]}` : "";
  by("where").textContent = `Step ${here} of ${states.length - 1}${action}, moves ${moves}`;
  picture.setAttribute("aria-label", `${board.title}, step ${here} of ${states.length - 1}`);
  by("slider").value = here;
  if (here === states.length - 1) pause();
}

function go(step) {
  pause();
  show(step);
}

function play() {
  if (replay.step === replay.states.length - 1) show(0);
  pause();
  if (replay.states.length === 1) return;
  timer = setInterval(() => show(replay.step + 1), 1000 / Number(by("speed").value));
  by("play").textContent = "Pause";
}

function pause() {
  clearInterval(timer);
  timer = null;
  by("play").textContent = "Play";
}

function changeSpeed(steps) {
  const speed = by("speed");
  speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + steps));
  if (timer !== null) play();
}

const KEYS = {
  " ": () => (timer === null ? play() : pause()),
  ArrowLeft: () => go(replay.step - 1),
  ArrowRight: () => go(replay.step + 1),
  Home: () => go(0),
  End: () => go(replay.states.length - 1),
  "+": () => changeSpeed(1),
  "=": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
};

function makeReplay() {
  by("play").addEventListener("click", KEYS[" "]);
  by("back").addEventListener("click", KEYS.ArrowLeft);
  by("forward").addEventListener("click", KEYS.ArrowRight);
  by("first").addEventListener("click", KEYS.Home);
  by("last").addEventListener("click", KEYS.End);
  by("slider").addEventListener("input", () => go(Number(by("slider").value)));
  by("speed").addEventListener("change", () => { if (timer !== null) play(); });
  by("close").addEventListener("click", () => by("replay").close());
  by("replay").addEventListener("close", pause);
  by("replay").addEventListener("keydown", (event) => {
    // A space on a button presses it; arrows in the list of speeds choose one.
    const elsewhere = event.key === " " && event.target.matches("button");
    if (event.target.matches("select") || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    const action = KEYS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

makeFilters();
listRows();
makeReplay();
