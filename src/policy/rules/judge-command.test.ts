import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../lib/text/words.ts';
import { judgeCommand } from './judge-command.ts';
import { loadRules, readShippedRules } from './load-rules.ts';

const tables = readShippedRules(join(import.meta.dirname, 'shipped'));
const shipped = loadRules(tables);

function judge(text: string, userToml?: string, cwd = '') {
  const [program = '', ...args] = splitWords(text);
  const rules = userToml === undefined ? shipped : loadRules(tables, userToml);
  return judgeCommand({ program, args, cwd }, rules);
}

function userRule(decision: string, program: string, args: string): string {
  return `[[rule]]
name = "mine"
decision = "${decision}"
reason = "I said so"
program = "${program}"
args = [${args}]
match = ["${program}${args === '' ? '' : ' test'}"]
not_match = ["other"]
`;
}

describe('judgeCommand()', () => {
  it('allows a reader and names its rule', () => {
    expect(judge('grep -rn TODO src')).toEqual({
      decision: 'allow',
      rule: 'grep',
      reason: 'searches in files',
      reader: true,
    });
  });

  it('asks about a program that no rule knows', () => {
    expect(judge('frobnicate x')).toMatchObject({
      decision: 'ask',
      rule: 'default',
      reason: 'no rule knows "frobnicate"',
    });
  });

  it('says which argument kept a rule from allowing', () => {
    expect(judge('cat /etc/passwd').reason).toBe(
      'cat: "/etc/passwd" may name a path outside the workspace',
    );
    expect(judge('sort --outp=x a').reason).toBe('sort: option "--outp" is not known to be safe');
  });

  it('denies what is destructive, also inside a wrapper or a shell', () => {
    expect(judge('rm -rf /').decision).toBe('deny');
    expect(judge('timeout 5 rm -rf /').decision).toBe('deny');
    expect(judge('bash -c "ls; rm -rf /"').decision).toBe('deny');
    expect(judge('bash -c "ls; rm -rf build"').decision).toBe('ask');
  });

  it('lets a rule of the user widen', () => {
    expect(judge('npm test', userRule('allow', 'npm', '"test"'))).toEqual({
      decision: 'allow',
      rule: 'mine',
      reason: 'I said so',
      reader: false,
    });
    expect(judge('npm run x', userRule('allow', 'npm', '"test"')).decision).toBe('ask');
  });

  it('keeps a rule of the user from reaching outside by an open argument', () => {
    const open = userRule('allow', 'npm', '"..."');
    expect(judge('npm run x', open).decision).toBe('allow');
    for (const arg of ['/etc', '--prefix=/etc', '-C/etc', '../x', '@/etc/x', '--x=~/y', '.env']) {
      expect(judge(`npm ${arg}`, open), arg).toMatchObject({ decision: 'ask' });
    }
  });

  it('puts a denial of the user above what is shipped, and a shipped denial above the user', () => {
    expect(judge('ls', userRule('deny', 'ls', '')).decision).toBe('deny');
    expect(judge('ls', userRule('ask', 'ls', '')).decision).toBe('ask');
    expect(judge('sudo test', userRule('allow', 'sudo', '"..."')).decision).toBe('deny');
  });

  it('allows absolute paths below the given roots', () => {
    const command = { program: 'cat', args: ['/work/a.txt'], cwd: '' };
    expect(judgeCommand(command, shipped).decision).toBe('ask');
    expect(judgeCommand(command, shipped, { roots: ['/work'] }).decision).toBe('allow');
    expect(judgeCommand(command, shipped, { roots: ['/wor'] }).decision).toBe('ask');
  });

  it('sees a protected name through the folder that a command runs in', () => {
    expect(judge('cat config', undefined, 'work:src').decision).toBe('allow');
    expect(judge('cat config', undefined, 'work:.git').decision).toBe('ask');
    expect(judge('ls', undefined, '../other').decision).toBe('ask');
  });
});
