import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  lastToolResult,
  type Script,
  startAnthropicServer,
} from '../fixtures/anthropic-server/server.ts';
import { type BrowserPage, missingBrowser, openBrowser } from '../support/open-browser.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program, root, twoLines } from '../support/run-cuervo.ts';

/** Looked at by whoever changes the page. */
const shots = join(root, 'coverage/screenshots');
const key = ['AKIA', 'IOSFODNN7', 'EXAMPLF'].join('');
const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const apiKey = 'test-key-of-the-local-server';
const esc = '\u001b';

type Ui = AsyncDisposable & {
  /** the newest address that it printed */
  address(): string;
  port: number;
};

async function openUi(
  place: Place,
  args: readonly string[] = [],
  path = process.env.PATH ?? '',
): Promise<Ui> {
  const child = spawn(process.execPath, [program, 'ui', ...args], {
    cwd: place.work,
    env: { PATH: path, CUERVO_HOME: place.home },
  });
  let said = '';
  const addresses = (): string[] => said.match(/http:\S+#\S+/g) ?? [];
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      if (addresses().length > 0) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(said)));
  });
  return {
    address: () => addresses().at(-1) ?? '',
    port: Number(new URL(addresses()[0] ?? '').port),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

type Sent = { method?: string; path: string; headers?: Record<string, string> };

/** `fetch` lets nobody set Host and Origin. */
async function send({ port }: Ui, { method = 'GET', path, headers = {} }: Sent) {
  return await new Promise<{ status: number; text: string; headers: object }>((resolve, reject) => {
    const made = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    made.on('error', reject);
    made.end();
  });
}

const exchange = async (ui: Ui) =>
  await send(ui, {
    method: 'POST',
    path: '/api/open',
    headers: { 'x-cuervo-once': new URL(ui.address()).hash.slice(1) },
  });

const files = {
  'src/retry.ts': '// how often a request is tried again\nexport const retryLimit = 7;\n',
  'notes.md': `# Notes\n\nThe heron ${markup} nests in the quarry. [out](https://evil.example/)\n`,
  'deploy.sh': `export AWS_KEY=${key} # the deploy key of the heron\n`,
};

/** A model that reads a file, and then answers or waits. */
const reading =
  (then: 'message' | 'hang'): Script =>
  (body) =>
    lastToolResult(body) === undefined
      ? { type: 'message', toolUses: [{ name: 'file__read', input: { path: 'src/retry.ts' } }] }
      : { type: then, text: 'It is tried again 7 times.' };

async function askModel(
  where: Place,
  url: string,
  question: string,
  onStart?: (pid: number) => void,
) {
  return await where.cuervo(['ask', '--model', 'claude-test', question], {
    env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: url },
    ...(onStart === undefined ? {} : { onStart }),
  });
}

/** Runs of each kind: answered, changed, denied, with hostile words. */
async function openFilled(): Promise<Place> {
  const place = openPlace(files);
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const price = 'context = 200_000\ninput = 3\noutput = 15\n';
  writeFileSync(join(place.home, 'models.toml'), `[models.claude-test]\n${price}`);
  await using server = await startAnthropicServer(reading('message'), { apiKey });
  await askModel(place, server.url, 'how often is a request tried again?');
  const write = { path: 'src/retry.ts', text: 'export const retryLimit = 8;\n' };
  await place.cuervo(['ask', 'where is the retry limit set?']);
  await place.cuervo(['ask', `where does the heron nest ${markup}\u202e?`]);
  await place.cuervo(['run', 'file.write', JSON.stringify(write), '--allow', 'fs-write:work']);
  await place.cuervo(['run', 'file.write', '{"path":"no.txt","text":"x"}']);
  await place.cuervo(['run', 'file.read', '{"path":"deploy.sh"}']);
  await place.cuervo(['memory', 'add', 'notes.md']);
  return place;
}

let place: Place;
beforeAll(async () => {
  place = await openFilled();
  mkdirSync(shots, { recursive: true });
});
afterAll(() => place[Symbol.dispose]());

describe.skipIf(missingBrowser !== '')(`the page in a real browser ${missingBrowser}`, () => {
  it('shows runs, one run, memory, plugins, jobs and cost, wide and narrow, light and dark', async () => {
    await using ui = await openUi(place);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    const asked: string[] = [];
    const errors: string[] = [];
    tab.on('request', (made) => asked.push(made.url()));
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await tab.goto(ui.address());
    await tab.getByText('where is the retry limit set?').first().waitFor();
    const runs = await tab.locator('a.row').allTextContents();
    expect(runs).toHaveLength(6);
    await shoot(tab, 'runs');
    await tab.locator('a.row >> text=retry limit').first().click();
    await tab.getByText('Evidence').first().waitFor();
    await shoot(tab, 'run');
    await tab.keyboard.press('Escape');
    await tab.locator('a.row >> text=1 change').first().click();
    await tab
      .getByText(/^cuervo undo \w+$/)
      .first()
      .waitFor();
    expect(await tab.locator('.diff .added').allTextContents()).toEqual([
      '+export const retryLimit = 8;\n',
    ]);
    await shoot(tab, 'changed');
    await tab.keyboard.press('Escape');
    await tab.locator('a.row >> text=tried again').first().click();
    await tab.getByText('It is tried again 7 times.').first().waitFor();
    const facts = (await tab.locator('p.facts').allTextContents()).join(' ');
    expect(facts).toMatch(/requests?, [\d,]+ tokens in, [\d,]+ out/);
    for (const view of ['memory', 'plugins', 'jobs', 'cost']) {
      await tab.locator(`nav a >> text=${view}`).first().click();
      await tab.locator(`nav a[aria-current] >> text=${view}`).first().waitFor();
      await tab.locator('main section, main .empty').first().waitFor();
      await shoot(tab, view);
    }
    expect(await tab.locator('.bar').count()).toBeGreaterThan(0);
    // One run of a model whose price is in models.toml.
    const [cost = ''] = await tab.locator('main').allTextContents();
    expect(cost).toContain('Money by day');
    expect(cost).toMatch(/\$0\.0\d{3}$/);
    expect(errors).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`http://127.0.0.1:${ui.port}/`))).toEqual([]);
  });

  it('opens over a restart: it says so, and goes on with the new address', async () => {
    await using browser = await openBrowser();
    const tab = await browser.tab();
    let port = 0;
    {
      await using ui = await openUi(place);
      port = ui.port;
      await tab.goto(ui.address());
      await tab.locator('a.row').first().waitFor();
    }
    await tab.getByText('cuervo ui has ended').first().waitFor();
    // What was shown is still there to be read.
    expect(await tab.locator('a.row').count()).toBeGreaterThan(0);
    await using again = await openUi(place, ['--port', String(port)]);
    await tab.reload();
    await tab.getByText('cuervo ui was started anew since').first().waitFor();
    await tab.goto('about:blank');
    await tab.goto(again.address());
    await tab.locator('a.row').first().waitFor();
    expect(await tab.evaluate('location.hash')).toBe('#/runs');
  });

  it('is used with the keyboard alone', async () => {
    await using ui = await openUi(place);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    await tab.goto(ui.address());
    await tab.locator('a.row').first().waitFor();
    await tab.keyboard.press('j');
    await tab.keyboard.press('j');
    await tab.keyboard.press('Enter');
    await tab.locator('h1').first().waitFor();
    expect(await tab.locator('h1').allTextContents()).toEqual(['file.write']);
    expect(await tab.locator('section h2').allTextContents()).toContain('Denials');
    await tab.keyboard.press('Escape');
    await tab.locator('a.row').first().waitFor();
    await tab.keyboard.press('/');
    await tab.locator('#search:focus').first().waitFor();
    await tab.keyboard.type('heron quarry');
    await tab.keyboard.press('Enter');
    await tab.locator('.why').first().waitFor();
    const [why] = await tab.locator('.why').allTextContents();
    expect(why).toMatch(/^\d\.\d+: words \d\.\d+, meaning .* × layer .* × age /);
    await shoot(tab, 'search');
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('3');
    await tab.getByText('Granted: ').first().waitFor();
  });

  it('shows hostile words as words: nothing runs, nothing leads away', async () => {
    await using ui = await openUi(place);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    await tab.goto(ui.address());
    await tab.locator('a.row').first().waitFor();
    await tab.locator('a.row >> text=heron').first().click();
    await tab.getByText('Evidence').first().waitFor();
    expect(await tab.locator('main').allTextContents()).toEqual([
      expect.stringContaining('<script>document.title=2</script>'),
    ]);
    expect(await tab.locator('img, main script, iframe, form').count()).toBe(0);
    expect(await tab.evaluate('document.title')).toBe(`cuervo: ${place.work}`);
    const links = await tab.evaluate<string[]>('[...document.links].map(({ href }) => href)');
    expect(links.length).toBeGreaterThan(4);
    expect(links.filter((href) => new URL(href).host !== `127.0.0.1:${ui.port}`)).toEqual([]);
    // Markup that a mistake would let in is refused by the browser.
    await expect(tab.evaluate('document.body.innerHTML = "<b>x</b>"')).rejects.toThrow(/Trusted/);
  });

  it('shows a run as it happens', async () => {
    using fresh = openPlace(files);
    await using ui = await openUi(fresh);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    await tab.goto(ui.address());
    await tab.getByText('Nothing ran in this workspace yet').first().waitFor();
    const asked = fresh.cuervo(['ask', 'where is the retry limit set?']);
    await tab.locator('a.row').first().click();
    await asked;
    await tab
      .getByText(/^ok in \d+ ms$/)
      .first()
      .waitFor();
    expect(await tab.locator('.node.ok').count()).toBeGreaterThan(1);
  });

  it('shows a row of memory as it is written, and loses no word that is typed meanwhile', async () => {
    using fresh = openPlace(files);
    await using ui = await openUi(fresh);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    await tab.goto(ui.address());
    await tab.locator('nav a >> text=memory').first().click();
    await tab.getByText('Memory has no rows here.').first().waitFor();
    await fresh.cuervo(['ask', 'remember that the heron nests in the quarry']);
    await tab.locator('.row >> text=the heron nests').first().waitFor();
    await tab.keyboard.press('/');
    await tab.keyboard.type('badger');
    await fresh.cuervo(['ask', 'remember that the badger digs']);
    const asked = tab.evaluate(
      'new Promise((done) => { const { fetch } = window; let left = 3; window.fetch = (...of) => { if (--left === 0) done(true); return fetch(...of); }; })',
    );
    await asked;
    expect(await tab.evaluate("document.getElementById('search').value")).toBe('badger');
    expect(await tab.locator('.row >> text=the badger digs').count()).toBe(0);
    await tab.keyboard.press('Enter');
    await tab.locator('.why').first().waitFor();
    await tab.locator('.row >> text=the badger digs').first().waitFor();
  });

  it('shows a run that is going on, and how it ends', async () => {
    using fresh = openPlace(files);
    await using server = await startAnthropicServer(reading('hang'), { apiKey });
    await using ui = await openUi(fresh);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    await tab.goto(ui.address());
    await tab.getByText('Nothing ran in this workspace yet').first().waitFor();
    let pid = 0;
    const asked = askModel(fresh, server.url, 'how often?', (started) => {
      pid = started;
    });
    await tab.locator('a.row >> text=running').first().click();
    await tab.locator('.node.ok').first().waitFor();
    await tab.locator('.facts b.going').first().waitFor();
    await shoot(tab, 'going-on');
    process.kill(pid, 'SIGINT');
    await asked;
    await tab.locator('.facts b >> text=canceled').first().waitFor();
  });

  it('opens as a file, without a server, and connects to nothing', async () => {
    const ran = await place.cuervo(['ui', '--export', join(place.dir, 'report')]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const file = ran.stdout.trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await using browser = await openBrowser();
    const tab = await browser.tab();
    const asked: string[] = [];
    tab.on('request', (made) => asked.push(made.url()));
    await tab.goto(pathToFileURL(file).href);
    await tab.locator('a.row >> text=retry limit').first().click();
    await tab.getByText('src/retry.ts:').first().waitFor();
    expect(asked).toEqual([pathToFileURL(file).href]);
    await shoot(tab, 'exported');
    await expect(tab.evaluate("fetch('https://example.org/')")).rejects.toThrow();
  });
});

describe('cuervo ui', () => {
  it('serves who comes with the address, once', async () => {
    await using ui = await openUi(place);
    const first = new URL(ui.address()).hash.slice(1);
    const opened = await exchange(ui);
    expect(opened.status).toBe(200);
    const { token } = JSON.parse(opened.text) as { token: string };
    const headers = { 'x-cuervo-token': token };
    const runs = await send(ui, { path: '/api/runs', headers });
    expect(JSON.parse(runs.text)).toMatchObject({ isWhole: true, runs: { length: 6 } });
    expect(runs.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const once = { 'x-cuervo-once': first };
    const again = await send(ui, { method: 'POST', path: '/api/open', headers: once });
    expect(again).toMatchObject({ status: 401, text: expect.stringContaining('used before') });
    // The next address is another one, and opens another tab.
    await expect.poll(() => new URL(ui.address()).hash.slice(1)).not.toBe(first);
    expect((await exchange(ui)).status).toBe(200);
    for (const sent of ['', 'x', first, `${token}x`]) {
      const refused = await send(ui, { path: '/api/runs', headers: { 'x-cuervo-token': sent } });
      expect(refused.status).toBe(401);
    }
  });

  it.each([
    ['another host', { host: 'evil.example' }],
    ['the name of a host that points here', { host: 'localhost.evil.example' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin of a file', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s, and takes the same without it', async (_, strange) => {
    await using ui = await openUi(place);
    const { token } = JSON.parse((await exchange(ui)).text) as { token: string };
    const headers = { 'x-cuervo-token': token };
    expect((await send(ui, { path: '/api/runs', headers })).status).toBe(200);
    for (const path of ['/api/runs', '/', '/page.js']) {
      const refused = await send(ui, { path, headers: { ...headers, ...strange } });
      expect(refused).toMatchObject({ status: 403 });
    }
  });

  it('only reads, and knows nothing but its views', async () => {
    await using ui = await openUi(place);
    const { token } = JSON.parse((await exchange(ui)).text) as { token: string };
    const headers = { 'x-cuervo-token': token };
    const statusOf = async (method: string, path: string): Promise<number> =>
      (await send(ui, { method, path, headers })).status;
    expect(await statusOf('GET', '/api/jobs')).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect(await statusOf(method, '/api/jobs')).toBe(404);
    for (const path of ['/api/nothing', '/../../etc/hostname', '/page.js/..%2f..%2fpackage.json'])
      expect(await statusOf('GET', path)).toBe(404);
    expect(await statusOf('GET', `/api/memory?text=${'x'.repeat(1_001)}`)).toBe(400);
    expect(await statusOf('GET', '/api/run?id=zzzz')).toBe(404);
  });

  it('shows no secret and no protected file, on the page or in a file', async () => {
    await using ui = await openUi(place);
    const { token } = JSON.parse((await exchange(ui)).text) as { token: string };
    const get = async (path: string) =>
      (await send(ui, { path, headers: { 'x-cuervo-token': token } })).text;
    const { runs } = JSON.parse(await get('/api/runs')) as { runs: { id: string }[] };
    const pages = await Promise.all(runs.map(({ id }) => get(`/api/run?id=${id}`)));
    const found = await get('/api/memory?text=deploy+key');
    const exported = await place.cuervo(['ui', '--export', join(place.dir, 'shown')]);
    const all = [...pages, found, readFileSync(exported.stdout.trim(), 'utf8')].join('\n');
    expect(all).toContain('deploy.sh');
    expect(all).not.toContain(key);
    expect(all).not.toContain('\u202e');
    expect(all).not.toContain(esc);
  });

  it('shows no evidence that is a link or protected by now', async () => {
    using fresh = openPlace(files);
    await fresh.cuervo(['ask', 'where is the retry limit set?']);
    await using ui = await openUi(fresh);
    const { token } = JSON.parse((await exchange(ui)).text) as { token: string };
    const headers = { 'x-cuervo-token': token };
    const list = await send(ui, { path: '/api/runs', headers });
    const [run] = (JSON.parse(list.text) as { runs: { id: string }[] }).runs;
    const evidence = async () => {
      const { text } = await send(ui, { path: `/api/run?id=${run?.id}`, headers });
      return (JSON.parse(text) as { evidence: { path: string }[] }).evidence[0];
    };
    expect(await evidence()).toMatchObject({
      ...{ path: 'src/retry.ts', text: expect.stringContaining('retryLimit = 7') },
    });
    writeFileSync(join(fresh.dir, 'elsewhere.ts'), 'export const outside = 1;\n'.repeat(9));
    rmSync(join(fresh.work, 'src/retry.ts'));
    symlinkSync(join(fresh.dir, 'elsewhere.ts'), join(fresh.work, 'src/retry.ts'));
    expect(await evidence()).toEqual({
      ...{ path: 'src/retry.ts', line: 1, endLine: 2, note: 'the file is gone' },
    });
    rmSync(join(fresh.work, 'src/retry.ts'));
    fresh.write({ ...files, 'cuervo.toml': 'protected = ["src/**"]\n' });
    await using again = await openUi(fresh);
    const opened = JSON.parse((await exchange(again)).text) as { token: string };
    const { text } = await send(again, {
      ...{ path: `/api/run?id=${run?.id}`, headers: { 'x-cuervo-token': opened.token } },
    });
    expect(text).toContain('not shown: protected');
    expect(text).not.toContain('retryLimit = 7');
  });

  it('knows the runs of its own workspace alone', async () => {
    using other = openPlace({ 'a.txt': 'a\n' });
    const env = { CUERVO_HOME: place.home };
    await other.cuervo(['run', 'file.read', '{"path":"a.txt"}'], { env });
    const list = await other.cuervo(['runs', 'list', '--json'], { env });
    const id = String(list.rows[0]?.run);
    await using ui = await openUi(place);
    const { token } = JSON.parse((await exchange(ui)).text) as { token: string };
    const headers = { 'x-cuervo-token': token };
    const refused = await send(ui, { path: `/api/run?id=${id}`, headers });
    expect(refused).toMatchObject({
      ...{ status: 404, text: expect.stringContaining('is of another workspace') },
    });
  });

  it('is opened by a file that only its person can read, not by arguments', async () => {
    const bin = join(place.dir, 'bin');
    mkdirSync(bin);
    const opener = `#!/bin/sh
echo "$*" > ${bin}/asked
stat -c %a "\${1#file://}" > ${bin}/mode
cat "\${1#file://}" > ${bin}/page
`;
    writeFileSync(join(bin, 'xdg-open'), opener);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    await using ui = await openUi(place, ['--open'], `${bin}:${process.env.PATH}`);
    const read = (name: string): string => {
      try {
        return readFileSync(join(bin, name), 'utf8');
      } catch {
        return '';
      }
    };
    await expect.poll(() => read('page')).toContain(`url=${ui.address()}"`);
    expect(read('mode')).toBe('600\n');
    expect(read('asked')).toMatch(/^file:\/\/\S+\/open-\d+\.html\n$/);
  });

  it('says where an exported page lies, also where its folder is a link', async () => {
    const real = join(place.dir, 'real');
    mkdirSync(real);
    symlinkSync(real, join(place.work, 'linked'));
    const ran = await place.cuervo(['ui', '--export', 'linked']);
    expect(ran.stdout.trim()).toBe(join(real, 'index.html'));
    rmSync(join(place.work, 'linked'));
    // A link in the place of the file itself is replaced, and what it leads to stays.
    rmSync(join(real, 'index.html'));
    writeFileSync(join(place.dir, 'mine'), 'mine');
    symlinkSync(join(place.dir, 'mine'), join(real, 'index.html'));
    expect((await place.cuervo(['ui', '--export', real])).code).toBe(0);
    expect(readFileSync(join(place.dir, 'mine'), 'utf8')).toBe('mine');
    expect(readFileSync(join(real, 'index.html'), 'utf8')).toContain('<!doctype html>');
  });

  it('says that a port is taken, and which flag is wrong', async () => {
    await using ui = await openUi(place);
    const taken = await place.cuervo(['ui', '--port', String(ui.port)]);
    expect(taken.code).toBe(8);
    expect(twoLines(taken).error).toBe(
      `port ${ui.port} of 127.0.0.1 cannot be used: another program has it`,
    );
    const wrong = await place.cuervo(['ui', '--port', 'x']);
    expect(wrong.code).toBe(2);
    expect(twoLines(wrong).error).toContain('--port x is not a port');
  });

  it('sends at most 60 KB of script and style', () => {
    const sizes = ['page.js', 'style.css'].map(
      (name) => statSync(join(root, 'dist/page', name)).size,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(1_000);
    expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(60_000);
  });
});

/** Two widths, light and dark; no part of the page is wider than the window. */
async function shoot(tab: BrowserPage, name: string): Promise<void> {
  for (const width of [1100, 400]) {
    await tab.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme });
      await tab.screenshot({
        path: join(shots, `ui-${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
    const wide = await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(wide, `${name} at ${width}`).toBeLessThanOrEqual(0);
  }
  await tab.setViewportSize({ width: 1100, height: 800 });
}
