import { addSection } from '../../../../sdk/build/add-section.ts';
import { keepBytes } from '../../support/build-guest.ts';
import { type WatPlugin, watComponent, withManifest } from '../../support/wat-plugin.ts';

const plugin: WatPlugin = {
  name: 'lying-manifest',
  tools: [{ name: 'go', effect: 'read' }],
  wants: ['clock'],
  imports: '(import "cuervo:host/clock@0.1.0" "now-ms" (func $now (param i32)))',
  call: '(call $now (i32.const 1024)) (call $ok-number (i32.load8_u (i32.const 1024)))',
};

/** Imports `clock`; its manifest says what it likes. */
export async function claiming(wants: readonly string[]): Promise<string> {
  return keepBytes(
    'lying-manifest',
    withManifest(await watComponent(plugin), { ...plugin, wants }),
  );
}

/** Has a second manifest that asks for something else. */
export async function withTwo(): Promise<string> {
  const once = withManifest(await watComponent(plugin), plugin);
  return keepBytes('lying-manifest', withManifest(once, { ...plugin, wants: [] }));
}

/** Has this text for a manifest. */
export async function withText(text: string): Promise<string> {
  const bytes = addSection(await watComponent(plugin), 'cuervo:plugin', Buffer.from(text));
  return keepBytes('lying-manifest', bytes);
}

/** Has none. */
export async function withNone(): Promise<string> {
  return keepBytes('lying-manifest', await watComponent(plugin));
}
