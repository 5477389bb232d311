import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ChatBody,
  type ChatReply,
  lastResult,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = [
  tmuxMissing(),
  existsSync('/usr/bin/bwrap') ? undefined : 'bubblewrap is not installed',
  existsSync('/usr/bin/python3') ? undefined : 'python3 is not installed',
].find((reason) => reason !== undefined);

/**
 * Three skills in the shape of those that are published (github.com/anthropics/skills): one with
 * scripts and a further page, one of words alone, one that says which tools it needs.
 */
const folder = '.claude/skills';
const skills = {
  [`${folder}/pdf/SKILL.md`]: `---
name: pdf
description: Comprehensive PDF manipulation toolkit for extracting text and tables, merging and splitting documents, and handling forms. When Claude needs to fill in a PDF form or programmatically process PDF documents at scale.
license: Proprietary. LICENSE.txt has complete terms
---

# PDF Processing Guide

## Quick start

Run \`python3 ${folder}/pdf/scripts/count_pages.py FILE\`. For forms read forms.md.
`,
  [`${folder}/pdf/forms.md`]: '# Forms\n\nRun the script check_fields.py first.\n',
  [`${folder}/pdf/LICENSE.txt`]: 'All rights reserved.\n',
  [`${folder}/pdf/scripts/count_pages.py`]:
    'import re, sys\ndata = open(sys.argv[1], "rb").read()\nprint("pages:", len(re.findall(rb"/Type\\\\s*/Page\\\\b", data)))\n'.replaceAll(
      '\\\\',
      '\\',
    ),
  [`${folder}/brand-guidelines/SKILL.md`]: `---
name: brand-guidelines
description: Applies Acme's official brand colors and typography to any sort of artifact that may benefit from having Acme's look-and-feel.
license: Complete terms in LICENSE.txt
---

# Acme Brand Styling

**Main Colors:**

- Dark: \`#141413\` - Primary text and dark backgrounds
`,
  [`${folder}/webapp-testing/SKILL.md`]: `---
name: webapp-testing
description: Toolkit for interacting with and testing local web applications using Playwright.
allowed-tools: Read, Grep, Bash(python3:*)
metadata:
  author: acme
  version: "1.0"
---

# Web Application Testing

Read the page first, then write a native Python Playwright script.
`,
  'a.pdf': '%PDF-1.4\n1 0 obj << /Type /Page >> endobj\n2 0 obj << /Type /Page >> endobj\n',
  'index.html': '<h1>Shop</h1>\n',
};

const words = (body: ChatBody): string => JSON.stringify(body.messages);
const offered = (body: ChatBody): string[] => (body.tools ?? []).map((each) => each.function.name);

/** A model that does what each skill says. */
function script(body: ChatBody): ChatReply {
  const result = lastResult(body);
  if (words(body).includes('The recipe pdf')) {
    const command = `python3 ${folder}/pdf/scripts/count_pages.py a.pdf`;
    return result === undefined
      ? { type: 'message', toolCalls: [{ name: 'shell__run', input: { command } }] }
      : { type: 'message', text: `Counted ${/pages: \d+/.exec(result)?.[0]}.` };
  }
  if (words(body).includes('The recipe brand-guidelines'))
    return { type: 'message', text: `Use ${/#[0-9a-f]{6}/.exec(words(body))?.[0]}.` };
  if (words(body).includes('The recipe webapp-testing'))
    return { type: 'message', text: `Tools: ${offered(body).toSorted().join(' ')}.` };
  return { type: 'message', text: 'No recipe came.' };
}

async function withModel(place: Place) {
  const server = await startOpenAiServer(script, {
    models: [{ id: 'test', max_model_len: 200_000 }],
  });
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  await place.cuervo(['model', 'use', 'srv/test']);
  return server;
}

describe('skills as they are published', () => {
  it('are well formed here', async () => {
    using place = openPlace(skills);
    for (const name of ['pdf', 'brand-guidelines', 'webapp-testing']) {
      const ran = await place.cuervo(['skill', 'check', `${folder}/${name}`]);
      expect(ran.stdout, ran.stderr).toContain(`${name} is well formed`);
    }
  });

  it.skipIf(missing)('are followed in a chat after one yes each, and then by ask', async () => {
    using place = openPlace(skills);
    await using server = await withModel(place);
    using terminal = openTerminal({
      cwd: place.work,
      env: {
        ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
        NO_COLOR: '1',
      },
    });
    terminal.type(`'${process.execPath}' '${program}' chat; echo ended $?`);
    await terminal.waitFor('Shift+Tab');
    terminal.type('/brand-guidelines for the page');
    await terminal.waitFor('[y/n] ');
    terminal.type('y');
    await terminal.waitFor('Use #141413.');
    terminal.type('/webapp-testing of index.html');
    await terminal.waitFor('[y/n] ', 2);
    terminal.type('y');
    await terminal.waitFor('Tools: ');
    terminal.type('/pdf how many pages has a.pdf');
    await terminal.waitFor('[y/n] ', 3);
    terminal.type('y');
    // The script is a program as any other: it is asked about, and runs in the sandbox.
    await terminal.waitFor('/n/?] ');
    expect(terminal.screen()).toContain('count_pages.py');
    terminal.type('y');
    await terminal.waitFor('Counted pages: 2.');
    terminal.type('/quit');
    await terminal.waitFor('ended 0');
    const tested = server.requests.find((body) => words(body).includes('recipe webapp-testing'));
    const tools = offered(tested as ChatBody);
    expect(tools).toContain('file__read');
    expect(tools).not.toContain('file__write');
    // The person agreed to these versions.
    const allow = ['--allow', 'exec:python3'];
    const asked = async (name: string) => (await place.cuervo(['do', name, ...allow])).stdout;
    expect(await asked('brand-guidelines')).toContain('Use #141413.');
    expect(await asked('pdf')).toContain('Counted pages: 2.');
    place.write({ [`${folder}/pdf/scripts/count_pages.py`]: 'print("pages: 99")\n' });
    expect((await place.cuervo(['do', 'pdf', ...allow])).code).toBe(3);
  });

  it('of a folder of one’s own need no further yes, and a model of ask chooses them', async () => {
    const name = 'brand-guidelines';
    using place = openPlace({ 'index.html': '<h1>Shop</h1>\n' });
    const own = join(place.home, 'skills', name, 'SKILL.md');
    const relative = join('..', 'home', 'skills', name, 'SKILL.md');
    place.write({ [relative]: skills[`${folder}/${name}/SKILL.md`] ?? '' });
    expect(existsSync(own)).toBe(true);
    await using server = await startOpenAiServer(
      (body) => {
        const result = lastResult(body);
        return result === undefined
          ? { type: 'message', toolCalls: [{ name: 'skill', input: { name } }] }
          : { type: 'message', text: `Use ${/#[0-9a-f]{6}/.exec(result)?.[0]}.` };
      },
      { models: [{ id: 'test', max_model_len: 200_000 }] },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    const ran = await place.cuervo(['ask', '-m', 'srv/test', 'which colour has text?']);
    expect(ran.stdout, ran.stderr).toContain('Use #141413.');
    expect(JSON.stringify(server.requests[0]?.tools)).toContain('brand colors and typography');
  });
});
