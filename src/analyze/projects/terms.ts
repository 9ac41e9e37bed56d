/** Extracts definitions of project terms from documents, code comments and speech. Precision first. */
import { plainLine, sentencesOf } from '../plain-line.ts'
import type { Fact } from './fact.ts'

const LONGEST = 240
const SHORTEST = 24
const MOST = 40

const TERM = /^(?:[\p{L}][\p{L}\p{N}'’/-]*)(?: [\p{L}\p{N}][\p{L}\p{N}'’/-]*){0,3}$/u
const NO_TERM =
  /^(?:this|that|these|those|it|they|he|she|we|you|i|there|here|what|which|who|where|when|why|how|one|some|each|every|any|all|both|none|another|other|such|also|so|then|if|but|and|or|not|no|yes|only|currently|now|first|second|third|next|last|finally|instead|my|your|our|their|its|his|her|same|current|existing|new|old|original|previous|following|above|below|main|key|real|actual|root|proposed|recommended|suggested|remaining|resulting|correct|wrong|best|better|simplest|easiest|default|expected|either|neither|most|many|few|more|since|because|while|although|however|therefore|note|todo|fixme|important|warning|example|step|phase|part|option|alternative|everything|nothing|something|anything|today|right|left|hardcoded|good|bad)\b/i
const GENERIC =
  /\b(?:issue|problem|bug|fix|solution|question|answer|cause|reason|approach|idea|plan|goal|purpose|result|error|warning|failure|change|changes|difference|point|thing|way|case|cases|code|file|files|line|lines|test|tests|output|value|values|check|comment|comments|commit|branch name|message|summary|status|concern|suggestion|recommendation|benefit|advantage|tradeoff|trade-off|downside|limitation|behavior|behaviour|scenario|situation|reviewer|user|pattern|logic|implementation|assumption|requirement|decision|impact|context|claim|statement|word|name|names|list|task|todo|description|caveat|outcome|conclusion|reality|challenge|risk|catch|trick|rule|gap)s?$/i
const DEFINES = /^(?:(?:An?|The) )?(.{2,48}?) (?:is|are) (an?|the|one of the|any|simply an?|just an?) (.+)$/u
/** For a term of several words, its place or name is as good as a definition. */
const IS_KEPT =
  /^(?:(?:An?|The) )?([\p{L}][\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+){1,2}) (?:is|are) (?:named|called|stored|keyed|kept|saved|recorded|written) (\S.+)$/u
const MEANS = /^(?:(?:An?|The) )?["“`*]*(.{2,48}?)["”`*]* (?:refers to|means|stands for|denotes) (.+)$/u
const CODE_COMMENT =
  /^([A-Z][A-Za-z0-9]{2,40}) (?:is|represents|describes|defines|holds|stores|contains|implements|provides|manages|identifies) (?:an?|the|all|one|information|metadata|state) (.+)$/
const IN_TERM =
  /\b(?:this|that|these|those|is|are|was|were|be|it|if|when|which|who|to|not|confirms?|says?|shows?|means?|check|overall|parameter|argument|field|function|method|flag|exit|return|returns|here|there|you|we|i|does|do|has|have|can|will|would|should)\b/i
const PASSING =
  /^(?:bug|problem|issue|bit|lot|few|good|great|nice|bad|better|best|clean|cleaner|simple|simpler|common|known|real|valid|false|pre-?existing|no-?op|mistake|race|potential|possible|minor|major|big|huge|significant|critical|serious|subtle|separate|different|similar|same|only|first|last|next|right|wrong|correct|safe|reasonable|sensible|natural|direct|quick|small|one-line|breaking|regression|leftover|symptom|consequence|result|reason|root|key|main|most|case|fact|way|place|point|question|matter|concern|case where|behavior|design choice|trade-?off|candidate|duplicate|typo|blocker|must|requirement|follow-?up|deliberate|intentional)\b/i
const SELF =
  /\b(?:I|I'm|I'll|we|we're|we'll|you|you're|your|my|our|me|us|let's|please|this (?:PR|branch|change|commit|session|task|turn|plan|phase))\b/i
const MOMENT = /\b(?:currently|now|just|already|still|yet|today|yesterday|earlier|above|below|here|there|above-mentioned|TODO|FIXME)\b/

export interface DefinedTerm {
  readonly term: string
  readonly sentence: string
}

export function definitionsIn(sentence: string, { isCode = false } = {}): DefinedTerm | undefined {
  const text = sentence.trim()
  if (text.length < SHORTEST || text.length > LONGEST || /[?!]$|[:;,]$|https?:|[{}|=]|\.\.\./.test(text)) return undefined
  const found = (isCode ? CODE_COMMENT.exec(text) : null) ?? DEFINES.exec(text) ?? MEANS.exec(text) ?? IS_KEPT.exec(text)
  if (found === null) return undefined
  const term = (found[1] ?? '').replace(/[`*"“”]/g, '').trim()
  const rest = found.length > 3 ? (found[3] ?? '') : (found[2] ?? '')
  if (!isTerm(term) || PASSING.test(rest) || SELF.test(text) || MOMENT.test(text) || rest.split(' ').length < (IS_KEPT.test(text) ? 1 : 3))
    return undefined
  return { term, sentence: /[.)]$/.test(text) ? text : `${text}.` }
}

export function isTerm(term: string): boolean {
  return term.length >= 3 && term.length <= 40 && TERM.test(term) && !NO_TERM.test(term) && !GENERIC.test(term) && !IN_TERM.test(term)
}

export function termKey(term: string): string {
  const plain = term.toLowerCase().replaceAll('’', "'")
  return /[^s]s$/.test(plain) && plain.length > 4 && !/(?:us|is|ss)$/.test(plain)
    ? plain.replace(/(?<=(?:ch|sh|x))es$|(?<!(?:ch|sh|x)e)s$/, '')
    : plain
}

const fact = ({ term, sentence }: DefinedTerm, from: string, file?: string): Fact => ({
  ...{ kind: 'term', key: termKey(term), value: sentence },
  detail: { term, from, ...(file === undefined ? {} : { file }) },
  ...(from === 'said' ? {} : { isForeign: true }),
})

const GLOSSED =
  /^\s*(?:[-*+]|\d+\.)?\s*(?:\*\*|__)([^*_\n]{2,48}?)(?::)?(?:\*\*|__)(?: \(([^)\n]{1,60})\))?\s*(?::|—|–|-{1,2}|=)?\s+(\S.{20,230})$/
const GLOSSARY = /\b(?:glossary|terms|terminology|concepts|definitions|vocabulary|key concepts|core concepts|naming)\b/i

export function documentTerms(text: string, file: string): Fact[] {
  const facts: Fact[] = []
  let isGlossary = false
  let isFence = false
  let isTable = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isFence = !isFence
    if (isFence || line.length > 2_000) continue
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1]
    if (heading !== undefined) isGlossary = GLOSSARY.test(heading)
    const cells = /^\|(.+)\|\s*$/
      .exec(line)?.[1]
      ?.split('|')
      .map((cell) => cell.trim())
    if (cells === undefined) isTable = false
    else if (/^(?:term|word|concept)s?$/i.test(cells[0]?.replaceAll('*', '') ?? '')) isTable = true
    else if (isTable && cells.length >= 2 && !/^:?-+/.test(cells[0] ?? '')) {
      const term = plainLine(cells[0] ?? '', 60)
      const sentence = plainLine(cells[1] ?? '', LONGEST)
      if (isTerm(term) && sentence.length >= SHORTEST) facts.push(fact({ term, sentence: `${term}: ${sentence}` }, 'document', file))
    }
    const glossed = isGlossary && cells === undefined ? GLOSSED.exec(line) : null
    if (glossed !== null) {
      const term = plainLine(glossed[1] ?? '', 60)
      const sentence = plainLine(glossed[3] ?? '', LONGEST)
      if (isTerm(term) && sentence.length >= SHORTEST) facts.push(fact({ term, sentence: `${term}: ${sentence}` }, 'document', file))
    } else if (heading === undefined && cells === undefined && / (?:is|are|means|refers to|stands for) /.test(line))
      for (const sentence of sentencesOf(plainLine(line.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, ''), 2_000))) {
        const found = definitionsIn(sentence)
        if (found !== undefined) facts.push(fact(found, 'document', file))
      }
    if (facts.length >= MOST) break
  }
  return facts
}

const SAYS =
  / (?:is|are|means|represents|refers to|describes|defines|stands for|holds|stores|contains|implements|provides|manages|identifies)\b/
const COMMENT = /^\s*(?:\/\/+!?|#|\*|--|;;)\s?(.*)$/

export function commentTerms(text: string, file: string): Fact[] {
  if (!/ (?:is|are|means|represents|refers to|describes|defines|stands for) /.test(text)) return []
  const facts: Fact[] = []
  let block: string[] = []
  const end = (next: string) => {
    const said = block.some((one) => SAYS.test(one)) ? sentencesOf(block.join(' ')) : []
    block = []
    const kept = said.slice(1).find((one) => IS_KEPT.test(one))
    const more = kept === undefined ? undefined : definitionsIn(kept)
    if (more !== undefined) facts.push(fact(more, 'comment', file))
    const [first] = said
    if (first === undefined || first.length > LONGEST) return
    const found = definitionsIn(first, { isCode: true })
    if (found === undefined) return
    const isName = !found.term.includes(' ')
    // A comment defines a name only above its declaration; fields and variables are no terms.
    if (
      isName
        ? isDeclaration(next, found.term)
        : /^(?:An? |[A-Z]\w+(?: \w+)*s are |[A-Z]\w+(?: \w+)+ (?:is|are) (?:named|called|stored|keyed))/.test(first)
    )
      facts.push(fact(found, 'comment', file))
  }
  for (const line of text.split('\n')) {
    const said = COMMENT.exec(line)?.[1]
    if (said === undefined || /^(?:!\/|\s*(?:nolint|eslint|TODO|FIXME|@|region|go:))/.test(said)) end(line)
    else if (block.length < 4) block.push(said.replace(/\*\/\s*$/, '').trim())
    if (facts.length >= MOST) return facts
  }
  end('')
  return facts
}

function isDeclaration(line: string, name: string): boolean {
  return new RegExp(`\\b(?:type|class|interface|struct|enum|trait|record|protocol|module)\\s+${name}\\b`).test(line)
}

/** A term of one plain word is mostly momentary. */
export function saidTerms(text: string): Fact[] {
  if (!/ (?:is|are) (?:an?|the|any) | (?:refers to|stands for|means) /.test(text)) return []
  const facts: Fact[] = []
  let isFence = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isFence = !isFence
    if (isFence || line.length > 4_000 || !/ (?:is|are|refers to|stands for|means) /.test(line)) continue
    for (const sentence of sentencesOf(plainLine(line.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, ''), 4_000))) {
      const found = definitionsIn(sentence)
      if (found !== undefined && /[ -]|[a-z][A-Z]/.test(found.term)) facts.push(fact(found, 'said'))
    }
    if (facts.length >= MOST) break
  }
  return facts
}
