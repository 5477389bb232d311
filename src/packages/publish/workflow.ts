/**
 * A workflow of GitHub that builds a plugin twice, compares the two, has GitHub vouch for it, and
 * publishes it. No secret is kept: npm and the registry trust the workflow itself.
 *
 * @param options.folder of the plugin in its repository, `.` for the whole
 */
export function publishWorkflow(options: {
  name: string;
  folder: string;
  npm?: string;
  oci?: { registry: string; repository: string };
}): string {
  const { name, folder, npm, oci } = options;
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
        run: echo "digest=$(npx cuervo plugin publish one.wasm oci://${oci.registry}/${oci.repository} --dry-run --json | node -p 'JSON.parse(require("fs").readFileSync(0)).targets[0].digest')" >> "$GITHUB_OUTPUT"
      - uses: actions/attest-build-provenance@v3
        with:
          subject-name: ${oci.registry}/${oci.repository}
          subject-digest: \${{ steps.digest.outputs.digest }}
          push-to-registry: true`;
  return `# Publishes ${name} when a tag like v1.2.0 is pushed: builds it twice, compares the two, has GitHub
# vouch for it, and publishes to ${to.join(' and ')}.
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
      - run: if [ -f package-lock.json ]; then npm ci --ignore-scripts; fi
      - run: cuervo plugin build ${folder} -o one.wasm
      - run: cuervo plugin build ${folder} -o two.wasm
      - name: two builds of one source have to be one file
        run: cmp one.wasm two.wasm
      - name: the tag has to be the version
        run: test "$GITHUB_REF_NAME" = "v$(cuervo plugin inspect one.wasm --json | node -p 'JSON.parse(require("fs").readFileSync(0)).version')"
      - uses: actions/attest-build-provenance@v3
        with: { subject-path: one.wasm }${login}
      - run: cuervo plugin publish one.wasm ${to.join(' ')} --page ${folder}/README.md --repository "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" --yes -- --provenance --access public${attestOci}
`;
}
