import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilityNames } from '../contracts/capabilities.ts';
import type { Grant } from '../contracts/capability.ts';
import {
  builtinGrants,
  type CapabilityRequest,
  covers,
  type Denial,
  decide,
  type PolicyConfig,
  parseDenial,
  servedCapabilities,
} from './decide.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';

const stranger = { plugin: 'wordcount', builtin: false, wants: capabilityNames };
const builtin = { plugin: 'file', builtin: true, wants: capabilityNames };
const all = new Set(capabilityNames);
const shipped: PolicyConfig = { denied: [] };
const served = { denied: [], served: all };
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
    expect(decide({ capability: 'fs', detail: 'work' }, stranger, [], shipped)).toEqual({
      decision: 'deny',
      reason: 'wordcount was not granted fs for "work"',
      hint: 'cuervo plugin grant wordcount fs:work keeps it, or --allow fs:work grants it for one run',
    });
  });

  it('allows the same with the grant', () => {
    const grants = [parseGrant('fs:work')];
    expect(decide({ capability: 'fs', detail: 'work' }, stranger, grants, shipped)).toEqual({
      decision: 'allow',
    });
  });

  it('does not stretch a grant to another root or another capability', () => {
    const grants = [parseGrant('fs:work'), parseGrant('fs-write:docs')];
    expect(decide({ capability: 'fs', detail: 'docs' }, stranger, grants, shipped).decision).toBe(
      'deny',
    );
    expect(decide({ capability: 'clock' }, stranger, grants, shipped).decision).toBe('deny');
    expect(
      decide({ capability: 'fs-write', detail: 'work' }, stranger, grants, served).decision,
    ).toBe('ask');
    expect(
      decide({ capability: 'fs-write', detail: 'docs' }, stranger, grants, served).decision,
    ).toBe('allow');
  });

  it('covers with a kept grant of tools what was installed by then', () => {
    const wants = { plugin: 'mine', builtin: false, wants: ['tools'] };
    const may = (detail: string, glob: string, installedMs?: number, grantedMs?: number): string =>
      decide(
        { capability: 'tools', detail, ...(installedMs === undefined ? {} : { installedMs }) },
        wants,
        [{ capability: 'tools', detail: glob, ...(grantedMs === undefined ? {} : { grantedMs }) }],
        served,
      ).decision;
    expect(may('file.read', 'file.*', 5, 5)).toBe('allow');
    expect(may('file.read', 'file.*', 6, 5)).toBe('deny');
    // Nobody knows when a tool came.
    expect(may('file.read', '*', undefined, 5)).toBe('deny');
    // typed for this run
    expect(may('file.read', '*')).toBe('allow');
    expect(may('file.read', 'file.write')).toBe('deny');
    expect(may('files.read', 'file.*')).toBe('deny');
    const denied = [
      { capability: 'tools', detail: 'web.*', text: 'tools:web.*', source: 'f' } as const,
    ];
    const all = [{ capability: 'tools', detail: '*' } as const];
    const web = { capability: 'tools', detail: 'web.fetch' };
    expect(decide(web, wants, all, { ...served, denied }).decision).toBe('deny');
  });

  it('lets built-in plugins read the workspace and call tools, and nothing else', () => {
    expect(builtinGrants.map(({ capability }) => capability)).toEqual(['fs', 'tools', 'kv']);
    expect(decide({ capability: 'fs', detail: 'work' }, builtin, [], shipped).decision).toBe(
      'allow',
    );
    expect(decide({ capability: 'kv' }, builtin, [], served).decision).toBe('allow');
    expect(decide({ capability: 'fs', detail: 'docs' }, builtin, [], shipped)).toEqual({
      decision: 'deny',
      reason: 'file was not granted fs for "docs"',
      hint: 'cuervo plugin grant file fs:docs keeps it, or --allow fs:docs grants it for one run',
    });
    expect(decide({ capability: 'clock' }, builtin, [], shipped).decision).toBe('deny');
  });

  it('needs no grant for log', () => {
    expect(decide({ capability: 'log' }, stranger, [], shipped)).toEqual({ decision: 'allow' });
  });

  it('denies what is not served, granted or not', () => {
    for (const capability of capabilityNames) {
      if (servedCapabilities.has(capability)) continue;
      for (const grants of [[], everything]) {
        expect(decide({ capability }, stranger, grants, shipped)).toMatchObject({
          decision: 'deny',
          reason: `${capability} is not available in this version`,
        });
      }
    }
    // control: with everything served, the same grants allow
    for (const grant of everything) {
      expect(decide(grant, stranger, everything, served)).toEqual({ decision: 'allow' });
    }
  });

  it('may be asked about writing, programs and requests once they are served', () => {
    const asked = capabilityNames.filter(
      (capability) => decide({ capability }, stranger, [], served).decision === 'ask',
    );
    expect(asked).toEqual(['fs-write', 'exec', 'http']);
  });

  it.each(['work; rm -rf ~', '$(id)', 'x\u001b[2J', '../..', ''])(
    'puts nothing of a guest into the command: root %j',
    (detail) => {
      const decision = decide({ capability: 'fs', detail }, stranger, [], shipped);
      if (decision.decision === 'allow') throw new Error('allowed');
      expect(decision.hint).toBe(
        'cuervo plugin grant wordcount fs:ROOT keeps it, or --allow fs:ROOT grants it for one run',
      );
      expect(decision.reason).not.toMatch(/\p{C}/u);
    },
  );

  it('asks without a detail whether any such grant is held', () => {
    expect(decide({ capability: 'fs' }, stranger, [parseGrant('fs:docs')], shipped).decision).toBe(
      'allow',
    );
    expect(covers(parseGrant('fs:docs'), { capability: 'fs-write' })).toBe(false);
  });

  it('denies what is not a capability and what the plugin does not want', () => {
    for (const capability of ['network', 'fs ', 'FS', '', 'constructor', 'x\u001b[2J']) {
      const decision = decide({ capability }, builtin, everything, served);
      expect(decision).toMatchObject({ decision: 'deny' });
      expect(JSON.stringify(decision)).not.toContain('\\u001b');
    }
    const modest = { ...stranger, wants: ['kv'] };
    expect(decide({ capability: 'exec', detail: 'git' }, modest, everything, served)).toMatchObject(
      {
        decision: 'deny',
        reason: 'wordcount does not want exec',
      },
    );
    expect(decide({ capability: 'kv' }, modest, everything, served).decision).toBe('allow');
  });

  it('lets the configuration outweigh every grant, and names the file', () => {
    const denying = (...texts: string[]): PolicyConfig => ({
      denied: texts.map((text) => parseDenial(text, 'cuervo.toml')),
      served: all,
    });
    const git = { capability: 'exec', detail: 'git' };
    expect(decide(git, stranger, everything, denying('exec:make')).decision).toBe('allow');
    for (const text of ['exec', 'exec:git']) {
      expect(decide(git, stranger, everything, denying(text))).toEqual({
        decision: 'deny',
        reason: 'the configuration denies exec for "git"',
        hint: `cuervo.toml denies "${text}" under capabilities.deny; no grant outweighs it`,
      });
    }
    // For any number of grants: the remaining ones count, and a person may still be asked for another one.
    expect(decide({ capability: 'exec' }, stranger, everything, denying('exec:git')).decision).toBe(
      'ask',
    );
    const two = [...everything, parseGrant('exec:make')];
    expect(decide({ capability: 'exec' }, stranger, two, denying('exec:git')).decision).toBe(
      'allow',
    );
    // And no question undoes it.
    expect(decide(git, stranger, [], denying('exec')).decision).toBe('deny');
    expect(decide({ capability: 'fs', detail: 'work' }, builtin, [], denying('fs')).decision).toBe(
      'deny',
    );
  });
});

describe('decide() on anything at all', () => {
  const texts = [
    ...everything.map(formatGrant),
    ...['fs:docs', 'fs-write:docs', 'exec:make', 'http:https://other.example'],
  ];
  const grants = fc.subarray(texts).map((chosen) => chosen.map(parseGrant));
  const denied = fc
    .subarray([...texts, 'fs', 'fs-write', 'exec', 'http'])
    .map((chosen) => chosen.map((text) => parseDenial(text, 'config.toml')));
  const manifest = fc.record({
    plugin: fc.constant('p'),
    builtin: fc.boolean(),
    wants: fc.subarray([...capabilityNames]),
  });
  const request = fc.oneof(
    fc.constantFrom(...texts).map((text): CapabilityRequest => parseGrant(text)),
    fc.record({ capability: fc.constantFrom(...capabilityNames) }),
    fc.record({ capability: fc.string(), detail: fc.string() }),
  );
  const rank = { deny: 0, ask: 1, allow: 2 };
  const config = (entries: readonly Denial[]): PolicyConfig => ({ denied: entries, served: all });

  it('allows no more with a denial more', () => {
    fc.assert(
      fc.property(request, manifest, grants, denied, denied, (asked, holder, held, some, more) => {
        const before = decide(asked, holder, held, config(some)).decision;
        const after = decide(asked, holder, held, config([...more, ...some])).decision;
        expect(rank[after]).toBeLessThanOrEqual(rank[before]);
      }),
    );
  });

  it('allows no more with a grant less', () => {
    fc.assert(
      fc.property(request, manifest, grants, denied, fc.nat(), (asked, holder, held, some, at) => {
        const fewer = held.filter((_, index) => index !== at % Math.max(1, held.length));
        const before = decide(asked, holder, held, config(some)).decision;
        const after = decide(asked, holder, fewer, config(some)).decision;
        expect(rank[after]).toBeLessThanOrEqual(rank[before]);
      }),
    );
  });

  it('allows nothing that is neither wanted, granted nor shipped', () => {
    let allowed = 0;
    fc.assert(
      fc.property(request, manifest, grants, denied, (asked, holder, held, some) => {
        if (decide(asked, holder, held, config(some)).decision !== 'allow') return;
        allowed += 1;
        if (asked.capability === 'log') return;
        expect(holder.wants).toContain(asked.capability);
        const all = holder.builtin ? [...held, ...builtinGrants] : held;
        expect(all.some((grant) => covers(grant, asked))).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(allowed).toBeGreaterThan(0);
  });
});
