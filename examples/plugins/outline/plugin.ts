import { definePlugin, fs, v } from '@cuervo/sdk';

type Entry = { line: number; depth: number; text: string };

/** Lines that begin a definition in many languages: a word for it, then a name. */
const definition =
  /^(\s*)(?:(?:export|default|pub|public|private|protected|static|abstract|async)\s+)*(?:function\*?|class|interface|type|enum|struct|trait|impl|module|namespace|def|fn|func|fun)\s+[\w$(*]/;

export default definePlugin({
  name: 'outline',
  version: '0.1.0',
  description: 'Shows what a file is made of: the headings of Markdown, the definitions of code.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads the file whose outline it shows' }],
  tools: [
    {
      name: 'show',
      description:
        'Headings of a Markdown file, or functions, classes and types of a source file, with line numbers. Use it before reading a long file.',
      effect: 'read',
      input: v.object({
        path: v.pipe(
          v.string(),
          v.minLength(1, 'is empty'),
          v.description('a file of the workspace'),
        ),
      }),
      examples: [{ path: 'README.md' }],
      run: ({ path }) => {
        const { text, truncated } = fs.readText(path);
        const lines = text.split('\n');
        const entries = /\.(md|mdx|markdown)$/i.test(path) ? headings(lines) : definitions(lines);
        return {
          content: { path, entries, truncated },
          summary: `${entries.length} entries in ${path}`,
        };
      },
    },
  ],
});

/** `#` in a fenced block is not a heading. */
function headings(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  let isFenced = false;
  for (const [at, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    if (isFenced || heading?.[1] === undefined || heading[2] === undefined) continue;
    entries.push({ line: at + 1, depth: heading[1].length, text: heading[2] });
  }
  return entries;
}

/** The depth is that of the indentation, two columns a level. */
function definitions(lines: readonly string[]): Entry[] {
  return lines.flatMap((line, at) => {
    const indent = definition.exec(line)?.[1]?.replaceAll('\t', '  ').length;
    if (indent === undefined) return [];
    return [{ line: at + 1, depth: 1 + Math.floor(indent / 2), text: line.trim() }];
  });
}
