import type { GatedPorts } from '../wasi-ports.ts';
import type { FileIdentities } from './file-identities.ts';
import type { FileJournal } from './file-journal.ts';
import type { OpenFiles } from './open-files.ts';
import type { PendingFiles } from './pending-files.ts';
import type { PlaceReach } from './reach-place.ts';
import type { Place } from './resolve-at.ts';

/** What the functions of the file system share. */
export type FilesystemContext = {
  ports: GatedPorts;
  reach: PlaceReach;
  journal: FileJournal;
  files: OpenFiles;
  pending: PendingFiles;
  identities: FileIdentities;
  /** Asked of the kernel once for each root in a call. Throws `HostFailure`. */
  requireWritable(place: Place): void;
};
