import createPlugin from '@extism/extism';

// Each worker would say that WASI is experimental, though this plugin uses none.
process.env.NODE_NO_WARNINGS = '1';

/**
 * A fresh sandbox for one call: plugin in a worker, called, closed.
 *
 * @param {WebAssembly.Module} module assembled from `extism-echo.wat`
 * @param {string} text
 */
export async function callExtismEcho(module, text) {
  const plugin = await createPlugin(module, { runInWorker: true, useWasi: false });
  try {
    const output = await plugin.call('echo', text);
    return output.text();
  } finally {
    await plugin.close();
  }
}
