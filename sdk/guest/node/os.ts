const none = (): never[] => [];

export const EOL = '\n';
export const devNull = '/dev/null';
export const constants = { signals: {}, errno: {}, priority: {} };
export const platform = (): string => 'wasi';
export const type = (): string => 'WASI';
export const arch = (): string => 'wasm32';
export const machine = (): string => 'wasm32';
export const release = (): string => '';
export const version = (): string => '';
export const hostname = (): string => 'localhost';
export const homedir = (): string => '/';
export const tmpdir = (): string => '/tmp';
export const endianness = (): string => 'LE';
export const cpus = none;
export const loadavg = (): number[] => [0, 0, 0];
export const networkInterfaces = (): object => ({});
export const availableParallelism = (): number => 1;
export const uptime = (): number => 0;
export const totalmem = (): number => 0;
export const freemem = (): number => 0;
export const userInfo = (): object => ({
  username: '',
  uid: -1,
  gid: -1,
  shell: null,
  homedir: '/',
});

export default {
  EOL,
  devNull,
  constants,
  platform,
  type,
  arch,
  machine,
  release,
  version,
  hostname,
  homedir,
  tmpdir,
  endianness,
  cpus,
  loadavg,
  networkInterfaces,
  availableParallelism,
  uptime,
  totalmem,
  freemem,
  userInfo,
};
