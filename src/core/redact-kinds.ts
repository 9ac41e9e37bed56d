/** Credentials that are known by their own shape. Each pattern is sticky, starts with a literal, and has no quantifier inside another. */
import { hasDigit, hasLongRun, hasRandomRun, isAlnum, isMixedCase } from './redact-values.ts'

export interface Found {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** What was found in the text, and where the scan continues. */
export interface Match {
  readonly found: readonly Found[]
  readonly next: number
}

interface Shape {
  /** Undefined: not a secret, and nothing inside may be taken for one. */
  readonly kind: string | undefined
  /** The literals it can start with: the scan looks at nothing else. */
  readonly starts: readonly string[]
  readonly pattern: RegExp
  readonly accepts?: (body: string) => boolean
  /** Leaves the literal start in place and redacts only what follows it. */
  readonly keepsStart?: true
  /** A more exact kind of the same span wins. */
  readonly isGeneric?: true
}

const WEBHOOK_PATH = /[\w/-]{20,}/y
/** How documentation masks a key. */
const MASKED = /[xX*.]{8}/
const isRandom = (body: string) => hasRandomRun(body, 16)

const SHAPES: readonly Shape[] = [
  { kind: undefined, starts: ['sha1-', 'sha256-', 'sha384-', 'sha512-'], pattern: /sha\d{1,3}-[\w+/=-]{20,}/y },
  { kind: 'anthropic-key', starts: ['sk-ant-'], pattern: /sk-ant-[\w-]{20,}/y, accepts: hasLongRun },
  { kind: 'openai-key', starts: ['sk-'], pattern: /sk-[\w-]{20,}/y, accepts: hasLongRun },
  { kind: 'google-key', starts: ['AIza'], pattern: /AIza[\w-]{33,40}(?![\w-])/y },
  { kind: 'google-oauth', starts: ['ya29.', 'GOCSPX-', '1//0'], pattern: /(?:ya29\.|GOCSPX-|1\/\/0)[\w-]{20,}/y, accepts: isMixedCase },
  { kind: 'groq-key', starts: ['gsk_'], pattern: /gsk_[A-Za-z0-9]{32,}/y },
  { kind: 'huggingface-token', starts: ['hf_', 'api_org_'], pattern: /(?:hf|api_org)_[A-Za-z0-9]{30,}/y, accepts: isMixedCase },
  { kind: 'replicate-token', starts: ['r8_'], pattern: /r8_[A-Za-z0-9]{30,}/y },
  { kind: 'xai-key', starts: ['xai-'], pattern: /xai-[A-Za-z0-9]{40,}/y },
  {
    kind: 'ai-provider-key',
    starts: ['pplx-', 'nvapi-', 'tvly-', 'csk-', 'fw_', 'lsv2_', 'jina_', 'fc-'],
    pattern: /(?:pplx-|nvapi-|tvly-|csk-|fw_|lsv2_|jina_|fc-)[\w-]{20,}/y,
    accepts: isRandom,
  },
  { kind: 'github-token', starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /gh[pousr]_[A-Za-z0-9]{30,}/y },
  { kind: 'github-token', starts: ['github_pat_'], pattern: /github_pat_\w{22,}/y },
  {
    kind: 'gitlab-token',
    starts: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-'],
    pattern: /gl[a-z]{2,4}-[\w-]{20,}/y,
    accepts: hasLongRun,
  },
  { kind: 'npm-token', starts: ['npm_'], pattern: /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y },
  { kind: 'pypi-token', starts: ['pypi-'], pattern: /pypi-[\w-]{50,}/y, accepts: isRandom },
  { kind: 'registry-token', starts: ['dckr_pat_', 'rubygems_'], pattern: /(?:dckr_pat_[\w-]{20,}|rubygems_[0-9a-f]{48})/y },
  {
    kind: 'slack-token',
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    pattern: /(?:xox[abeoprs][.-]|xapp-)[A-Za-z0-9.-]{10,255}/y,
    accepts: (body) => hasDigit(body) || hasLongRun(body),
  },
  { kind: 'slack-webhook', starts: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/'], pattern: WEBHOOK_PATH, keepsStart: true },
  {
    kind: 'discord-webhook',
    starts: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    pattern: WEBHOOK_PATH,
    keepsStart: true,
  },
  {
    kind: 'discord-token',
    starts: ['M', 'N', 'O'],
    pattern: /[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])/y,
    accepts: isMixedCase,
  },
  { kind: 'stripe-key', starts: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'], pattern: /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/y },
  { kind: 'stripe-key', starts: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/]{24,}={0,2}/y },
  { kind: 'telegram-token', starts: ['bot'], pattern: /\d{8,10}:AA[\w-]{32,34}(?![\w-])/y, keepsStart: true },
  { kind: 'elevenlabs-key', starts: ['sk_'], pattern: /sk_[0-9a-f]{48}(?![0-9a-z])/y },
  { kind: 'twilio-key', starts: ['SK'], pattern: /SK[0-9a-f]{32}(?![0-9A-Za-z])/y },
  { kind: 'sendgrid-key', starts: ['SG.'], pattern: /SG\.[\w-]{16,32}\.[\w-]{32,64}(?![\w-])/y },
  { kind: 'mailgun-key', starts: ['key-'], pattern: /key-[0-9a-f]{32}(?![0-9A-Za-z])/y },
  { kind: 'aws-access-key', starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], pattern: /A[A-Z]{3}[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { kind: 'age-key', starts: ['AGE-SECRET-KEY-1'], pattern: /AGE-SECRET-KEY-1[0-9A-Z]{50,}/y },
  {
    kind: 'cloud-token',
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_', 'dapi', 'hvs.', 'hvb.', 'sbp_', 'sb_secret_', 'tskey-', 'pul-', 'dp.pt.', 'dp.st.', 'EAAA'],
    pattern: /(?:do[opr]_v1_|dapi|hv[bs]\.|sbp_|sb_secret_|tskey-|pul-|dp\.[ps]t\.|EAAA)[\w-]{30,}/y,
    accepts: isRandom,
  },
  {
    kind: 'service-token',
    starts: [
      'lin_api_',
      'ntn_',
      'secret_',
      'figd_',
      'shpat_',
      'shpca_',
      'shppa_',
      'shpss_',
      'sntrys_',
      'glsa_',
      'glc_',
      'NRAK-',
      'ATATT3',
      'PMAK-',
    ],
    pattern: /(?:lin_api_|ntn_|secret_|figd_|shp(?:at|ca|pa|ss)_|sntrys_|glsa_|glc_|NRAK-|ATATT3|PMAK-)[\w=-]{24,}/y,
    accepts: isRandom,
  },
  { kind: 'jwt', starts: ['eyJ'], pattern: /eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]*(?:\.[\w-]{8,}){1,3})/y },
  {
    kind: 'authorization',
    starts: ['Bearer ', 'bearer '],
    pattern: /[\w.~+/=-]{20,}/y,
    accepts: isRandom,
    keepsStart: true,
    isGeneric: true,
  },
]

/** Starts that are also ends of ordinary names (`cache-key-<hash>`): a credential only where a word begins. */
const ONLY_WORDS = new Set(
  'sha1- sha256- sha384- sha512- 1//0 api_org_ csk- fw_ fc- M N O bot key- hvs. hvb. dapi pul- dp.pt. dp.st. EAAA ntn_ secret_ glc_'.split(
    ' ',
  ),
)

/** The kinds of this table, for the documentation and its test. */
export const SHAPE_KINDS: readonly string[] = [...new Set(SHAPES.flatMap((shape) => shape.kind ?? []))]

interface Start {
  readonly literal: string
  readonly shape: Shape
}

/** By the first two characters, so that an ordinary word costs one look-up. */
const BY_FIRST_TWO: (readonly Start[] | undefined)[] = new Array(128 * 128).fill(undefined)
for (const shape of SHAPES) {
  for (const literal of shape.starts) {
    const seconds = literal.length > 1 ? [literal.charCodeAt(1)] : Array.from({ length: 128 }, (_, code) => code)
    for (const second of seconds) {
      const slot = literal.charCodeAt(0) * 128 + second
      BY_FIRST_TWO[slot] = [...(BY_FIRST_TWO[slot] ?? []), { literal, shape }]
    }
  }
}

/** True where a shape may begin with these two characters of ASCII. */
export function beginsShape(first: number, second: number): boolean {
  return BY_FIRST_TWO[first * 128 + second] !== undefined
}

/** The longest name before a credential: in a longer run only its beginning is tried, so that nothing is read again and again. */
const LONGEST_RUN = 128

function isDeepInside(text: string, at: number): boolean {
  const floor = at - LONGEST_RUN
  for (let before = at - 1; before >= floor; before--) {
    const code = before < 0 ? 0 : text.charCodeAt(before)
    if (!isAlnum(code) && code !== 0x2d && code !== 0x5f) return false
  }
  return true
}

/** Starts that nothing else contains, even in the middle of a word: what came before them may have been removed. */
const UNMISTAKABLE = 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ sk-ant- sk-proj- glpat- xoxb- xoxp- npm_ dckr_pat_ sk_live_ rk_live_'
/** By the letter before their first '-' or '_', so that most of those characters cost one look-up. */
const BY_LETTER: ({ readonly literal: string; readonly before: number }[] | undefined)[] = new Array(128).fill(undefined)
for (const literal of UNMISTAKABLE.split(' ')) {
  const before = literal.search(/[-_]/)
  const slot = literal.charCodeAt(before - 1)
  BY_LETTER[slot] = [...(BY_LETTER[slot] ?? []), { literal, before }]
}

/** The credential whose start has its first '-' or '_' at `at`, joined to the word before it; not one that begins before `floor`. */
export function matchGlued(text: string, at: number, floor: number): Match | undefined {
  const candidates = at === 0 ? undefined : BY_LETTER[text.charCodeAt(at - 1)]
  if (candidates === undefined) return undefined
  for (const { literal, before } of candidates) {
    const start = at - before
    if (start < floor || start === 0 || !text.startsWith(literal, start) || !isAlnum(text.charCodeAt(start - 1))) continue
    const match = matchShape(text, start, true)
    if (match !== undefined) return match
  }
  return undefined
}

/** The credential of a known shape that begins at `at`: the start of a word, or else (`isInside`) of a part of one, as in `token_ghp_…`. */
export function matchShape(text: string, at: number, isInside = false): Match | undefined {
  const first = text.charCodeAt(at)
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 128
  const starts = first < 128 && second < 128 ? BY_FIRST_TWO[first * 128 + second] : undefined
  if (starts === undefined) return undefined
  for (const { literal, shape } of starts) {
    if (!text.startsWith(literal, at) || (isInside && (ONLY_WORDS.has(literal) || isDeepInside(text, at)))) continue
    const start = shape.keepsStart ? at + literal.length : at
    shape.pattern.lastIndex = start
    const body = shape.pattern.exec(text)?.[0]
    if (body === undefined || shape.accepts?.(body) === false || MASKED.test(body)) continue
    const end = start + body.length
    if (shape.kind === undefined) return { found: [], next: end }
    const inner = shape.isGeneric ? matchShape(text, start) : undefined
    return inner?.found[0]?.end === end ? inner : { found: [{ kind: shape.kind, start, end }], next: end }
  }
  return undefined
}
