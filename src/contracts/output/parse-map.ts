import * as v from 'valibot';

const amount = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What `search.map` gives and `cuervo map --json` prints. */
export const workspaceMapSchema = v.object({
  files: v.pipe(amount, v.description('of code, in all parts')),
  bytes: amount,
  parts: v.array(
    v.object({
      path: v.pipe(
        v.string(),
        v.description(
          'a folder; `.` for files at the top. What a part inside of it holds is not counted',
        ),
      ),
      files: amount,
      bytes: amount,
      uses: v.array(
        v.object({
          path: v.string(),
          imports: v.pipe(amount, v.description('lines that import it, without those of tests')),
        }),
      ),
      usedBy: v.pipe(amount, v.description('parts that import it')),
    }),
  ),
  entries: v.array(
    v.object({
      path: v.pipe(v.string(), v.description('where a program or library begins')),
      why: v.string(),
    }),
  ),
  cut: v.exactOptional(v.pipe(v.string(), v.description('what was left out'))),
});
export type WorkspaceMap = v.InferOutput<typeof workspaceMapSchema>;

/** @returns undefined for what is no map: the plugin of that name may be another one */
export function parseMap(content: string): WorkspaceMap | undefined {
  try {
    const parsed = v.safeParse(workspaceMapSchema, JSON.parse(content), { abortEarly: true });
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined; // no JSON
  }
}
