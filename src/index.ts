export type { Grant } from './contracts/capability.ts';
export { type ErrorCode, exitCodes, KernelError } from './contracts/error.ts';
export type { Evidence, RunEvent } from './contracts/events.ts';
export type { JobBook, JobCommands, JobOutcome, JobRecord, JobRun } from './contracts/jobs.ts';
export type { MemoryRow } from './contracts/memory.ts';
export type { ListedJob } from './contracts/output/parse-jobs.ts';
export type { Plan, Step } from './contracts/plan.ts';
export type { Tool } from './contracts/tool.ts';
export { type Kernel, type KernelOptions, openKernel } from './kernel.ts';
