const functions: ReadonlySet<string> = new Set([
  ...['args_get', 'args_sizes_get', 'environ_get', 'environ_sizes_get'],
  ...['clock_res_get', 'clock_time_get', 'random_get', 'poll_oneoff', 'sched_yield'],
  ...['proc_exit', 'proc_raise', 'sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown'],
  ...['fd_advise', 'fd_allocate', 'fd_close', 'fd_datasync', 'fd_fdstat_get'],
  ...['fd_fdstat_set_flags', 'fd_fdstat_set_rights', 'fd_filestat_get', 'fd_filestat_set_size'],
  ...['fd_filestat_set_times', 'fd_pread', 'fd_prestat_get', 'fd_prestat_dir_name', 'fd_pwrite'],
  ...['fd_read', 'fd_readdir', 'fd_renumber', 'fd_seek', 'fd_sync', 'fd_tell', 'fd_write'],
  ...['path_create_directory', 'path_filestat_get', 'path_filestat_set_times', 'path_link'],
  ...['path_open', 'path_readlink', 'path_remove_directory', 'path_rename', 'path_symlink'],
  'path_unlink_file',
  // Belongs to the standard adapter: components made with it may want these.
  ...['adapter_open_badfd', 'adapter_close_badfd', 'adapter_monotonic_clock_set_paused'],
  'reset_adapter_state',
]);
const prefix = 'wasi_snapshot_preview1.';

/**
 * Whether an import, `MODULE.FIELD`, is of WASI preview 1. Some runtimes have added functions of
 * their own to its module.
 */
export function isPreviewOne(name: string): boolean {
  return name.startsWith(prefix) && functions.has(name.slice(prefix.length));
}
