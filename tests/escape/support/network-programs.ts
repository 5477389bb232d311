import { existsSync } from 'node:fs';
import type { Need } from './escape-case.ts';

const programs = ['bwrap', 'socat', 'curl', 'node'];

/** What cases about the network of programs run, and what their sandbox is made of. */
export const networkPrograms = {
  file: programs.join(', '),
  install: 'sudo apt-get install bubblewrap socat curl nodejs',
  isThere: () => programs.every((name) => existsSync(`/usr/bin/${name}`)),
} satisfies Need;
