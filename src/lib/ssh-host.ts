/** The port of ssh where none is named. */
const usualPort = 22;
const maxPort = 65_535;

/**
 * The fault of a host that a person grants for ssh; undefined when it is right. A right one is
 * written in one way only, so that strings can be compared later.
 */
export function wrongSshHost(text: string): string | undefined {
  if (/^(?:\w+:\/\/|[^[]*@)/.test(text)) {
    return 'a host stands alone, without a scheme and a user, as in ssh:example.org or ssh:example.org:2222';
  }
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (!isHost(host)) {
    return 'a host is named in full and in small letters, as in ssh:example.org or ssh:example.org:2222';
  }
  if (port === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > maxPort)
    return `a port is a number from 1 to ${maxPort}`;
  return Number(port) === usualPort
    ? `write it as ssh:${host}, for 22 is the usual port`
    : undefined;
}

/** A host and a port as a grant names them. */
export function sshHost(host: string, port: number = usualPort): string {
  const name = host.toLowerCase();
  return port === usualPort ? name : `${name}:${port}`;
}

/** As hosts of origins: a name that resolves and has no meaning to a shell or as an option. */
function isHost(text: string): boolean {
  return (
    text.length <= 253 && /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]{2,45}\])$/.test(text)
  );
}
