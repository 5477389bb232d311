/** In a sandbox with its own network the port is always free. */
export const proxyPort = 61080;

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]', '::1'];

/**
 * Settings for Java programs, which read no variables: Maven and Gradle hand these to their JVM.
 *
 * @param direct hosts that are reached without the proxy
 */
function javaProperties(direct: readonly string[]): string {
  const proxy = ['http', 'https'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=127.0.0.1`,
    `-D${scheme}.proxyPort=${proxyPort}`,
  ]);
  return [...proxy, `-Dhttp.nonProxyHosts=${direct.join('|')}`].join(' ');
}

/**
 * The variables by which programs learn of a proxy. What a program serves to itself on loopback
 * goes past it, unless that address is an origin that was granted.
 *
 * @param origins as `URL.origin` writes them
 */
export function proxyEnvironment(origins: readonly string[]): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const granted = new Set(origins.map((origin) => new URL(origin).hostname));
  const direct = loopbackHosts
    .filter((host) => !granted.has(host) && !granted.has(`[${host}]`))
    .filter((host) => !host.startsWith('['));
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct.join(','),
    no_proxy: direct.join(','),
    MAVEN_OPTS: javaProperties(direct),
    GRADLE_OPTS: javaProperties(direct),
    // Node uses a proxy only when told to.
    NODE_USE_ENV_PROXY: '1',
  };
}
