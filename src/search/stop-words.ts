/** English filler words of questions. For queries only, never for stored text. */

const STOP = `
a an the this that these those there here it its itself
i me my mine myself we us our ours ourselves you your yours yourself he him his she her hers they them their theirs
one ones someone something anyone anything everyone everything nobody nothing
am is are was were be been being do does did done doing have has had having
can could may might must shall should will would ought
and or but nor so if then else than as of in on at by for from to into onto with without within about above below over
under between among through during before after since until while against per via up down out off again
not no yes nah ok okay please thanks
very really just only also too even still already yet ever never always often sometimes maybe perhaps quite rather
some any all both each every either neither few many much more most other others another such same own
`
const QUESTION = `
whether say says said saying tell tells told telling talk talks talked talking speak spoke spoken discuss discusses discussed discussing
discussion conversation mention mentions mentioned mentioning ask asks asked asking
remember recall remind find search show look
know knew known think thought mean means meant get gets got gotten give gave given let lets
time times thing things stuff lot kind sort way
recently lately earlier previously ago last
`
const CONTRACTED = `
don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't
i'm i've i'd i'll you're you've you'd you'll we're we've we'd we'll they're they've they'd they'll he's she's it's
that's there's here's what's who's where's when's how's why's let's
`

const set = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').split(/\s+/).filter(Boolean))
const INTERROGATIVE = set('what which who whom whose when where why how did does do')
const EMPTY = set(STOP, CONTRACTED, [...INTERROGATIVE].join(' '))
const FILLER = set(QUESTION)

/** Dropped if the query has other words. */
export function isStopWord(word: string): boolean {
  return isEmptyWord(word) || FILLER.has(word.toLowerCase())
}

/** Never a subject; "remind" and "time" are one if the query has no other. */
export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word.toLowerCase())
}

export function isInterrogative(word: string): boolean {
  return INTERROGATIVE.has(word.toLowerCase())
}
