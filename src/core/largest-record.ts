/**
 * The bytes of the largest record that is read: a line, a conversation of an export, a value of a database. A text is in memory about five times
 * on its way into the ledger, and a JavaScript string cannot be longer than 512 MB. A longer record is skipped and reported.
 */
export const LARGEST_RECORD = 64 << 20

/** How a skipped record is reported. */
export const TOO_LARGE = `longer than ${LARGEST_RECORD >> 20} MB`
