import { describe, expect, it } from 'vitest';
import { findImports } from './find-imports.ts';
import { treeHost } from './tree-host.ts';

const files = {
  'src/index.ts': [
    "import { open } from './store';",
    "import fs from 'node:fs';",
    'import type {',
    '  Row,',
    "} from './model/row.js';",
    "export * from './model';",
    "// import './gone.ts';",
    "const late = await import('./late.mjs');",
    "const text = `import './text.ts'`;",
  ].join('\n'),
  'src/store.ts': "import { Row } from '../src/model/row.ts';\n",
  'src/model/row.ts': '',
  'src/model/index.ts': "export type { Row } from './row.ts';\n",
  'src/late.mts': "import '../../outside.ts';\n",
  'outside.ts': '',
  'app/__init__.py': '',
  'app/main.py': [
    'import os, app.queue as q',
    'from . import jobs',
    'from .queue import (',
    '    Queue,',
    ')',
    'from app.model import Row',
  ].join('\n'),
  'app/jobs.py': 'from ..app.queue import Queue\n',
  'app/queue.py': '',
  'app/model/__init__.py': '',
  'go.mod': 'module example.com/shop\n',
  'cmd/main.go': 'package main\n\nimport (\n\t"fmt"\n\tst "example.com/shop/store"\n)\n',
  'store/store.go': 'package store\n',
  'store/store_test.go': 'package store\n',
  'rust/src/lib.rs': 'mod net;\npub mod store;\nuse crate::net::tcp::{Stream, Listener};\n',
  'rust/src/store.rs': 'use super::net::tcp;\nuse std::fs;\n',
  'rust/src/net/mod.rs': 'pub mod tcp;\n',
  'rust/src/net/tcp.rs': '',
  'c/main.c': '#include <stdio.h>\n#include "buf.h"\n// #include "gone.h"\n',
  'c/buf.h': '',
  'java/com/shop/Main.java':
    'import com.shop.store.Store;\nimport static com.shop.store.Store.open;\n',
  'java/com/shop/store/Store.java': 'package com.shop.store;\n',
  'lib/app.rb': "require 'json'\nrequire_relative 'app/store'\nrequire 'app/store'\n",
  'lib/app/store.rb': '',
};

const graph = (path: string) => {
  const { imports, importedBy } = findImports(treeHost(files), path);
  return {
    imports: [...new Set(imports.flatMap(({ resolved }) => resolved))].sort(),
    importedBy: [...new Set(importedBy.map((each) => each.path))].sort(),
  };
};

describe('findImports()', () => {
  it.each([
    [
      'src/index.ts',
      ['src/late.mts', 'src/model/index.ts', 'src/model/row.ts', 'src/store.ts'],
      [],
    ],
    ['src/model/row.ts', [], ['src/index.ts', 'src/model/index.ts', 'src/store.ts']],
    ['src/model/index.ts', ['src/model/row.ts'], ['src/index.ts']],
    ['src/store.ts', ['src/model/row.ts'], ['src/index.ts']],
    ['outside.ts', [], []],
    ['app/main.py', ['app/jobs.py', 'app/model/__init__.py', 'app/queue.py'], []],
    ['app/queue.py', [], ['app/jobs.py', 'app/main.py']],
    ['app/model/__init__.py', [], ['app/main.py']],
    ['cmd/main.go', ['store/store.go'], []],
    ['store/store.go', [], ['cmd/main.go']],
    ['rust/src/lib.rs', ['rust/src/net/mod.rs', 'rust/src/net/tcp.rs', 'rust/src/store.rs'], []],
    ['rust/src/net/tcp.rs', [], ['rust/src/lib.rs', 'rust/src/net/mod.rs', 'rust/src/store.rs']],
    ['c/main.c', ['c/buf.h'], []],
    ['c/buf.h', [], ['c/main.c']],
    ['java/com/shop/Main.java', ['java/com/shop/store/Store.java'], []],
    ['java/com/shop/store/Store.java', [], ['java/com/shop/Main.java']],
    ['lib/app.rb', ['lib/app/store.rb'], []],
    ['lib/app/store.rb', [], ['lib/app.rb']],
  ])('gives what %s imports and what imports it', (path, imports, importedBy) => {
    expect(graph(path)).toEqual({ imports, importedBy });
  });

  it('names packages from elsewhere, with the line', () => {
    const { imports } = findImports(treeHost(files), 'src/index.ts');
    expect(imports.map(({ line, specifier }) => `${line} ${specifier}`)).toEqual([
      '1 ./store',
      '2 node:fs',
      '3 ./model/row.js',
      '6 ./model',
      '8 ./late.mjs',
    ]);
    expect(imports[1]).toMatchObject({ resolved: [], text: "import fs from 'node:fs';" });
  });

  it('names the files it knows nothing about', () => {
    expect(() => findImports(treeHost(files), 'notes.txt')).toThrow('does not know how');
  });
});
