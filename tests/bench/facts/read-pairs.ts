import { readFileSync } from 'node:fs';

/** The first half may choose weights and bounds, the second is for the figure that is published. */
export type Half = 'tune' | 'report';
/** `near` is about the same thing and does not answer. */
export type FactPair = { fact: string; question: string; near: string };
export type Unanswered = { question: string; about: 'near' | 'far' };

export function readFactHalf(half: Half): FactPair[] {
  return linesOf<FactPair>(`facts-${half}`);
}

export function readUnanswered(half: Half): Unanswered[] {
  return linesOf<Unanswered>(`unanswered-${half}`);
}

export function otherNotes(): string[] {
  return linesOf<{ note: string }>('facts-others').map(({ note }) => note);
}

/** All that is told before any question is asked: 200 notes. */
export function allNotes(): string[] {
  const pairs = [...readFactHalf('tune'), ...readFactHalf('report')];
  return [...pairs.flatMap(({ fact, near }) => [fact, near]), ...otherNotes()];
}

function linesOf<Line>(name: string): Line[] {
  return readFileSync(new URL(`../questions/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
