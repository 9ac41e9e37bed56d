/** Gate of the prompt hook: stops prompts that surely need no memory, before anything loads. In doubt a prompt passes. Imports nothing. */

const MOST_WORDS = 6
const MOST_ARGUMENTS = 3

/** Assent, refusal, thanks: their meaning is in the session. */
const ASSENT: ReadonlySet<string> = new Set(
  (
    'y yes yep yeah yup yea n no nope ok okay k kk sure fine great perfect nice cool good awesome excellent amazing wonderful lovely neat ' +
    'thanks thank thx ty cheers you please pls continue proceed go ahead on keep going next again retry try stop wait cancel abort done ' +
    'do it that this now and then all right alright correct exactly agreed approved approve confirm confirmed lgtm looks sounds works ' +
    'so very much job work well hi hello hey bye goodbye ' +
    'ja nein danke bitte weiter gut genau oui non merci continue d’accord si sí gracias vale'
  ).split(' '),
)

const CHOICE = /^(?:(?:option|number|nr)\s*)?(?:\d{1,2}|[a-h])[.)]?$/i
const SLASH_COMMAND = /^\/[a-z][\w:.-]*(?:\s+(.*))?$/is
/** Text of the harness in place of a prompt: commands, their output, notices. */
const OF_THE_HARNESS =
  /^(?:<(?:command-name|command-message|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr|task-notification|persisted-output|turn_aborted|subagent_notification|environment_context)[\s>]|\[Request interrupted by user)/
const NOT_A_WORD = /[^\p{L}\p{N}’'-]+/u

export function needsNoMemory(prompt: string): string | undefined {
  const text = prompt.trim()
  if (text === '') return 'empty'
  if (OF_THE_HARNESS.test(text)) return 'written by the harness'
  const command = SLASH_COMMAND.exec(text)
  if (command !== null && wordsOf(command[1] ?? '').length <= MOST_ARGUMENTS) return 'a command of the harness'
  if (text.length > 200) return undefined
  if (CHOICE.test(text)) return 'a choice'
  // `again?` may ask for an earlier time.
  if (text.includes('?')) return undefined
  const words = wordsOf(text)
  if (words.length === 0) return /[\p{L}\p{N}]/u.test(text) ? undefined : 'no word'
  return words.length <= MOST_WORDS && words.every((word) => ASSENT.has(word)) ? 'agrees, refuses or thanks' : undefined
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(NOT_A_WORD)
    .map((word) => word.replace(/^['’-]+|['’-]+$/g, ''))
    .filter((word) => word !== '')
}
