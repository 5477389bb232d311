import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProjectFile } from '../../config/find-workspace.ts';
import type { OrderFacts } from '../../contracts/questions.ts';
import { once } from '../../lib/memo.ts';
import type { CommandRules } from '../consent/command-rules.ts';

/** The programs that run a project's tasks, by the manifest that names them. */
const runners: readonly (readonly [string, readonly string[]])[] = [
  ['package.json', ['npm', 'npx', 'pnpm', 'yarn']],
  ['Cargo.toml', ['cargo']],
  ['go.mod', ['go']],
  ['pyproject.toml', ['pytest', 'uv', 'poetry', 'pip']],
  ['Gemfile', ['bundle']],
  ['composer.json', ['composer']],
  ['pom.xml', ['mvn']],
  ['build.gradle', ['gradle']],
  ['mix.exs', ['mix']],
];

/** Lines of a manifest that name its tasks. */
const recipes: readonly (readonly [string, string, RegExp])[] = [
  ['Makefile', 'make', /^([A-Za-z][\w-]*)\s*:(?!=)/gm],
  ['justfile', 'just', /^([A-Za-z][\w-]*)[^:=\n]*:(?!=)/gm],
];

/** What orders may name in a workspace; read where an order is looked for. */
export function orderFacts(workspace: string, rules: CommandRules): OrderFacts {
  const has = (name: string) => existsSync(join(workspace, name));
  const tasks = once(() => tasksOf(workspace));
  return {
    get tasks() {
      return tasks();
    },
    isProgram: (name) => rules().some(({ programs }) => programs.has(name)),
    isSubcommand: (program, word) =>
      rules().some(
        ({ programs, shape }) =>
          programs.has(program) && shape.form === 'options' && shape.subcommand[0] === word,
      ),
    isRunner: (program) =>
      runners.some(([manifest, names]) => names.includes(program) && has(manifest)),
    hasPath: (path) => !path.split('/').includes('..') && has(path),
  };
}

function tasksOf(workspace: string): ReadonlyMap<string, string> {
  const tasks = new Map<string, string>();
  const read = (name: string): string => {
    try {
      return readProjectFile(join(workspace, name)) ?? '';
    } catch {
      return ''; // a link or a file without an end names no tasks
    }
  };
  for (const [manifest, program, line] of recipes)
    for (const [, name = ''] of read(manifest).matchAll(line))
      tasks.set(name.toLowerCase(), `${program} ${name}`);
  for (const name of scriptsOf(read('package.json')))
    tasks.set(name.toLowerCase(), `npm run ${name}`);
  return tasks;
}

function scriptsOf(text: string): string[] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    const names = typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
    return names.filter((name) => /^[\w:.-]+$/.test(name) && !name.startsWith('-'));
  } catch {
    return []; // no manifest, or none that can be read
  }
}
