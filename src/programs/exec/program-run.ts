import type { HostCaller } from '../../contracts/host-service.ts';
import type { RootSurvey } from './survey-root.ts';

/** A granted root, with what in it is kept from programs. */
export type SurveyedRoot = { name: string; folder: string; survey: RootSurvey };

/** A run of an allowed program: its arguments, place, limits and caller. */
export type ProgramRun = {
  program: string;
  args: readonly string[];
  cwd: string;
  stdin: string | undefined;
  timeoutMs: number;
  maxOutputBytes: number;
  readOnly: boolean;
  origins: readonly string[];
  /** hosts that the built-in plugin `git` may log in to */
  sshHosts?: readonly string[];
  /** of `Authority` */
  filters?: readonly string[];
  repositories?: readonly string[];
  folders: Readonly<Record<string, string>>;
  caller: HostCaller;
};
