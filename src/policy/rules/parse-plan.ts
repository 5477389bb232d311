import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';

const redirect = v.union([
  v.strictObject({ from: v.string(), fd: v.literal(0) }),
  v.strictObject({ text: v.string(), fd: v.literal(0) }),
  v.strictObject({
    to: v.string(),
    append: v.boolean(),
    fd: v.picklist([1, 2, 'both']),
  }),
  v.strictObject({ fd: v.picklist([1, 2]), like: v.picklist([1, 2]) }),
]);

const quoted = v.boolean();
const latePart: v.GenericSchema<LatePart> = v.union([
  v.strictObject({ text: v.string(), quoted }),
  v.strictObject({ variable: v.string(), quoted }),
  // A plan in a plan, whose form is that of the whole.
  v.strictObject({ pipelines: v.lazy(() => pipelines), quoted }),
]);

const command: v.GenericSchema<LineCommand> = v.variant('kind', [
  v.strictObject({
    kind: v.literal('program'),
    program: v.string(),
    args: v.array(v.string()),
    cwd: v.string(),
    patterns: v.array(v.strictObject({ arg: v.number(), glob: v.string() })),
    redirects: v.array(redirect),
    late: v.exactOptional(v.array(v.strictObject({ arg: v.number(), parts: v.array(latePart) }))),
    unknown: v.exactOptional(v.string()),
  }),
  v.strictObject({ kind: v.literal('cd'), folder: v.string() }),
  v.strictObject({
    kind: v.literal('set'),
    variables: v.record(v.string(), v.string()),
    late: v.exactOptional(v.array(v.strictObject({ name: v.string(), parts: v.array(latePart) }))),
  }),
]);

const pipelines: v.GenericSchema<LinePlan['pipelines']> = v.array(
  v.strictObject({
    when: v.picklist(['always', 'success', 'failure']),
    commands: v.pipe(v.array(command), v.minLength(1)),
  }),
);
const plan = v.strictObject({ pipelines });

/** A command line as the tool `shell.parse` takes it apart. */
export type LinePlan = {
  pipelines: { when: 'always' | 'success' | 'failure'; commands: LineCommand[] }[];
};
export type LineRedirect = v.InferOutput<typeof redirect>;
export type LatePart =
  | { text: string; quoted: boolean }
  | { variable: string; quoted: boolean }
  | { pipelines: LinePlan['pipelines']; quoted: boolean };
export type LineCommand =
  | {
      kind: 'program';
      program: string;
      args: string[];
      cwd: string;
      patterns: { arg: number; glob: string }[];
      redirects: LineRedirect[];
      late?: { arg: number; parts: LatePart[] }[];
      unknown?: string;
    }
  | { kind: 'cd'; folder: string }
  | {
      kind: 'set';
      variables: Record<string, string>;
      late?: { name: string; parts: LatePart[] }[];
    };

/**
 * @param content what `shell.parse` gave, JSON as text
 * @throws {KernelError} `plugin-fault` when it is not a plan
 */
export function parsePlan(content: string): LinePlan {
  try {
    return v.parse(plan, JSON.parse(content), { abortEarly: true });
  } catch (thrown) {
    throw new KernelError('plugin-fault', 'shell.parse gave no plan of a command line', {
      cause: thrown,
    });
  }
}
