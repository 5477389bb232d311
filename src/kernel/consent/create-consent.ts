import { type ConsentDesk, createConsentDesk } from '../../consent/consent-desk.ts';
import { type ConsentSessions, openConsentSessions } from '../../consent/consent-sessions.ts';
import { type GrantsFile, openGrants } from '../../consent/grants.ts';
import { once } from '../../lib/memo.ts';
import { effectSandbox } from '../../programs/exec/effect-sandbox.ts';
import {
  findSandbox,
  type ProgramSandbox,
  usableSandbox,
} from '../../programs/exec/find-sandbox.ts';
import type { KernelCore } from '../core.ts';
import { type CommandRules, openCommandRules } from './command-rules.ts';

/** Consent: grants, rules on programs, and the desk that asks a person. */
export type KernelConsent = {
  grants: GrantsFile;
  rules: CommandRules;
  sessions: ConsentSessions;
  desk: ConsentDesk;
  /** Looked for once, by whoever asks first: a command, or the question about one. */
  programSandbox(): Promise<ProgramSandbox>;
  /** A run belongs to a session until it ends. */
  bindSession(run: string, session: string): void;
  endRun(run: string): void;
  /** A model was shown an untrusted text. */
  noteRead(run: string, source: string): void;
  /** the first of them */
  readBy(run: string | undefined): string | undefined;
};

export function createConsent(core: KernelCore): KernelConsent {
  const { options, config, clock } = core;
  const grants = openGrants(config.home, clock);
  const programSandbox = once(() => findSandbox(config.execSandbox));
  const sessions = openConsentSessions({ store: core.store, clock });
  const sessionOfRun = new Map<string, string>();
  const readings = new Map<string, string>();
  const desk = createConsentDesk({
    askConsent: options.askConsent,
    project: config.workspace,
    clock,
    grants,
    sessions,
    sessionOf: (run) => (run === undefined ? undefined : sessionOfRun.get(run)),
    sandboxOf: (effect) =>
      effectSandbox(effect, config, async () => usableSandbox(await programSandbox())),
    openHome: core.openHome,
    journaled: core.journaled,
  });
  return {
    grants,
    rules: openCommandRules(core.loaded.home, options.yes),
    sessions,
    desk,
    programSandbox,
    bindSession: (run, session) => void sessionOfRun.set(run, session),
    endRun: (run) => {
      desk.endRun(run);
      sessionOfRun.delete(run);
      readings.delete(run);
    },
    noteRead: (run, source) => {
      if (!readings.has(run)) readings.set(run, source);
    },
    readBy: (run) => (run === undefined ? undefined : readings.get(run)),
  };
}
