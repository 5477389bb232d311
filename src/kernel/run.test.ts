import { expect, it } from 'vitest';
import { toolOf } from '../../tests/fixtures/tool-of.ts';
import { findTool } from './run.ts';

const tools = ['file.read', 'file.find', 'search.grep', 'git.log'].map((name) => toolOf(name));

it('findTool() finds a tool by its whole name', () => {
  expect(findTool(tools, 'git.log')).toBe(tools[3]);
});

it.each([
  ['file.reed', ' (Did you mean file.read?)'],
  ['serch.grep', ' (Did you mean search.grep?)'],
  ['file.count', '; there is file.read, file.find'],
  ['grep', '; there is search.grep'],
  ['words.count', '; there are those of file, search, git'],
  ['', '; there are those of file, search, git'],
])('findTool() names what is near to "%s"', (name, near) => {
  expect(() => findTool(tools, name)).toThrow(`there is no tool "${name}"${near}`);
});

it('findTool() names none where there is none', () => {
  expect(() => findTool([], 'grep')).toThrow('those of no plugin');
});
