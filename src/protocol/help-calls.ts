/**
 * Two requests of a plugin process that no guest can make: for a sibling's help with a scan, and
 * for what the sibling found.
 */
export const helpCall = 'help.scan';
export const collectCall = 'help.collect';
