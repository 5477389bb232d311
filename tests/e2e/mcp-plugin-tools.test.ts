import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eras, openMcpClient } from '../support/mcp-client.ts';
import { openPlace, type Place } from '../support/place.ts';

const plugin = `import { definePlugin, v } from '@cuervo/sdk';
const tool = { effect: 'pure' as const, input: v.object({ text: v.string() }), examples: [] };
export default definePlugin({
  name: 'told', version: '0.1.0', description: 'Counts letters.', licence: 'Apache-2.0', wants: [],
  tools: [
    {
      ...tool,
      name: 'count',
      description: 'Counts the letters of a text.',
      output: v.object({ text: v.string(), letters: v.number() }),
      run: ({ text }) => ({ content: { text, letters: text.length }, summary: 'counted' }),
    },
    {
      ...tool,
      name: 'letters',
      description: 'Gives the letters of a text.',
      output: v.array(v.string()),
      run: ({ text }) => ({ content: [...text], summary: 'given' }),
    },
  ],
});
`;
const key = ['AKIA', 'IOSFODNN7', 'EXAMPLF'].join('');

async function install(place: Place): Promise<void> {
  const folder = join(place.dir, 'told');
  mkdirSync(folder);
  writeFileSync(join(folder, 'plugin.ts'), plugin);
  expect(await place.cuervo(['plugin', 'build', folder])).toMatchObject({ code: 0 });
  const binary = join(folder, 'dist/told.wasm');
  expect(await place.cuervo(['plugin', 'install', binary, '--yes'])).toMatchObject({ code: 0 });
}

describe.each(eras)('cuervo mcp serve with a plugin of its own, for a client of %s', (era) => {
  it('gives an object as content with a structure, a list as text, and no secret in either', async () => {
    using place = openPlace();
    await install(place);
    await using mcp = await openMcpClient(place, { era, args: ['--tools', 'told.*'] });
    const { tools } = await mcp.client.listTools();
    const schemas = Object.fromEntries(tools.map(({ name, outputSchema }) => [name, outputSchema]));
    expect(schemas.told_count).toMatchObject({ type: 'object', required: ['text', 'letters'] });
    expect(schemas).toHaveProperty('told_letters', undefined);

    const counted = await mcp.call('told_count', { text: 'heron' });
    expect(counted.whole.structuredContent).toEqual({ text: 'heron', letters: 5 });
    expect(JSON.parse(counted.text)).toEqual({ text: 'heron', letters: 5 });
    const withheld = await mcp.call('told_count', { text: key });
    const text = '[redacted: aws-access-key]';
    expect(withheld.whole.structuredContent).toEqual({ text, letters: key.length });
    const listed = await mcp.call('told_letters', { text: 'ab' });
    expect(listed.whole).not.toHaveProperty('structuredContent');
    expect(JSON.parse(listed.text)).toEqual(['a', 'b']);
  });

  it('keeps the trace that a call belongs to, and no other words in its place', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    await using mcp = await openMcpClient(place, { era, args: ['--tools', 'file.read'] });
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const traceparent of [trace, `${trace} for a person`])
      await mcp.client.callTool({
        name: 'file_read',
        arguments: { path: 'a.txt' },
        _meta: { traceparent },
      });
    const { stdout } = await place.cuervo(['runs', 'list', '--json']);
    const runs = stdout.trim().split('\n');
    expect(runs.map((line) => JSON.parse(line).question)).toEqual([
      'file.read for tests',
      `file.read for tests (trace ${trace})`,
    ]);
  });
});
