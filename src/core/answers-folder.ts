/** Where the command line keeps what the numbers of the last answers stand for, below the home: ids, and the redacted question of an agent; one small file a terminal. */
export const ANSWERS = 'answers'
