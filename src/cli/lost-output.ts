import { exitCodes, KernelError } from '../contracts/error.ts';
import type { EventOf } from '../contracts/events.ts';
import type { Effect } from '../contracts/tool.ts';
import { errorBody, toKernelError } from '../kernel/run-events.ts';
import { tellError } from './output.ts';

let isOutputLost = false;
/** Whether the command must reach its end even if nobody reads its output. */
let isWorkOwed = false;
/** Whether a plan of this command had a step that changes something. */
let hasChanges = false;

/**
 * Lets a command finish when its standard output is lost, because it changes something; any other
 * command stops at once. A command with plans calls this first, and then `owePlan` for each.
 */
export function oweWork(): void {
  isWorkOwed = true;
}

/** A command that only reads may stop when its reader is gone. */
export function owePlan({ steps }: EventOf<'plan'>): void {
  // A plan without steps belongs to a note, which is stored.
  hasChanges ||= steps.length === 0 || steps.some(({ effect }) => changing.includes(effect));
  isWorkOwed = hasChanges;
  if (isOutputLost && !isWorkOwed) process.exit();
}

const changing: readonly Effect[] = ['write', 'external'];

/**
 * Handles output that cannot be written. `cuervo … | head` ends quietly, like any other filter; a
 * full disk is reported, and sets the exit code of a command without another failure.
 */
export function onLostOutput(): void {
  // Unreadable notes do not stop the work.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isOutputLost) return;
    isOutputLost = true;
    if (error.code !== 'EPIPE') tellLost(error);
    if (!isWorkOwed) process.exit();
  });
}

function tellLost(error: NodeJS.ErrnoException): void {
  const { code } = toKernelError(error);
  const message = `standard output cannot be written: ${error.code ?? error.message}`;
  const hint = 'Free some space where it goes, or send it elsewhere: cuervo … > FILE';
  const lost = new KernelError(code, message, { cause: error, hint });
  // Events have no place to go.
  tellError(errorBody(lost), { json: false });
  process.once('exit', () => {
    process.exitCode ||= exitCodes[code];
  });
}
