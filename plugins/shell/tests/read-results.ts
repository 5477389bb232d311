import type { TestFormat } from './find-runner.ts';
import { readGradle, readMaven } from './read-java.ts';

export type TestFailure = {
  name: string;
  /** as the runner prints it, relative to its folder */
  path?: string;
  line?: number;
  message?: string;
};

/** Absent when the output has no form that is known. */
export type TestResults = {
  counts?: { passed: number; failed: number; skipped: number };
  failures: TestFailure[];
};

const maxFailures = 50;
const maxMessageLength = 500;

type Read = (text: string, lines: readonly string[]) => TestResults;

const readers: Readonly<Record<Exclude<TestFormat, 'other'>, Read>> = {
  vitest: readVitest,
  jest: readJest,
  mocha: readMocha,
  node: readNode,
  pytest: readPytest,
  unittest: readUnittest,
  cargo: readCargo,
  go: readGo,
  maven: readMaven,
  gradle: readGradle,
};

/**
 * Counts and failing tests in the output of a runner. For an unknown runner it takes the form that
 * gives counts.
 */
export function readResults(format: TestFormat, output: string): TestResults {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
  const text = output.replace(/\u001b\[[0-9;]*m/g, '').replaceAll('\r', '');
  const lines = text.split('\n');
  const chosen = format === 'other' ? Object.values(readers) : [readers[format]];
  const all = chosen.map((read) => read(text, lines));
  const found = all.find(({ counts }) => counts !== undefined) ?? { failures: [] };
  const failures = found.failures.slice(0, maxFailures).map((failure) => ({
    ...failure,
    ...(failure.message === undefined
      ? {}
      : { message: failure.message.trim().slice(0, maxMessageLength) }),
  }));
  return { ...found, failures };
}

/** `1 failed | 2 passed` in any order. */
function countsIn(text: string): TestResults['counts'] {
  const of = (words: string) =>
    [...text.matchAll(new RegExp(`(\\d+) (?:${words})\\b`, 'g'))].reduce(
      (sum, match) => sum + Number(match[1]),
      0,
    );
  return {
    passed: of('passed|passing'),
    failed: of('failed|failing|errors?'),
    skipped: of('skipped|pending|ignored|todo|deselected'),
  };
}

function withCounts(summary: string | undefined, failures: TestFailure[]): TestResults {
  if (summary === undefined) return { failures };
  return { counts: countsIn(summary) ?? { passed: 0, failed: 0, skipped: 0 }, failures };
}

function readVitest(_: string, lines: readonly string[]): TestResults {
  const failures: TestFailure[] = [];
  let open: TestFailure | undefined;
  for (const [at, line] of lines.entries()) {
    const failed = /^\s*FAIL\s+(?:\|[^|]+\|\s+)?(.+?)(?: > (.+))?$/.exec(line);
    if (failed !== null) {
      const [, path = '', name] = failed;
      open = { name: name ?? path, path, message: lines[at + 1] ?? '' };
      failures.push(open);
    }
    const place = /^\s*❯ (?:\S+ )?([^\s:]+):(\d+):\d+$/.exec(line);
    if (place === null || open === undefined || open.line !== undefined) continue;
    open.path = place[1] as string;
    open.line = Number(place[2]);
  }
  const summary = lines.findLast((line) => /^\s+Tests\s+.*\(\d+\)/.test(line));
  return withCounts(summary, failures);
}

function readJest(_: string, lines: readonly string[]): TestResults {
  const failures: TestFailure[] = [];
  let open: TestFailure | undefined;
  let file: string | undefined;
  for (const [at, line] of lines.entries()) {
    const suite = /^(?:FAIL|PASS)\s+(\S+)/.exec(line);
    if (suite !== null) [, file] = suite;
    const failed = /^ {2}● (.+)$/.exec(line);
    // The summary at the end repeats them.
    if (failed !== null && !failures.some(({ name }) => name === named(failed[1]))) {
      const message = lines.slice(at + 1).find((next) => next.trim() !== '') ?? '';
      open = { name: named(failed[1]), message, ...(file === undefined ? {} : { path: file }) };
      failures.push(open);
    }
    const place = /^\s+at .*?\(?([^\s()]+):(\d+):\d+\)?$/.exec(line);
    if (place === null || open === undefined || open.line !== undefined) continue;
    if (/node_modules|node:/.test(place[1] as string)) continue;
    open.path = place[1] as string;
    open.line = Number(place[2]);
  }
  const summary = lines.findLast((line) => /^Tests:\s+.*\btotal$/.test(line));
  return withCounts(summary, failures);
}

function named(title = ''): string {
  return title.split(' › ').join(' > ').trim();
}

function readMocha(text: string, lines: readonly string[]): TestResults {
  const counted = /^\s+\d+ passing\b[^\n]*(?:\n\s+\d+ (?:pending|failing))*/m.exec(text)?.[0];
  const details = lines.findLastIndex((line) => /^\s+\d+ failing$/.test(line));
  const failures: TestFailure[] = [];
  if (details < 0) return withCounts(counted, failures);
  for (let at = details + 1; at < lines.length; at += 1) {
    const head = /^\s{2}\d+\) (.+?)(:?)$/.exec(lines[at] ?? '');
    if (head === null) {
      const place = /^\s+at .*?\(?([^\s()]+):(\d+):\d+\)?$/.exec(lines[at] ?? '');
      const open = failures.at(-1);
      if (place !== null && open !== undefined && open.line === undefined) {
        open.path = (place[1] as string).replace(/^file:\/\//, '');
        open.line = Number(place[2]);
      }
      continue;
    }
    const names = [head[1] as string];
    while (head[2] !== ':' && !names.at(-1)?.endsWith(':') && at + 1 < lines.length) {
      at += 1;
      const next = (lines[at] ?? '').trim();
      if (next === '') break;
      names.push(next);
    }
    const message = lines.slice(at + 1).find((line) => line.trim() !== '') ?? '';
    failures.push({ name: names.join(' > ').replace(/:$/, ''), message });
  }
  return withCounts(counted, failures);
}

function readNode(text: string, lines: readonly string[]): TestResults {
  const count = (name: string) =>
    Number(new RegExp(`^(?:#|ℹ) ${name} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  const counts = {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
  const failures: TestFailure[] = [];
  for (const [at, line] of lines.entries()) {
    const place = /^test at (.+):(\d+):\d+$/.exec(line);
    if (place !== null) {
      const name = (lines[at + 1] ?? '').replace(/^✖ /, '').replace(/ \([\d.]+ms\)$/, '');
      failures.push({
        ...{ name, path: place[1] as string, line: Number(place[2]) },
        message: lines[at + 2] ?? '',
      });
    }
    const failed = /^\s*not ok \d+ - (.+?)(?: # .*)?$/.exec(line);
    if (failed === null) continue;
    const detail =
      lines
        .slice(at + 1, at + 12)
        .join('\n')
        .split('...')[0] ?? '';
    // A suite fails with what is in it, and that stands for itself.
    if (/failureType: 'subtestsFailed'/.test(detail)) continue;
    const at2 = /location: '(.+):(\d+):\d+'/.exec(detail);
    const message = /error: (?:'(.*)'|\|-\n\s*(.*))/.exec(detail);
    failures.push({
      name: failed[1] as string,
      ...(at2 === null ? {} : { path: at2[1] as string, line: Number(at2[2]) }),
      ...(message === null ? {} : { message: message[1] ?? message[2] ?? '' }),
    });
  }
  return Number.isNaN(counts.passed) ? { failures } : { counts, failures };
}

function readPytest(_: string, lines: readonly string[]): TestResults {
  const failures: TestFailure[] = [];
  const places = new Map<string, number>();
  let title = '';
  for (const line of lines) {
    const head = /^_{3,} (?:ERROR (?:at setup of|collecting) )?(.+?) _{3,}$/.exec(line);
    if (head !== null) title = head[1] as string;
    const place = /^([^\s:]+\.py):(\d+): /.exec(line);
    // The last one is where it failed.
    if (place !== null && title !== '') places.set(`${place[1]} ${title}`, Number(place[2]));
    const failed = /^(?:FAILED|ERROR) ([^\s:]+)(?:::(\S.*?))?(?: - (.*))?$/.exec(line);
    if (failed === null) continue;
    const [, path = '', name = path, message] = failed;
    const at = places.get(`${path} ${name.replaceAll('::', '.')}`);
    failures.push({
      ...{ name: name.replaceAll('::', ' > '), path },
      ...(at === undefined ? {} : { line: at }),
      ...(message === undefined ? {} : { message }),
    });
  }
  const summary = lines.findLast((line) =>
    /^(?:=+ )?(?:\d+ \w+,? ?)+in [\d.]+s|^no tests ran/.test(line),
  );
  return withCounts(summary, failures);
}

function readUnittest(text: string, lines: readonly string[]): TestResults {
  const failures: TestFailure[] = [];
  let open: TestFailure | undefined;
  for (const line of lines) {
    const head = /^(?:FAIL|ERROR): (\S+)(?: \((.+)\))?$/.exec(line);
    if (head !== null) {
      open = { name: head[2] ?? (head[1] as string) };
      failures.push(open);
    }
    const place = /^ {2}File "(.+)", line (\d+), in /.exec(line);
    if (place !== null && open !== undefined) {
      open.path = place[1] as string;
      open.line = Number(place[2]);
    }
    if (open?.line !== undefined && open.message === undefined && /^\w[\w.]*(?::|$)/.test(line)) {
      open.message = line;
    }
  }
  const ran = /^Ran (\d+) tests? in/m.exec(text)?.[1];
  if (ran === undefined) return { failures };
  const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const skipped = count('skipped');
  return { counts: { passed: Number(ran) - failed - skipped, failed, skipped }, failures };
}

function readCargo(text: string, lines: readonly string[]): TestResults {
  const sums = [...text.matchAll(/^test result: .*$/gm)].map(([line]) => line).join('\n');
  const failures = lines.flatMap((line): TestFailure[] => {
    const name = /^test (.+?) \.\.\. FAILED$/.exec(line)?.[1];
    if (name === undefined) return [];
    const at = lines.findIndex((each) => each.startsWith(`thread '${name}'`));
    const place = /panicked at (?:'.*', )?([^\s:]+):(\d+):\d+/.exec(lines[at] ?? '');
    return [
      {
        name,
        ...(place === null ? {} : { path: place[1] as string, line: Number(place[2]) }),
        ...(at < 0 ? {} : { message: lines[at + 1] ?? '' }),
      },
    ];
  });
  return withCounts(
    sums === '' ? undefined : sums.replace(/; \d+ (?:measured|filtered)/g, ''),
    failures,
  );
}

/** Paths of Go are relative to their package; the package is put in front when its line comes. */
function readGo(_: string, lines: readonly string[]): TestResults {
  const results = new Map<string, 'PASS' | 'FAIL' | 'SKIP'>();
  const failures: TestFailure[] = [];
  const told = new Map<string, { path: string; line: number; message: string }>();
  let packageStart = 0;
  let running = '';
  let sawPackage = false;
  for (const line of lines) {
    running = /^=== (?:RUN|CONT|NAME)\s+(\S+)/.exec(line)?.[1] ?? running;
    const said = /^\s+([\w.-]+\.go):(\d+): (.*)$/.exec(line);
    if (said !== null && !told.has(running)) {
      const [, path = '', number, message = ''] = said;
      told.set(running, { path, line: Number(number), message });
    }
    const done = /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line);
    if (done !== null) {
      results.set(`${packageStart} ${done[2]}`, done[1] as 'PASS');
      if (done[1] === 'FAIL')
        failures.push({ name: done[2] as string, ...told.get(done[2] as string) });
    }
    const ended = /^(?:ok|FAIL)\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[)/.exec(line);
    if (ended === null) continue;
    sawPackage = true;
    for (const failure of failures.slice(packageStart)) {
      if (failure.path !== undefined) failure.path = `${ended[1]}/${failure.path}`;
    }
    if (line.startsWith('FAIL') && failures.length === packageStart) {
      failures.push({ name: ended[1] as string, message: line });
    }
    packageStart = failures.length;
    told.clear();
  }
  if (!sawPackage) return { failures };
  const names = [...results.keys()];
  const isLeaf = (name: string) => !names.some((other) => other.startsWith(`${name}/`));
  const count = (state: string) =>
    [...results].filter(([name, result]) => result === state && isLeaf(name)).length;
  return {
    counts: { passed: count('PASS'), failed: count('FAIL'), skipped: count('SKIP') },
    failures: failures.filter(
      ({ name }) => !failures.some((other) => other.name.startsWith(`${name}/`)),
    ),
  };
}
