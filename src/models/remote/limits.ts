/** The most characters of one answer with its calls: far above what any token limit gives. */
export const maxAnswerChars = 1024 * 1024;
/** The most calls of one answer; a whole question may make fewer. */
export const maxCalls = 1000;
/** For the body of an error, once its status is known. */
export const errorBodyMs = 5_000;
/** Until a connection is there: a lost first packet is sent again after one second and after three. */
export const usualConnectMs = 5_000;
/** A provider that is asked and says nothing. */
export const remoteSilence = { firstTokenMs: 60_000, idleMs: 60_000 };
/** A model on this machine may read its prompt for minutes. */
export const localSilence = { firstTokenMs: 600_000, idleMs: 120_000 };
