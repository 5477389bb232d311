// Brings the types of host calls to authors whose compiler sees nothing else of this folder.
/// <reference path="./gen/everything.d.ts" preserve="true" />
/** valibot: schemas of tool inputs. */
export * as v from 'valibot';
export {
  definePlugin,
  defineTool,
  type Plugin,
  type Tool,
  type ToolResult,
  type Want,
} from './define-plugin.ts';
export * as clock from './host/clock.ts';
export * as exec from './host/exec.ts';
export * as fs from './host/fs.ts';
export * as fsWrite from './host/fs-write.ts';
export * as http from './host/http.ts';
export * as kv from './host/kv.ts';
export * as log from './host/log.ts';
export * as memory from './host/memory.ts';
export * as random from './host/random.ts';
export * as tools from './host/tools.ts';
export { HostError, type HostErrorCode } from './host-error.ts';
/** Paths as people write them, and as the host wants them. */
export * as paths from './paths.ts';
export { ToolError, type ToolErrorCode } from './tool-error.ts';
