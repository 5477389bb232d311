import type { TestFailure, TestResults } from './read-results.ts';

/**
 * Surefire's report: a line for each failed test, then what was thrown and the frames of the stack. The last
 * count of each module is that of all its classes, and has no time behind it.
 */
export function readMaven(_: string, all: readonly string[]): TestResults {
  const lines = all.map((line) => line.replace(/^\[(?:ERROR|WARNING|INFO)\] /, ''));
  const failed =
    /^(?:(?<class>[\w.$]+)\.(?<test>\S+) --|(?<oldTest>\S+)\((?<oldClass>[\w.$]+)\)) +Time elapsed: .*<<< (?:FAILURE|ERROR)!/;
  const failures = lines.flatMap((line, at): TestFailure[] => {
    const groups = failed.exec(line)?.groups;
    if (groups === undefined) return [];
    const owner = groups.class ?? groups.oldClass ?? '';
    const name = `${owner}.${groups.test ?? groups.oldTest}`;
    return [failureOf(name, owner, lines.slice(at + 1))];
  });
  const counted = /^Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/;
  const modules = lines.flatMap((line) => {
    const match = counted.exec(line.trimEnd());
    return match === null ? [] : [match.slice(1).map(Number)];
  });
  if (modules.length === 0) return { failures };
  const sum = (...columns: number[]) =>
    modules.reduce(
      (total, row) => total + columns.reduce((all, one) => all + (row[one] ?? 0), 0),
      0,
    );
  const [run, failedCount, skipped] = [sum(0), sum(1, 2), sum(3)];
  const counts = { passed: run - failedCount - skipped, failed: failedCount, skipped };
  return { counts, failures };
}

/** Gradle prints what failed, and counts only when something did. */
export function readGradle(text: string, lines: readonly string[]): TestResults {
  const failures = lines.flatMap((line, at): TestFailure[] => {
    const match = /^(?<class>[\w.$]+)(?: > (?<inner>.+?))? > (?<test>.+) FAILED$/.exec(line);
    if (match?.groups === undefined) return [];
    const owner = match.groups.class ?? '';
    const name = [owner, match.groups.inner, match.groups.test].filter(Boolean).join(' > ');
    const thrown = lines.slice(at + 1).map((next) => next.replace(/^ {4}/, ''));
    const simple = owner.split('.').at(-1)?.split('$')[0];
    const frame = new RegExp(`(?:^| )at (${simple}\\.(?:java|kt|groovy|scala)):(\\d+)`);
    const place = frame.exec(thrown.slice(0, 3).join('\n'));
    const message = (thrown[0] ?? '').replace(/ at [\w$]+\.\w+:\d+$/, '');
    return [{ ...{ name, message }, ...placeOf(place, owner) }];
  });
  const ended = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/m.exec(text);
  if (ended === null) return { failures };
  const [run = 0, failed = 0, skipped = 0] = ended.slice(1).map((digits) => Number(digits ?? 0));
  return { counts: { passed: run - failed - skipped, failed, skipped }, failures };
}

/** @param owner the class, with its package */
function failureOf(name: string, owner: string, after: readonly string[]): TestFailure {
  const end = after.findIndex((line) => line.trim() === '');
  const thrown = end < 0 ? after : after.slice(0, end);
  const frame = /^\s+at (?:[\w.-]+\/)?([\w.$]+)\.[\w$<>]+\((\w+\.\w+):(\d+)\)/;
  const own = thrown.map((line) => frame.exec(line)).find((match) => match?.[1] === owner);
  const place = own === undefined || own === null ? null : [own[0], own[2] ?? '', own[3] ?? ''];
  return { ...{ name, message: thrown[0] ?? '' }, ...placeOf(place, owner) };
}

/** The file below the folder of sources: what is printed has no more than its name. */
function placeOf(place: readonly string[] | null, owner: string): { path?: string; line?: number } {
  if (place === null) return {};
  const [, file = '', line] = place;
  return { path: [...owner.split('.').slice(0, -1), file].join('/'), line: Number(line) };
}
