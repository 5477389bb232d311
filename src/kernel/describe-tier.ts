import type { ConsentEffect } from '../contracts/consent.ts';

/** What holds an effect in when it was allowed, for the person who is asked. */
export function describeTier(
  capability: ConsentEffect['capability'],
  execSandbox: 'os' | 'none',
): string {
  if (capability === 'fs-write') return 'below this root alone; protected names stay out of reach';
  if (capability === 'http') return 'this origin alone; no redirects to others';
  if (execSandbox === 'none') return 'nothing but limits: exec.sandbox is "none"';
  return 'the sandbox for programs of the operating system, or nothing is run';
}
