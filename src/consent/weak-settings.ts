import type { Config } from '../contracts/config.ts';

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
