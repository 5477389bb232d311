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

const command = v.variant('kind', [
  v.strictObject({
    kind: v.literal('program'),
    program: v.string(),
    args: v.array(v.string()),
    cwd: v.string(),
    patterns: v.array(v.strictObject({ arg: v.number(), glob: v.string() })),
    redirects: v.array(redirect),
    unknown: v.exactOptional(v.string()),
  }),
  v.strictObject({ kind: v.literal('cd'), folder: v.string() }),
  v.strictObject({ kind: v.literal('set'), variables: v.record(v.string(), v.string()) }),
]);

const plan = v.strictObject({
  pipelines: v.array(
    v.strictObject({
      when: v.picklist(['always', 'success', 'failure']),
      commands: v.pipe(v.array(command), v.minLength(1)),
    }),
  ),
});

/** A command line as the tool `shell.parse` takes it apart. */
export type LinePlan = v.InferOutput<typeof plan>;
export type LineRedirect = v.InferOutput<typeof redirect>;
export type LineCommand = v.InferOutput<typeof command>;

/**
 * @param content what `shell.parse` gave, JSON as text
 * @throws {KernelError} `plugin-fault` when it is not a plan
 */
export function parsePlan(content: string): LinePlan {
  try {
    return v.parse(plan, JSON.parse(content));
  } catch (thrown) {
    throw new KernelError('plugin-fault', 'shell.parse gave no plan of a command line', {
      cause: thrown,
    });
  }
}
