import type { ChildProcess } from 'node:child_process';
import type { Engine } from '../../../../sdk/build/componentize.ts';

/** A remark of a careful user, and how to fix it. */
export type Finding = { level: 'ok' | 'fix' | 'note'; what: string; fix?: string };

export type CheckOptions = {
  dir: string;
  engine?: Engine | undefined;
  watch: (child: ChildProcess) => void;
  signal: AbortSignal;
};
