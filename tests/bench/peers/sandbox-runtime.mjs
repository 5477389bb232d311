import { SandboxManager } from '@anthropic-ai/sandbox-runtime';

/** The shell lines of its sandbox, with one folder writable and no network. */
export async function openSandboxRuntime(work) {
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [work], denyWrite: [] },
  });
  return {
    wrap: (command) => SandboxManager.wrapWithSandbox(command),
    close: () => SandboxManager.reset(),
  };
}
