import { describe, expect, it } from 'vitest';
import { capabilityNames, type Grant } from '../contracts/capability.ts';
import { builtinGrants, covers, decide, servedCapabilities } from './decide.ts';
import { parseGrant } from './parse-grant.ts';

const stranger = { plugin: 'wordcount', builtin: false };
const builtin = { plugin: 'file', builtin: true };
const all = new Set(capabilityNames);
const everything: Grant[] = [
  'fs:work',
  'fs-write:work',
  'exec:git',
  'http:https://example.org',
  'kv',
  'memory',
  'clock',
  'random',
].map(parseGrant);

describe('decide()', () => {
  it('denies a stranger what nobody granted, with the command that would', () => {
    expect(decide({ capability: 'fs', detail: 'work' }, stranger, [])).toEqual({
      decision: 'deny',
      reason: 'wordcount was not granted fs for "work"',
      hint: 'cuervo plugin grant wordcount fs:work keeps it, or --allow fs:work grants it for one run',
    });
  });

  it('allows the same with the grant', () => {
    const grants = [parseGrant('fs:work')];
    expect(decide({ capability: 'fs', detail: 'work' }, stranger, grants)).toEqual({
      decision: 'allow',
    });
  });

  it('does not stretch a grant to another root or another capability', () => {
    const grants = [parseGrant('fs:work'), parseGrant('fs-write:docs')];
    expect(decide({ capability: 'fs', detail: 'docs' }, stranger, grants).decision).toBe('deny');
    expect(decide({ capability: 'clock' }, stranger, grants).decision).toBe('deny');
    expect(decide({ capability: 'fs-write', detail: 'work' }, stranger, grants, all).decision).toBe(
      'ask',
    );
    expect(decide({ capability: 'fs-write', detail: 'docs' }, stranger, grants, all).decision).toBe(
      'allow',
    );
  });

  it('lets built-in plugins read the workspace, and nothing else', () => {
    expect(builtinGrants.map(({ capability }) => capability)).toEqual(['fs', 'kv']);
    expect(decide({ capability: 'fs', detail: 'work' }, builtin, []).decision).toBe('allow');
    expect(decide({ capability: 'kv' }, builtin, [], all).decision).toBe('allow');
    expect(decide({ capability: 'fs', detail: 'docs' }, builtin, [])).toEqual({
      decision: 'deny',
      reason: 'file was not granted fs for "docs"',
      hint: 'cuervo plugin grant file fs:docs keeps it, or --allow fs:docs grants it for one run',
    });
    expect(decide({ capability: 'clock' }, builtin, []).decision).toBe('deny');
  });

  it('needs no grant for log', () => {
    expect(decide({ capability: 'log' }, stranger, [])).toEqual({ decision: 'allow' });
  });

  it('denies what is not served, granted or not', () => {
    for (const capability of capabilityNames) {
      if (servedCapabilities.has(capability)) continue;
      for (const grants of [[], everything]) {
        expect(decide({ capability }, stranger, grants)).toMatchObject({
          decision: 'deny',
          reason: `${capability} is not available in this version`,
        });
      }
    }
    // control: with everything served, the same grants allow
    for (const grant of everything) {
      expect(decide(grant, stranger, everything, all)).toEqual({ decision: 'allow' });
    }
  });

  it('may be asked about writing, programs and requests once they are served', () => {
    const asked = capabilityNames.filter(
      (capability) => decide({ capability }, stranger, [], all).decision === 'ask',
    );
    expect(asked).toEqual(['fs-write', 'exec', 'http']);
  });

  it.each(['work; rm -rf ~', '$(id)', 'x\u001b[2J', '../..', ''])(
    'puts nothing of a guest into the command: root %j',
    (detail) => {
      const decision = decide({ capability: 'fs', detail }, stranger, []);
      if (decision.decision === 'allow') throw new Error('allowed');
      expect(decision.hint).toBe(
        'cuervo plugin grant wordcount fs:ROOT keeps it, or --allow fs:ROOT grants it for one run',
      );
      expect(decision.reason).not.toMatch(/\p{C}/u);
    },
  );

  it('asks without a detail whether any such grant is held', () => {
    expect(decide({ capability: 'fs' }, stranger, [parseGrant('fs:docs')]).decision).toBe('allow');
    expect(covers(parseGrant('fs:docs'), { capability: 'fs-write' })).toBe(false);
  });
});
