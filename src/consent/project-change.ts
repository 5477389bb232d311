import type { Config } from '../contracts/config.ts';
import type { Store } from '../contracts/store.ts';

/** Names and capabilities in the note about one change. */
const maxTold = 5;

type ProjectRules = Config['projectRules'];

/**
 * The note about a `cuervo.toml` that differs from the last run's: the changed file counts from
 * this run on.
 *
 * @returns undefined when it is the same, or no earlier run is known
 */
export function projectChange(
  config: Pick<Config, 'workspace' | 'projectRules'>,
  store: Pick<Store, 'getSetting' | 'setSetting'>,
): string | undefined {
  const key = `project-rules:${config.workspace}`;
  const now = config.projectRules;
  const before = store.getSetting(key) as ProjectRules | undefined;
  if (before === undefined && now.digest === '') return undefined;
  if (before?.digest === now.digest) return undefined;
  const { digest, withheld, denied } = now;
  store.setSetting(key, { digest, withheld: [...withheld], denied: [...denied] });
  if (before === undefined) return undefined;
  const what = now.digest === '' ? 'is gone' : 'was changed';
  const told = [
    ...lost('withheld', before.withheld, now.withheld),
    ...lost('denied', before.denied, now.denied),
  ];
  return [
    `cuervo.toml ${what} since the last run here; the change applies from now on`,
    ...told,
  ].join('; ');
}

function lost(word: string, before: readonly string[], now: readonly string[]): string[] {
  const gone = before.filter((each) => !now.includes(each));
  if (gone.length === 0) return [];
  const more = gone.length > maxTold ? ` and ${gone.length - maxTold} more` : '';
  return [`no longer ${word}: ${gone.slice(0, maxTold).join(', ')}${more}`];
}

/**
 * Protections that a person's own configuration switched off, one sentence each: no run goes on in
 * silence without a protection. None of them grants anything.
 */
export function weakSettings({
  execSandbox,
  pluginSandbox,
}: Pick<Config, 'execSandbox' | 'pluginSandbox'>): string[] {
  return [
    ...(execSandbox === 'none'
      ? [
          'exec.sandbox is "none" in config.toml: programs run without a sandbox, so no rule allows one, and each needs a grant or a yes',
        ]
      : []),
    ...(pluginSandbox === 'none'
      ? [
          'plugins.sandbox is "none" in config.toml: plugin processes run without the sandbox of the operating system',
        ]
      : []),
  ];
}
