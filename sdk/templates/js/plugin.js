import { definePlugin, fs, paths, v } from '@cuervo/sdk';

export default definePlugin({
  name: 'my-tool',
  version: '0.1.0',
  description: 'Counts the words of texts and files.',
  licence: 'MIT',
  wants: [{ capability: 'fs', why: 'reads the files whose words it counts' }],
  tools: [
    {
      name: 'count',
      description: 'Counts the words of a text.',
      effect: 'pure',
      input: v.object({ text: v.pipe(v.string(), v.description('any text')) }),
      examples: [{ text: 'one two' }],
      run: ({ text }) => counted(text, 'the text'),
    },
    {
      name: 'count-file',
      description: 'Counts the words of a file.',
      effect: 'read',
      input: v.object({ path: v.pipe(v.string(), v.description('path in the workspace')) }),
      examples: [{ path: 'README.md' }],
      run: ({ path }) => counted(fs.readText(paths.host(path)).text, path),
    },
  ],
});

function counted(text, where) {
  const words = text.split(/\s+/).filter(Boolean).length;
  return { content: { words }, summary: `${words} words in ${where}` };
}
