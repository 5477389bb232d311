import { beforeAll, describe, expect, it } from 'vitest';
import {
  embeddedModule,
  emptyPlugin,
  fromWat,
  fromWorld,
  quickjsPlugin,
  withSection,
  witPackage,
} from '../../../../tests/support/test-binaries.ts';
import type { CapabilityName } from '../../../contracts/capabilities.ts';
import type { Manifest } from '../../../contracts/capability.ts';
import { judgeComponent } from './judge-component.ts';
import { manifestSectionName } from './parse-manifest.ts';
import { type BinaryShape, readBinary } from './read-component.ts';

const toolsExport = { name: 'cuervo:plugin/tools@0.1.0', kind: 'instance' } as const;

function manifest(...wants: CapabilityName[]): Manifest {
  return {
    name: 'probe',
    version: '0.1.0',
    description: 'A probe.',
    wants: wants.map((capability) => ({ capability, why: `uses ${capability}` })),
  };
}

function shape(change: Partial<BinaryShape> = {}): BinaryShape {
  return {
    kind: 'component',
    imports: [],
    exports: [toolsExport],
    customSections: [{ name: manifestSectionName, offset: 0, length: 0 }],
    coreModules: 1,
    repeats: [],
    ...change,
  };
}

function importing(...names: string[]): BinaryShape {
  return shape({ imports: names.map((name) => ({ name, kind: 'instance' })) });
}

function exporting(...names: string[]): BinaryShape {
  const others = names.map((name) => ({ name, kind: 'instance' }) as const);
  return shape({ exports: [toolsExport, ...others] });
}

describe('judgeComponent() of Agent Component Tools', () => {
  const provider = { name: 'act:tools/tool-provider@0.2.0', kind: 'instance' } as const;
  const session = { name: 'act:sessions/session-provider@0.2.0', kind: 'instance' } as const;
  const store = { name: 'act:credentials/store@0.1.0', kind: 'instance' } as const;
  const http = { name: 'wasi:http/client@0.3.0', kind: 'instance' } as const;
  const files = { name: 'wasi:filesystem/types@0.3.0', kind: 'instance' } as const;
  const act = (change: Partial<BinaryShape>): BinaryShape =>
    shape({ exports: [provider], customSections: [], ...change });

  it('wants what its imports reach, and of what is declared no more than that', () => {
    const imports = [http, files];
    const wanted = ({ wants }: { wants: readonly { capability: string }[] }) =>
      wants.map(({ capability }) => capability);
    expect(wanted(judgeComponent(act({ imports }), undefined))).toEqual(['http', 'fs', 'fs-write']);
    const declared = { ...manifest('http', 'clock'), tools: [] };
    expect(judgeComponent(act({ imports }), declared)).toMatchObject({
      ...{ form: 'act', effect: 'external', reasons: [] },
      wants: [{ capability: 'http', why: 'uses http' }],
    });
  });

  it('refuses sessions and credentials by name', () => {
    const { reasons } = judgeComponent(
      act({ exports: [provider, session], imports: [store] }),
      undefined,
    );
    expect(reasons).toEqual([
      expect.stringMatching(/^it imports act:credentials\/store@0\.1\.0: cuervo hands no secret/),
      expect.stringMatching(/^it exports act:sessions\/session-provider@0\.2\.0: its tools want/),
    ]);
  });
});

describe('judgeComponent() of real binaries', () => {
  let plugin: Uint8Array;
  beforeAll(async () => {
    plugin = withSection(await emptyPlugin(['fs', 'log']), manifestSectionName, '{}');
  });

  it('finds nothing against a plugin that imports what it declares', () => {
    expect(judgeComponent(readBinary(plugin), manifest('fs', 'log'))).toEqual({
      imports: ['cuervo:host/types@0.1.0', 'cuervo:host/fs@0.1.0', 'cuervo:host/log@0.1.0'],
      exports: ['cuervo:plugin/tools@0.1.0'],
      capabilities: [
        { capability: 'fs', why: 'uses fs', by: 'author' },
        { capability: 'log', why: 'uses log', by: 'author' },
      ],
      form: 'tools',
      effect: 'read',
      wants: [
        { capability: 'fs', why: 'uses fs' },
        { capability: 'log', why: 'uses log' },
      ],
      reasons: [],
    });
  });

  it('finds nothing against a QuickJS plugin with its own export init', async () => {
    const bytes = withSection(await quickjsPlugin(['fs']), manifestSectionName, '{}');
    expect(judgeComponent(readBinary(bytes), manifest('fs')).reasons).toEqual([]);
  });

  it('refuses a manifest that wants more, and one that declares less', () => {
    expect(judgeComponent(readBinary(plugin), manifest('fs', 'log', 'exec')).reasons).toEqual([
      'its manifest wants exec, which the binary does not import',
    ]);
    expect(judgeComponent(readBinary(plugin), manifest('fs')).reasons).toEqual([
      'it imports log, which its manifest does not declare',
    ]);
    expect(judgeComponent(readBinary(plugin), manifest('kv')).reasons).toHaveLength(3);
  });

  it('takes what a binary without a manifest imports for what it wants', async () => {
    const bare = readBinary(await emptyPlugin(['fs', 'log']));
    expect(judgeComponent(bare, undefined)).toMatchObject({
      wants: [
        { capability: 'fs', why: 'imports cuervo:host/fs' },
        { capability: 'log', why: 'imports cuervo:host/log' },
      ],
      reasons: [],
    });
  });

  it('refuses a binary with two manifests', () => {
    const two = readBinary(withSection(plugin, manifestSectionName, '{}'));
    expect(judgeComponent(two, manifest('fs', 'log')).reasons).toEqual([
      'it has 2 manifests (sections cuervo:plugin), but only one is allowed',
    ]);
  });

  it('refuses a core module and a WIT package by name, without a word of capabilities', async () => {
    const module = judgeComponent(readBinary(await embeddedModule(['fs'])), manifest());
    expect(module.reasons).toEqual([expect.stringContaining('is a core module, not a component')]);
    expect(module.capabilities).toEqual([]);
    const wit = judgeComponent(readBinary(await witPackage()), undefined);
    expect(wit.reasons).toEqual([expect.stringContaining('is a WIT package')]);
  });

  it('takes types of any package, and nothing that could be called or held', async () => {
    const wit = (more: string): string => `package a:b@1.0.0;
      interface types { record point { x: s32 } }
      interface calls { go: func(); }
      interface things { resource thing; }
      world w { use types.{point}; ${more} export draw: func(at: point); }`;
    const judge = async (more: string) =>
      judgeComponent(readBinary(await fromWorld(wit(more))), undefined);
    expect(await judge('')).toMatchObject({ capabilities: [], effect: 'pure', reasons: [] });
    for (const name of ['calls', 'things']) {
      expect((await judge(`import ${name};`)).reasons).toEqual([
        `it imports a:b/${name}@1.0.0, which cuervo does not offer`,
      ]);
    }
    // Another name for a resource of WASI, which is served under its own.
    const renamed = await fromWorld(`package a:b@1.0.0;
      world w { use wasi:io/streams@0.2.6.{input-stream}; export go: func(source: input-stream); }
      package wasi:io@0.2.6 { interface streams { resource input-stream; } }`);
    expect(judgeComponent(readBinary(renamed), undefined).reasons).toEqual([]);
    expect((await judge('resource thing;')).reasons).toEqual([
      'it imports thing, which is not an interface of cuervo:host',
    ]);
    expect((await judge('resource thing { go: func(); }')).reasons).toContain(
      'it imports "[method]thing.go", a function of a resource, which cuervo does not offer',
    );
  });

  it('refuses a component that could run a core module twice', async () => {
    const bytes = await fromWat(
      '(component (core module $m) (core instance (instantiate $m)) (core instance (instantiate $m)))',
    );
    const { reasons } = judgeComponent(readBinary(bytes), undefined);
    expect(reasons).toContain(
      'core module 0 of the component at offset 0 is instantiated more than once, so its memory cannot be limited',
    );
  });
});

describe('judgeComponent() of imports', () => {
  it('takes types for no capability', () => {
    const judgement = judgeComponent(importing('cuervo:host/types@0.1.0'), manifest());
    expect(judgement).toMatchObject({ capabilities: [], reasons: [] });
  });

  it.each([
    ['evil:net/raw@1.0.0', 'it imports evil:net/raw@1.0.0, which cuervo does not offer'],
    ['cuervo:host/gpu@0.1.0', 'an interface that cuervo:host does not have'],
    ['cuervo:host/fs@0.2.0', 'but this version offers cuervo:host/fs@0.1.0'],
    ['cuervo:host/fs@0.1.1', 'but this version offers cuervo:host/fs@0.1.0'],
    ['cuervo:host/fs@0.1.0-rc.1', 'but this version offers cuervo:host/fs@0.1.0'],
    ['cuervo:host/fs', 'but this version offers cuervo:host/fs@0.1.0'],
    ['cuervo:host/fs@0.1', 'not a plain namespace:package/interface@version'],
    ['cuervo:plugin/tools@0.1.0', 'which cuervo does not offer'],
    ['fs', 'it imports fs, which is not an interface of cuervo:host'],
    ['wasi:io/pipes@0.2.6', 'it imports wasi:io/pipes@0.2.6, which is not served'],
    ['wasi:keyvalue/store@0.2.0', 'which is not served by this version'],
    ['wasi:io/streams@0.2.0-rc-2023-11-10', 'which is not served by this version'],
    ['wasi:io/streams@0.1.0', 'which is not served by this version'],
    ['wasi:io/streams', 'which is not served by this version'],
    ['wasi:constructor/streams@0.2.0', 'which is not served by this version'],
    ['wasi:cli/stdout@0.4.0', 'of a WASI after 0.3, which this version does not support'],
    ['wasi:io/streams@0.3.0', 'which is not served by this version'],
    ['wasi:clocks/wall-clock@0.3.0', 'which is not served by this version'],
    ['wasi:clocks/system-clock@0.2.6', 'which is not served by this version'],
    ['wasi:clocks/system-clock@0.3.0-rc-2025-09-16', 'of a draft of WASI 0.3'],
    ['wasi:sockets/types@0.3.0', 'of WASI 0.3, which opens sockets, and no plugin may'],
    ['[method]a.b', 'a function of a resource, which cuervo does not offer'],
    ['a:b/c@1.0.0"];process.exit()//', 'which is not a plain'],
    ['../../fs', 'which is not a plain'],
    ['cuervo:host/fs@0.1.0\n', 'which is not a plain'],
    ['cuervo:host/Fs@0.1.0', 'which is not a plain'],
    ['cuervo:hоst/fs@0.1.0', 'which is not a plain'],
  ])('refuses %s', (name, sentence) => {
    const { reasons } = judgeComponent(importing(name), manifest());
    expect(reasons.some((reason) => reason.includes(sentence))).toBe(true);
  });

  it.each(['0.2.0', '0.2.1', '0.2.12', '0.2.99'])('serves WASI %s', (version) => {
    const { capabilities, reasons, effect, wants } = judgeComponent(
      importing(
        `wasi:sockets/tcp@${version}`,
        `wasi:filesystem/types@${version}`,
        `wasi:filesystem/preopens@${version}`,
        `wasi:cli/stdout@${version}`,
        `wasi:random/random@${version}`,
      ),
      manifest(),
    );
    expect(reasons).toEqual([]);
    expect(capabilities).toEqual([
      { capability: 'network', why: 'imports wasi:sockets/tcp', by: 'imports' },
      { capability: 'fs', why: 'imports wasi:filesystem', by: 'imports' },
      { capability: 'fs-write', why: 'imports wasi:filesystem', by: 'imports' },
      { capability: 'random', why: 'imports wasi:random/random', by: 'imports' },
    ]);
    // Sockets are shown, and nobody can want what nobody can grant.
    expect(wants.map(({ capability }) => capability)).toEqual(['fs', 'fs-write', 'random']);
    expect(effect).toBe('external');
  });

  it('takes the reasons of a manifest for what it imports of WASI', () => {
    const http = importing('wasi:http/client@0.3.0');
    expect(judgeComponent(http, manifest('http'))).toMatchObject({
      capabilities: [{ capability: 'http', why: 'uses http', by: 'author' }],
      reasons: [],
    });
    expect(judgeComponent(http, manifest('fs')).reasons).toEqual([
      'its manifest wants fs, which the binary does not import',
    ]);
  });

  it('serves WASI 0.3 beside 0.2, for the same grants', () => {
    const { capabilities, reasons } = judgeComponent(
      importing(
        ...['wasi:clocks/types@0.3.0', 'wasi:cli/stdout@0.3.2', 'wasi:io/streams@0.2.6'],
        ...['wasi:filesystem/types@0.3.0', 'wasi:filesystem/types@0.2.6', 'wasi:http/client@0.3.1'],
      ),
      undefined,
    );
    expect(reasons).toEqual([]);
    const names = capabilities.map(({ capability }) => capability);
    expect(names).toEqual(['fs', 'fs-write', 'http']);
  });

  it.each([
    [['wasi:cli/stdout@0.2.0', 'wasi:io/streams@0.2.0'], 'pure'],
    [['wasi:clocks/wall-clock@0.2.0'], 'read'],
    [['wasi:random/random@0.2.0'], 'read'],
    [['cuervo:host/fs@0.1.0'], 'read'],
    [['wasi:filesystem/types@0.2.0', 'wasi:random/random@0.2.0'], 'write'],
    [['wasi:http/types@0.2.0', 'wasi:filesystem/types@0.2.0'], 'external'],
  ])('derives the effect of %j: %s', (names, effect) => {
    expect(judgeComponent(importing(...names), undefined).effect).toBe(effect);
  });

  it('names the interfaces of one WASI package in one sentence, later ones apart', () => {
    const { reasons } = judgeComponent(
      importing('wasi:cli/dance@0.2.6', 'wasi:cli/run@0.4.0', 'wasi:cli/sing@0.2.6'),
      manifest(),
    );
    expect(reasons).toEqual([
      'it imports wasi:cli/dance@0.2.6, wasi:cli/sing@0.2.6, which are not served by this version',
      'it imports wasi:cli/run@0.4.0 of a WASI after 0.3, which this version does not support: build it for WASI 0.3 or 0.2',
    ]);
  });

  it('does not take an import of a function for the interface', () => {
    const judgement = judgeComponent(
      shape({ imports: [{ name: 'cuervo:host/clock@0.1.0', kind: 'func' }] }),
      manifest('clock'),
    );
    expect(judgement.reasons[0]).toContain('as a func, but that is an interface');
  });

  it('refuses an import that comes twice', () => {
    const twice = importing('cuervo:host/fs@0.1.0', 'cuervo:host/fs@0.1.0');
    expect(judgeComponent(twice, manifest('fs')).reasons).toEqual([
      'it imports "cuervo:host/fs@0.1.0" more than once',
    ]);
  });
});

describe('judgeComponent() of exports', () => {
  it.each([
    ...['init', 'exports', 'wasi:cli/run@0.2.6', 'my:own/thing', 'to-text', 'then', 'tools'],
    ...['get-URL', 'HTTP', 'my:own/top-URL@0.1.0', 'x-1', 'A1-2B'],
  ])('lets %s stand beside the tools', (name) => {
    expect(judgeComponent(exporting(name), manifest()).reasons).toEqual([]);
  });

  it.each([
    ['a b', 'not a plain name'],
    ['getURL', 'not a plain name'],
    ['1a', 'not a plain name'],
    ['x`;import("fs")//', 'not a plain name'],
    ['__proto__', 'not a plain name'],
    ['[static]a.b', 'not a plain name'],
  ])('refuses %s', (name, sentence) => {
    const { reasons } = judgeComponent(exporting(name), manifest());
    expect(reasons).toEqual([expect.stringContaining(sentence)]);
  });

  it('lets a component without tools be called by its functions', () => {
    const found = judgeComponent(shape({ exports: [{ name: 'add', kind: 'func' }] }), manifest());
    expect(found).toMatchObject({ form: 'functions', reasons: [] });
    const named = shape({ exports: [{ name: 'tools', kind: 'instance' }] });
    expect(judgeComponent(named, manifest()).reasons).toEqual([]);
  });

  it('refuses tools of another version', () => {
    const newer = shape({ exports: [{ name: 'cuervo:plugin/tools@0.2.0', kind: 'instance' }] });
    expect(judgeComponent(newer, manifest()).reasons[0]).toContain(
      '(it exports "cuervo:plugin/tools@0.2.0")',
    );
  });

  it('refuses tools that are not interface', () => {
    const { reasons } = judgeComponent(
      shape({ exports: [{ name: toolsExport.name, kind: 'func' }] }),
      manifest(),
    );
    expect(reasons).toEqual([expect.stringContaining('as a func, but that is an interface')]);
  });
});
