import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const tools = process.env.CUERVO_TEST_TOOLS ?? '';
const driver = join(tools, 'node_modules', 'playwright-core');
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
);

/** What there is not, for the name of a skipped test; empty where a browser can be driven. */
export const missingBrowser = [
  ...(chromium === undefined ? ['needs: apt-get install chromium'] : []),
  ...(existsSync(driver) ? [] : ['no playwright-core in $CUERVO_TEST_TOOLS']),
].join(', ');

/** As much of a page of Playwright as the tests use. */
export type BrowserPage = {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  evaluate<Value>(script: string): Promise<Value>;
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(options: { colorScheme: 'light' | 'dark' }): Promise<void>;
  getByText(text: string | RegExp): { first(): { waitFor(options?: object): Promise<void> } };
  locator(selector: string): {
    first(): {
      click(): Promise<void>;
      fill(text: string): Promise<void>;
      waitFor(): Promise<void>;
    };
    allTextContents(): Promise<string[]>;
    count(): Promise<number>;
  };
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'dialog', listener: (dialog: { dismiss(): Promise<void> }) => void): void;
};

/** A real Chromium. The caller owns it. */
export async function openBrowser(): Promise<AsyncDisposable & { tab(): Promise<BrowserPage> }> {
  const { chromium: driven } = createRequire(import.meta.url)(driver) as {
    chromium: {
      launch(options: object): Promise<{
        newContext(options: object): Promise<{ newPage(): Promise<BrowserPage> }>;
        close(): Promise<void>;
      }>;
    };
  };
  // Its sandbox needs a user that is not root; the page under test holds nothing of others.
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await driven.launch({ executablePath: chromium, args });
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  return {
    tab: () => context.newPage(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
