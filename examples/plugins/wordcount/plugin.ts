import { definePlugin, fs, v } from '@cuervo/sdk';

export default definePlugin({
  name: 'wordcount',
  version: '0.1.0',
  description: 'Counts words of texts and files.',
  licence: 'MIT',
  wants: [{ capability: 'fs', why: 'reads the files whose words it counts' }],
  tools: [
    {
      name: 'count',
      description: 'Number of words in a text, split at white space.',
      effect: 'pure',
      input: v.object({ text: v.pipe(v.string(), v.description('any text')) }),
      examples: [{ text: 'one two' }],
      run: ({ text }) => {
        const words = text.split(/\s+/).filter(Boolean).length;
        return { content: { words }, summary: `${words} words` };
      },
    },
    {
      name: 'count-file',
      description: 'Number of words in a file.',
      effect: 'read',
      input: v.object({ path: v.pipe(v.string(), v.description('`root:relative/path`')) }),
      examples: [{ path: 'work:README.md' }],
      run: ({ path }) => {
        const words = fs.readText(path).text.split(/\s+/).filter(Boolean).length;
        return { content: { words }, summary: `${words} words in ${path}` };
      },
    },
  ],
});
