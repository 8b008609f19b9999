// `npm run measure:choices`, after a build: how long `Game.choices` takes in Pyodide, at every statement of
// a game of four players. Fails above the limit, or if a statement of the game is not among the legal moves.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startPython, web } from "./python.mjs";

const MOST = 30; // milliseconds at the 95th percentile

const MEASURE = `
from js import altaySpent  # processor time: other programs take none of it
from altay_cli.checking.opening import open_game
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import SectionKind, with_turn_headings

def measure(text):
    (record,) = read_log(text).games
    first = next(s for s in record.sections if s.kind is SectionKind.TURN)
    game = open_game(text, str(first.heading.line))
    times = []
    for section in with_turn_headings(record, game.pack.headings).sections:
        if section.kind is not SectionKind.TURN:
            continue
        for statement in (section.heading, *section.statements):
            began = altaySpent()
            choices = game.choices()
            times.append(altaySpent() - began)
            assert choices and game.complete, statement.text
            game.apply(statement.text)
    return times

measure
`;

globalThis.altaySpent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const python = await startPython();
const measure = python.runPython(MEASURE);
const log = readFileSync(join(web, "../games/four-players.agn"), "utf8");
const times = measure(log).toJs().sort((a, b) => a - b);
const at = (part) => times[Math.min(Math.floor(times.length * part), times.length - 1)];
const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
const [shown, late, most] = [mean, at(0.95), at(1)].map((time) => time.toFixed(1));
console.log(`choices at ${times.length} positions: mean ${shown} ms, 95th percentile ${late} ms, most ${most} ms`);
process.exit(late > MOST ? 1 : 0);
