/**
 * Larger records (a line, a conversation, a database value) are skipped and reported. Text occupies about five times its size on the way
 * into the ledger; JavaScript strings end at 512 MB.
 */
export const LARGEST_RECORD = 64 << 20

export const TOO_LARGE = `longer than ${LARGEST_RECORD >> 20} MB`
