/// <reference path="./interfaces/cuervo-host-clock.d.ts" />
/// <reference path="./interfaces/cuervo-host-exec.d.ts" />
/// <reference path="./interfaces/cuervo-host-fs-write.d.ts" />
/// <reference path="./interfaces/cuervo-host-fs.d.ts" />
/// <reference path="./interfaces/cuervo-host-http.d.ts" />
/// <reference path="./interfaces/cuervo-host-kv.d.ts" />
/// <reference path="./interfaces/cuervo-host-log.d.ts" />
/// <reference path="./interfaces/cuervo-host-memory.d.ts" />
/// <reference path="./interfaces/cuervo-host-random.d.ts" />
/// <reference path="./interfaces/cuervo-host-tools.d.ts" />
/// <reference path="./interfaces/cuervo-host-types.d.ts" />
/// <reference path="./interfaces/cuervo-plugin-tools.d.ts" />
declare module 'cuervo:all/everything' {
  export type * as CuervoHostClock010 from 'cuervo:host/clock@0.1.0'; // import cuervo:host/clock@0.1.0
  export type * as CuervoHostExec010 from 'cuervo:host/exec@0.1.0'; // import cuervo:host/exec@0.1.0
  export type * as CuervoHostFsWrite010 from 'cuervo:host/fs-write@0.1.0'; // import cuervo:host/fs-write@0.1.0
  export type * as CuervoHostFs010 from 'cuervo:host/fs@0.1.0'; // import cuervo:host/fs@0.1.0
  export type * as CuervoHostHttp010 from 'cuervo:host/http@0.1.0'; // import cuervo:host/http@0.1.0
  export type * as CuervoHostKv010 from 'cuervo:host/kv@0.1.0'; // import cuervo:host/kv@0.1.0
  export type * as CuervoHostLog010 from 'cuervo:host/log@0.1.0'; // import cuervo:host/log@0.1.0
  export type * as CuervoHostMemory010 from 'cuervo:host/memory@0.1.0'; // import cuervo:host/memory@0.1.0
  export type * as CuervoHostRandom010 from 'cuervo:host/random@0.1.0'; // import cuervo:host/random@0.1.0
  export type * as CuervoHostTools010 from 'cuervo:host/tools@0.1.0'; // import cuervo:host/tools@0.1.0
  export type * as CuervoHostTypes010 from 'cuervo:host/types@0.1.0'; // import cuervo:host/types@0.1.0
  export * as tools from 'cuervo:plugin/tools@0.1.0'; // export cuervo:plugin/tools@0.1.0
}
