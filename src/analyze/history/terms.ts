/** Terms of a statement for comparison: code names, and words without plural endings. */

export interface Terms {
  readonly names: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

const LONGEST = 2_000
const MOST = 40
const TOKEN = /[\p{L}\p{N}_$@./\\:#~-]*[\p{L}\p{N}]/gu
const EDGE = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const REDACTED = /\[REDACTED:[a-z0-9-]{1,40}\]/g
const CODE = /`([^`\n]{2,80})`/g

const TELLS_NOTHING = new Set(
  `a about above actually add adding added after again against agree agreed ahead all already also although always am an and another any anymore anything are around as ask at
  away back bad be because been before behave being below better between both bring but by call called can cannot case change changed changing choose chose chosen come
  complete completely could current currently day decide decided decision default definitely delete did different disable disabled do does doing done drop each earlier either else
  enable enabled end entirely even ever every everything exactly existing fact false far few find fine first fix fixed following for former found from full further
  future get give given go going good got great had happen has have having he help her here his hold how however i idea if implement implementation implementing in
  include instead into invert is it its just keep keeping kept kind know last late later latter least leave less let like likely little long longer look looking lot
  made main make making many may maybe mean means meant might mind more most move moved moving much must my name named need needed needs never new next no none
  nor not note nothing now of off ok okay old on once one ones only onto option or other others our out over own part people perhaps place plan please point
  possible prefer preferred prefere probably properly put quite rather really reason related remove removed replace replaced return revert reverted right run running said same say
  second see seem seems send set several shall she should show shown shows similar simple simplify since so some something soon sort start still stop store stuff such sure switch
  switched take tell than thank thanks that the their them then there these they thing things think third this those though three through time to today together too true try
  turn two under undo unless until up update updated us use used user users using value very via want wanted wants was way we well were what when where whether which while
  who whole why will with within without work working works would write wrong yes yet you your
  behavior behaviour approach way feature logic code function method issue problem file files line lines command commands test tests testing add support handle handling
  let's lets i'd i'll i'm we'll we're we've don't doesn't isn't it's that's there's won't can't
  flag flags setting settings config configuration mode parameter parameters argument arguments
  yeah yep pr commit push branch review recommended`.split(/\s+/),
)

export function termsOf(text: string): Terms {
  const names = new Set<string>()
  const words = new Set<string>()
  const whole = text.replace(REDACTED, ' ').slice(0, LONGEST).replaceAll('’', "'")
  const put = (set: Set<string>, term: string) => {
    if (set.size < MOST) set.add(term)
  }
  for (const [, code = ''] of whole.matchAll(CODE)) {
    const name = code.replace(EDGE, '').toLowerCase()
    if (name.length > 1 && !/\s/.test(name)) put(names, name)
  }
  for (const [token] of whole.matchAll(TOKEN)) {
    const bare = token.replace(EDGE, '')
    if (bare.length < 2) continue
    if (isName(bare)) {
      const name = bare.toLowerCase()
      put(names, name)
      // `--no-telemetry` is about telemetry, and so is `src/a/telemetry.go`.
      for (const part of name.split(/[^\p{L}\p{N}]+/u)) putWord(part)
    } else putWord(bare.toLowerCase())
  }
  return { names, words }

  function putWord(word: string): void {
    if (word.length < 3 || /^\d+$/.test(word) || TELLS_NOTHING.has(word)) return
    const stem = stemOf(word)
    if (!TELLS_NOTHING.has(stem)) put(words, stem)
  }
}

/** `SessionStore`, `skip_push`, `a/b.ts`, `no-telemetry`, `go-git`; not `mid-session`, which is ordinary prose. */
function isName(token: string): boolean {
  if (/[_/\\.:#@$]/.test(token)) return /\p{L}/u.test(token)
  return (
    /\p{Ll}\p{Lu}/u.test(token) ||
    (/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u.test(token) && token === token.toLowerCase()) ||
    /^\p{Lu}{2,}-\d+$/u.test(token)
  )
}

/** Plurals only: full stemming would merge different things. */
export function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const ABOUT = 300

export function statementTerms(text: string, about = ''): Terms {
  return termsOf(`${text}\n${about.slice(0, ABOUT)}`)
}

const MOST_SHOWN = 12

export function subjectOf(text: string, about?: string): string[] {
  const { names, words } = statementTerms(text, about)
  return [...new Set([...names, ...words])].slice(0, MOST_SHOWN)
}

export function askedTerms(subject: string): string[] {
  const { names, words } = termsOf(subject)
  if (names.size + words.size > 0) return [...new Set([...names, ...words])]
  return subject
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word.length > 1)
    .map(stemOf)
}
