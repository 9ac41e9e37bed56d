/** Below the home: ids and redacted questions behind the numbers of recent answers, one file per terminal. */
export const ANSWERS = 'answers'
