/** Decides if a later commit or message closes an action. In doubt it stays open: nobody looks at a wrongly closed one again. */
import { isOpen } from '../statements/open-sentence.ts'
import { STOP_WORDS } from '../stop-words.ts'

export interface LaterDeed {
  /** `made`: a commit subject, a pull request title, a ticked list entry. `said`: a sentence. */
  readonly kind: 'made' | 'said'
  readonly text: string
}

/** Phrases that only introduce the action: "please remind me to", "I'll", "TODO:". */
const LEAD =
  /^(?:(?:and|so|then|also|ok(?:ay)?|yes|please|pls|kindly|to-?dos?:|action (?:item|point)s?:|follow-?ups?:|don['’]t forget to|do not forget to|remember to|make sure to|remind me (?:to|about|that)|set a reminder (?:to|for)|add a reminder (?:to|for)|(?:i|we|you)(?:['’]ll| will|['’]m going to| am going to| are going to|['’]re going to| need to| have to| must|['’]ve got to| should|[' ]still)?(?: still| also| then| just| quickly)?)[,:]?\s+)+/i
const WHEN =
  /\b(?:by|on|before|until|at|next|this|later|tomorrow|today|tonight|soon|afterwards?|week|month|sprint|quarter|year|morning|afternoon|evening|noon|eod|eow|end|follow-?up|separate|future|pr|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|august|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|\d[\d:./-]*(?:st|nd|rd|th|am|pm)?)\b/gi
const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ send: 'sent', pay: 'paid', write: 'wrote|written', buy: 'bought', bring: 'brought', make: 'made', do: 'did|done', build: 'built' },
  ...{
    speak: 'spoke|spoken',
    take: 'took|taken',
    get: 'got',
    give: 'gave|given',
    tell: 'told',
    meet: 'met',
    find: 'found',
    run: 'ran|run',
  },
  ...{ put: 'put', set: 'set', read: 'read', cut: 'cut', draw: 'drew|drawn', tidy: 'tidied', split: 'split', feed: 'fed', drop: 'dropped' },
}
const NOT_DONE =
  /\b(?:not|never|n['’]t|without|before|until|unless|will|going to|['’]ll|should|could|would|need|needs|must|have to|has to|want|plan|almost|nearly|trying|still)\b/i

interface Parts {
  readonly verb: string
  readonly object: ReadonlySet<string>
}

export function closes(action: string, deed: LaterDeed): boolean {
  const { verb, object } = partsOf(action)
  if (object.size === 0) return false
  const words = wordsOf(deed.text)
  if (![...object].every((word) => words.has(word))) return false
  // One shared word is a coincidence, unless the verb matches as well.
  if (deed.kind === 'made') return object.size >= 2
  if (isOpen(deed.text) || NOT_DONE.test(deed.text)) return false
  return (
    new RegExp(said(pastOf(verb)), 'i').test(deed.text) ||
    (object.size >= 2 && new RegExp(said('done|finished|completed'), 'i').test(deed.text))
  )
}

const said = (past: string): string =>
  `(?:^|^(?:ok(?:ay)?|yes|done)[,.!:\\s]+|\\b(?:i|we)(?:['’]ve| have)?(?: just| now| already| also)? )(?:${past})\\b|\\b(?:is|are|was|were|has been|have been|got)(?: now| already)? (?:${past})\\b`

function pastOf(verb: string): string {
  const known = IRREGULAR[verb]
  if (known !== undefined) return known
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return `${verb}ed|${verb}${verb.at(-1)}ed`
}

function partsOf(action: string): Parts {
  const bare = action.replaceAll('’', "'").replace(LEAD, '')
  const verb = /^[a-z]+/i.exec(bare)?.[0].toLowerCase() ?? ''
  return { verb, object: wordsOf(bare.slice(verb.length).replace(WHEN, ' ')) }
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]{2,}/gu) ?? []
  return new Set(words.map((word) => word.replace(/[.-]+$/, '').replace(/(?<=\w{3})s$/, '')).filter((word) => !STOP_WORDS.has(word)))
}
