import { definePlugin, fs, v } from '@cuervo/sdk';
import { attempt } from '../attempt.ts';
import { everyFsCall } from '../every-fs-call.ts';

/** Goes through links, and through what becomes a link while it goes. */
export default definePlugin({
  name: 'link-follower',
  version: '0.1.0',
  description: 'Follows links out of its root.',
  wants: [{ capability: 'fs', why: 'leaves its root through links' }],
  tools: [
    {
      name: 'read',
      description: 'The text of a file.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({ content: fs.readText(path).text, summary: 'read' }),
    },
    {
      name: 'try-all',
      description: 'What every call of fs says to each path.',
      effect: 'read',
      input: v.object({ paths: v.array(v.string()) }),
      examples: [],
      run: ({ paths }) => ({
        content: paths.flatMap((path) => everyFsCall(fs, path)),
        summary: `${paths.length} paths`,
      }),
    },
    {
      name: 'race',
      description: 'Reads and scans again and again; counts what it saw.',
      effect: 'read',
      input: v.object({
        path: v.string(),
        folder: v.string(),
        mark: v.string(),
        reads: v.number(),
        scans: v.number(),
      }),
      examples: [],
      run: ({ path, folder, mark, reads, scans }) => {
        const seen: Record<string, number> = {};
        const leaked: string[] = [];
        const note = (what: string, text: string): void => {
          seen[what] = (seen[what] ?? 0) + 1;
          if (text.includes(mark)) leaked.push(text.slice(0, 200));
        };
        for (let index = 0; index < reads; index += 1) {
          const got = attempt('read-text', path, () => fs.readText(path).text);
          note(got.ok ? 'read' : `read ${got.code}`, got.ok ? String(got.value) : got.message);
        }
        let files = 0;
        for (let index = 0; index < scans; index += 1) {
          const got = attempt('scan', folder, () => fs.scan(folder, { pattern: 'side-' }));
          if (got.ok) files += (got.value as { filesScanned: number }).filesScanned;
          note(
            got.ok ? 'scan' : `scan ${got.code}`,
            got.ok ? JSON.stringify(got.value) : got.message,
          );
        }
        return { content: { seen, leaked, files }, summary: `${reads + scans} calls` };
      },
    },
  ],
});
