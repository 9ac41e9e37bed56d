/** Restores apostrophes left out in typing: "whats moms birthday" becomes "what's mom's birthday". English only. */
import { isStopWord } from './stop-words.ts'

const CONTRACTED = /(?<![\w./'’-])(what|where|who|when|how|that)s(?![\w/'’-]|\.\w)/gi
const OWNED =
  'birthday|bday|anniversary|fav(?:ou?rite)?|age|jobs?|boss|manager|wife|husband|girlfriend|boyfriend|partner|dogs?|cats?|pets?|kids?|children|sisters?|brothers?|mom|mum|dad|parents|employer|company|address|e-?mail|phone|number|hobby|hobbies|surname|name|home'
const POSSESSIVE = new RegExp(`(?<![\\w./'’-])(\\p{L}{2,}[^\\Ws])s(?= (?:(?:new|old|last|first|full) )?(?:${OWNED})\\b)`, 'giu')

export function asSpelled(text: string): string {
  return text
    .replace(CONTRACTED, "$1's")
    .replace(POSSESSIVE, (whole, owner: string) => (isStopWord(whole) || isStopWord(owner) ? whole : `${owner}'s`))
}
