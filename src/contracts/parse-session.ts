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
