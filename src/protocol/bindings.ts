import type { ProcessCapability } from '../contracts/capabilities.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type * as Clock from './gen/interfaces/cuervo-host-clock.js';
import type * as Fs from './gen/interfaces/cuervo-host-fs.js';
import type * as Log from './gen/interfaces/cuervo-host-log.js';
import type * as Tools from './gen/interfaces/cuervo-plugin-tools.js';

/**
 * The contracts as the transpiled glue sees them, generated from `wit/`. Services and calls are
 * checked against these types, so a changed contract stops the build here.
 */
export type ServedInterfaces = {
  [Name in ProcessCapability]: { fs: typeof Fs; clock: typeof Clock; log: typeof Log }[Name];
};

/** `describe` and `call` of a plugin. */
export type GuestTools = typeof Tools;

/** Types of the Component Model that hold no other type. */
export const primitives = [
  'bool',
  's8',
  'u8',
  's16',
  'u16',
  's32',
  'u32',
  's64',
  'u64',
  'f32',
  'f64',
  'char',
  'string',
] as const;
export type Primitive = (typeof primitives)[number];

/**
 * The type of a value that can be told as JSON, written out in full: no name stands for another
 * type. Names are those of WIT, in kebab case.
 */
export type ValueType =
  | { kind: Primitive }
  /** `length` of a list that always has so many items */
  | { kind: 'list'; of: ValueType; length?: number }
  /** of a parameter or a result alone; told as the list of its items */
  | { kind: 'stream'; of: ValueType }
  /** likewise; told as the value that it brings */
  | { kind: 'future'; of: ValueType }
  | { kind: 'map'; key: ValueType; value: ValueType }
  | { kind: 'tuple'; of: readonly ValueType[] }
  | { kind: 'option'; of: ValueType }
  | { kind: 'result'; ok?: ValueType; error?: ValueType }
  | { kind: 'record'; fields: readonly Field[] }
  | { kind: 'variant'; cases: readonly { name: string; type?: ValueType }[] }
  | { kind: 'enum' | 'flags'; names: readonly string[] };

export type Field = { name: string; type: ValueType };

/** How one tool of a component that offers no `cuervo:plugin/tools` is called. */
export type ToolBinding =
  | {
      kind: 'function';
      /** name of the exported instance; absent for a function of the component itself */
      instance?: string;
      name: string;
      params: readonly Field[];
      result?: ValueType;
    }
  /** `run` of the exported `wasi:cli/run`; `program` is what it reads as its own name */
  | { kind: 'command'; instance: string; program: string }
  /** the same, told which tool to be by its first argument, with JSON in and out */
  | { kind: 'tool'; instance: string; program: string }
  /**
   * of Agent Component Tools: `call-tool` with its own name of the tool and the schema of its
   * input, or `list-tools`
   */
  | { kind: 'act'; instance: string; tool?: { name: string; input: JsonObject } };

/** One tool as `list-tools` of Agent Component Tools gave it. */
export type ListedTool = { name: string; description: string; schema: string; readOnly: boolean };

/** Tool name -> what is called; a file beside the glue holds it. */
export type Adapter = Readonly<Record<string, ToolBinding>>;

/** In the folder of a prepared plugin whose exports are called through an adapter. */
export const adapterFile = 'component.adapter.json';
