import { capabilitiesWhere, capabilityRow } from '../contracts/capabilities.ts';

/**
 * The name under which glue gives what a component exports. An interface with a package keeps its
 * name. A plain one stands there as its bytes in hexadecimal digits: the transpiler makes other
 * names of plain ones, which may be equal, or mean something to JavaScript, and refuses some.
 */
export function exportKey(name: string): string {
  return name.includes(':') ? name : `x${Buffer.from(name).toString('hex')}`;
}

/** The name under which glue takes what a component imports: WASI 0.3 is another package than 0.2. */
export function importKey(name: string): string {
  return /^wasi:.*@0\.3\.\d+$/.test(name) ? name.replace(/^wasi:/, 'wasi3:') : name;
}

/**
 * Two requests of a plugin process that no guest can make: for a sibling's help with a scan, and
 * for what the sibling found.
 */
export const helpCall = 'help.scan';
export const collectCall = 'help.collect';

/** A third one: in which files a walk, scan or tally can find something. */
export const indexCall = 'help.index';

/**
 * Calls that a plugin process makes by itself and reports with its result. Calls without a grant
 * are for people and not for the journal.
 */
export const reportedCalls: readonly string[] = capabilitiesWhere(
  ({ servedBy, grant }) => servedBy === 'process' && grant !== 'none',
).flatMap((name) => namesOf(name, capabilityRow(name).calls));

const byKernel = capabilitiesWhere(({ servedBy }) => servedBy === 'kernel');

/**
 * Calls that the kernel serves and writes into the journal. A process asks for them and cannot
 * tell of them. Our own code alone asks for the `ownCalls` among them.
 */
export const servedCalls: readonly string[] = byKernel.flatMap((name) => {
  const { calls, ownCalls = {} } = capabilityRow(name);
  return namesOf(name, { ...calls, ...ownCalls });
});

/**
 * What the kernel answers in a replay where only the digest of an answer was recorded: the process
 * makes the call again, and asks once more with the SHA-256 of what came of it.
 */
export const makeAgain = 'make-again';

/** Calls of a process that look at many files, and whose answer is often too large to record. */
export const madeAgain: readonly string[] = ['fs.scan', 'fs.walk', 'fs.tally'];

/** Calls that go to other computers, or start what could: they have a rate. */
export const outgoingCalls: readonly string[] = byKernel.flatMap((name) =>
  (capabilityRow(name).outgoing ?? []).map((call) => `${name}.${call}`),
);

/** Calls of which a process may have several under way while its guest goes on. */
export const overlappingCalls: readonly string[] = ['http.send'];

/** Calls that a rehearsal may make: those that read, and those that ask a person first. */
export const rehearsedCalls: readonly string[] = byKernel.flatMap((name) => {
  const { calls, ownCalls = {}, asked } = capabilityRow(name);
  const all = Object.entries({ ...calls, ...ownCalls });
  const kept = all.filter(([, effect]) => asked === true || effect === 'read');
  return namesOf(name, Object.fromEntries(kept));
});

/**
 * Asks for a refusal. The process did not let the call through that is named in the argument: the
 * kernel says why, counts it and writes it down. It never serves it.
 */
export const refusedCall = 'refuse.call';

function namesOf(name: string, calls: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(calls).map((call) => `${name}.${call}`);
}
