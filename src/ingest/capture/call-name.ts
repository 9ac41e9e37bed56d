/** Names for tool calls. Some servers number the calls of each request anew: such a number names a call only within its message. */

/** A run of letters and digits that is long enough to have been made for this call alone. */
const MADE_FOR_ONE = /(?=[A-Za-z]*\d)[A-Za-z0-9]{12,}/

/** `message` is the name of the message that makes the call. */
export function callName(message: string, id: string): string {
  return MADE_FOR_ONE.test(id) ? id : `${message}/${id}`
}
