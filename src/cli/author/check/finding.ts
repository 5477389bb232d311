import type { ChildProcess } from 'node:child_process';
import type { Engine } from '../../../../sdk/build/componentize.ts';

/** What a careful user would say, and how to fix it. */
export type Finding = { level: 'ok' | 'fix' | 'note'; what: string; fix?: string };

export type CheckOptions = {
  dir: string;
  engine?: Engine | undefined;
  watch: (child: ChildProcess) => void;
  signal: AbortSignal;
};
