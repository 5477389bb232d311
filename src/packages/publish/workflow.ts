import { shellWord } from '../../lib/text/escape.ts';

/** Those that need a toolchain of their own. */
export type PluginLanguage = 'rust' | 'go' | 'c' | 'python';

/**
 * A workflow of GitHub that tests and checks a plugin, builds it twice, compares the two, has GitHub
 * vouch for it, and publishes it. No secret is kept: npm and the registry trust the workflow itself.
 *
 * @param options.folder of the plugin in its repository, `.` for the whole
 */
export function publishWorkflow(options: {
  name: string;
  folder: string;
  language?: PluginLanguage | undefined;
  npm?: string;
  oci?: { registry: string; repository: string };
}): string {
  const { name, language, npm, oci } = options;
  const folder = shellWord(options.folder);
  const to = [
    ...(npm === undefined ? [] : [`npm:${npm}`]),
    ...(oci === undefined ? [] : [`oci://${oci.registry}/${oci.repository}`]),
  ];
  const login =
    oci === undefined
      ? ''
      : `
      - uses: docker/login-action@v3
        with:
          registry: ${oci.registry}
          username: \${{ github.actor }}
          password: \${{ secrets.GITHUB_TOKEN }}`;
  const attestOci =
    oci === undefined
      ? ''
      : `
      - id: digest
        run: echo "digest=$(cuervo plugin publish one.wasm oci://${oci.registry}/${oci.repository} --dry-run --json | node -p 'JSON.parse(require("fs").readFileSync(0)).targets[0].digest')" >> "$GITHUB_OUTPUT"
      - uses: actions/attest-build-provenance@v3
        with:
          subject-name: ${oci.registry}/${oci.repository}
          subject-digest: \${{ steps.digest.outputs.digest }}
          push-to-registry: true`;
  return `# Publishes ${name} when a tag like v1.2.0 is pushed: tests and checks it, builds it twice, compares
# the two, has GitHub vouch for it, and publishes to ${to.join(' and ')}.
# For npm, name this file once as trusted publisher of the package on npmjs.com.
name: publish
on:
  push:
    tags: ['v*']
permissions:
  contents: read
  id-token: write
  attestations: write${oci === undefined ? '' : '\n  packages: write'}
env:
  # Both builds, and whoever repeats them, write the same time.
  SOURCE_DATE_EPOCH: 1
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with: { persist-credentials: false }
      - uses: actions/setup-node@v5
        with: { node-version: 26 }
      - run: npm install --global npm@latest cuervo
${language === undefined ? packages(folder) : toolchains[language]}
      - run: cuervo plugin test ${folder}
      - run: cuervo plugin check ${folder}
      - run: cuervo plugin build ${folder} --release -o one.wasm
${language === 'python' ? notCompared : compared(folder)}
      - name: the tag has to be the version
        run: test "$GITHUB_REF_NAME" = "v$(cuervo plugin inspect one.wasm --json | node -p 'JSON.parse(require("fs").readFileSync(0)).version')"
      - uses: actions/attest-build-provenance@v3
        with: { subject-path: one.wasm }${login}
      - run: cuervo plugin publish one.wasm ${to.join(' ')} --page ${folder}/README.md --repository "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" --yes${npm === undefined ? '' : ' -- --provenance --access public'}${attestOci}
`;
}

function packages(folder: string): string {
  return `      - run: if [ -f ${folder}/package-lock.json ]; then npm ci --ignore-scripts --prefix ${folder}; fi`;
}

const python = `      - uses: actions/setup-python@v6
        with: { python-version: '3.13' }`;

const toolchains = {
  rust: '      - run: rustup target add wasm32-wasip1 wasm32-unknown-unknown',
  go: `      - uses: actions/setup-go@v6
        with: { go-version: stable }`,
  c: `${python}
      - run: pip install ziglang`,
  python: `${python}
      - run: pip install componentize-py`,
} as const;

function compared(folder: string): string {
  return `      - run: cuervo plugin build ${folder} --release -o two.wasm
      - name: two builds of one source have to be one file
        run: cmp one.wasm two.wasm`;
}

/** Its toolchain makes another file each time. */
const notCompared = '      # Two builds of Python differ, so they are not compared.';
