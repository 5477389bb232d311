import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportedPage } from './views.ts';

/** The page's own script and style, as the build made them. */
export type PageFiles = { script: string; style: string };

/** @param dist folder of the built program */
export function readPageFiles(dist: string): PageFiles {
  const read = (name: string): string => readFileSync(join(dist, 'page', name), 'utf8');
  return { script: read('page.js'), style: read('style.css') };
}

/** The page for a server, which sends its policy as a header. */
export function pageHtml(): string {
  return htmlWith('<link rel="stylesheet" href="/page.css">', '<script src="/page.js"></script>');
}

/**
 * The page with all that it shows, as one file. Its policy names the digests of its own script and
 * style, and lets it connect to nothing.
 */
export function exportedHtml({ script, style }: PageFiles, data: ExportedPage): string {
  const policy = [
    "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    `script-src 'sha256-${digestOf(script)}'`,
    `style-src 'sha256-${digestOf(style)}'`,
  ].join('; ');
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return htmlWith(
    `<meta http-equiv="content-security-policy" content="${policy}"><style>${style}</style>`,
    `<script type="application/json" id="data">${json}</script><script>${script}</script>`,
  );
}

/** As a policy names it. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function htmlWith(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>cuervo</title>
${head}
</head>
<body>
<noscript>This page needs its script.</noscript>
${body}
</body>
</html>
`;
}
