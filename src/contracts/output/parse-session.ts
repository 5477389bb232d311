import * as v from 'valibot';

const ts = v.pipe(v.number(), v.description('milliseconds since the Unix epoch'));

/** One line of `cuervo session list --json`. */
export const sessionSchema = v.object({
  id: v.string(),
  project: v.pipe(v.string(), v.description('absolute path of the workspace')),
  title: v.string(),
  createdMs: ts,
  updatedMs: ts,
  messages: v.pipe(v.number(), v.description('how many there are')),
});

/** One line of `cuervo session show --json`. */
export const messageSchema = v.object({
  session: v.string(),
  run: v.string(),
  role: v.picklist(['user', 'assistant']),
  text: v.string(),
  ts,
});

/** One line of `cuervo session export --json`. */
export const sessionEntrySchema = v.object({
  number: v.pipe(v.number(), v.description('in the session, from 1; for fork --at')),
  run: v.string(),
  ts,
  role: v.picklist(['user', 'assistant', 'tool']),
  text: v.string(),
  calls: v.exactOptional(
    v.array(
      v.object({ id: v.string(), tool: v.string(), input: v.record(v.string(), v.unknown()) }),
    ),
  ),
  call: v.exactOptional(
    v.pipe(v.string(), v.description('id of the call that this is the result of')),
  ),
  source: v.exactOptional(v.pipe(v.string(), v.description('where a result is from'))),
  isError: v.exactOptional(v.boolean()),
  stop: v.exactOptional(v.pipe(v.string(), v.description('why the model did not answer'))),
});
export type SessionEntry = v.InferOutput<typeof sessionEntrySchema>;

/** One line of `cuervo undo --list --json`. */
export const changedRunSchema = v.object({
  run: v.string(),
  command: v.string(),
  question: v.string(),
  startedMs: ts,
  changes: v.pipe(v.number(), v.description('how many; a file written twice counts twice')),
  lasting: v.pipe(
    v.array(v.string()),
    v.description('what an undo does not take back, one sentence each'),
  ),
  undoneMs: v.exactOptional(ts),
});
export type ChangedRun = v.InferOutput<typeof changedRunSchema>;

/** One line of `cuervo runs list --json`. */
export const listedRunSchema = v.object({
  ...changedRunSchema.entries,
  status: v.pipe(
    v.string(),
    v.description('ok, the code of an error, running, or cut-off when its process was ended'),
  ),
  finishedMs: v.exactOptional(ts),
});
export type ListedRun = v.InferOutput<typeof listedRunSchema>;

/** One line of `cuervo undo --json`. */
export const undoneSchema = v.object({
  run: v.string(),
  paths: v.pipe(v.array(v.string()), v.description('that are as before the run')),
  left: v.pipe(
    v.array(v.object({ path: v.string(), why: v.string() })),
    v.description('that were left as they are'),
  ),
  lasting: v.pipe(v.array(v.string()), v.description('what no undo takes back')),
});
export type Undone = v.InferOutput<typeof undoneSchema>;

/** One line of `cuervo apply --list --json`. */
export const dryRunSchema = v.object({ run: v.string() });
export type DryRunRow = v.InferOutput<typeof dryRunSchema>;

/** What `cuervo apply --json` prints. */
export const appliedSchema = v.object({
  run: v.pipe(v.string(), v.description('the dry run')),
  appliedBy: v.pipe(v.string(), v.description('the run that cuervo undo takes back')),
  paths: v.pipe(v.array(v.string()), v.description('that are as the dry run left them')),
  left: v.pipe(
    v.array(v.object({ path: v.string(), why: v.string() })),
    v.description('that were not changed'),
  ),
});
export type Applied = v.InferOutput<typeof appliedSchema>;
