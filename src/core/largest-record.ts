/**
 * The bytes of the largest record that is read: a line, a conversation of an export, a value of a database. Text is held about five times
 * on its way into the ledger, and a string of JavaScript ends at 512 MB. What is longer is passed over and named.
 */
export const LARGEST_RECORD = 64 << 20

/** What is said of it. */
export const TOO_LARGE = `longer than ${LARGEST_RECORD >> 20} MB`
