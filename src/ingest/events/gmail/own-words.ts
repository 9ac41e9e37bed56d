/**
 * Drops quoted history and signature. Keeps forwarded mail, which may exist nowhere else. Works line by line, so no pattern scans the whole
 * text.
 */

/** `On … wrote:` in many languages, spanning up to three lines. */
const ATTRIBUTIONS: readonly RegExp[] = [
  /^(?:On|At)\b.{4,300}\b(?:wrote|writes):$/i,
  /^(?:Am|Den)\b.{4,300}\b(?:schrieb|hat geschrieben)\b.{0,200}:$/i,
  /^.{4,300}\bschrieb(?: am .{0,100})?:$/i,
  /^Le\b.{4,300}a écrit\s?:$/i,
  /^El\b.{4,300}escribió:$/i,
  /^(?:Em|No dia|A)\b.{4,300}escreveu:$/i,
  /^(?:Il|In data)\b.{4,300}ha scritto:$/i,
  /^Op\b.{4,300}\b(?:schreef|heeft .{0,200} geschreven)\b.{0,200}:$/i,
  /^(?:Den|Mån|Tis|Ons|Tors|Fre|Lör|Sön|På)\b.{4,300}(?:skrev|följande)\b.{0,200}:$/i,
  /^.{4,300}(?:kirjoitti|napisał\(?a?\)?|pisze|napsal\(?a?\)?|yazdı|написал\(?а?\)?|пишет|писал\(?а?\)?)\s?:$/i,
  /^.{4,300}(?:写道|寫道|のメール|のメッセージ|書きました|님이 작성)\s?[:：]$/,
]
const ATTRIBUTION_ENDS = /[:：]$/

/** Outlook's header before a quoted mail. */
const ORIGINAL =
  /^[-_*\s]{2,}(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Originalnachricht|Message d'origine|Message original|Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht|Originalmeddelande|Oprindelig meddelelse|Opprinnelig melding|Alkuperäinen viesti|Wiadomość oryginalna|Исходное сообщение|元のメッセージ|原始邮件|原始郵件|원본 메시지|Orijinal Mesaj|Původní zpráva)[-_*\s]{2,}$/i
const FORWARDED =
  /^[-\s]{2,}.{0,10}(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado|Mensagem encaminhada|Messaggio inoltrato|Doorgestuurd bericht|Vidarebefordrat|Videresendt|Välitetty viesti|Wiadomość przekazana|Пересылаемое сообщение|転送|转发的邮件|전달된 메일).{0,20}[-\s]*$|^Begin forwarded message:$|^Anfang der weitergeleiteten Nachricht:$/i
const HEADER_LINE =
  /^\*?(?:From|Sent|To|Cc|Subject|Date|Von|Gesendet|An|Betreff|Datum|De|Envoyé|À|Objet|Para|Enviado(?: el)?|Enviada em|Asunto|Assunto|Da|Inviato|A|Oggetto|Data|Van|Verzonden|Aan|Onderwerp|Från|Skickat|Till|Ämne|Fra|Sendt|Til|Emne|Lähettäjä|Lähetetty|Aihe|Od|Wysłano|Do|Temat|От|Отправлено|Кому|Тема|差出人|送信日時|宛先|件名|发件人|发送时间|收件人|主题)\s?\*?\s?[:：]/i

const MOBILE =
  /^(?:Sent (?:from|via|with) (?:my |Yahoo|Mail|Outlook|Samsung|Proton|the new).{0,60}|Sent from my .{0,60}|Get Outlook for .{0,40}|Von meinem .{2,40} gesendet\.?|Gesendet (?:von|mit|über) .{2,60}|Diese Nachricht wurde von meinem .{2,60} gesendet.{0,20}|Envoyé (?:de|depuis) mon .{2,40}|Télécharger Outlook pour .{0,30}|Enviado (?:desde|do|de) (?:mi|meu) .{2,40}|Obtener Outlook para .{0,30}|Inviato da(?:l mio)? (?:i?Phone|i?Pad|Outlook|.{2,30})|Verzonden vanaf mijn .{2,40}|Verstuurd vanaf mijn .{2,40}|Skickat från min .{2,40}|Sendt fra min .{2,40}|Wysłane z .{2,40}|Отправлено с .{2,40}|iPhoneから送信|(?:从|發自|发自).{0,4}我的.{2,30}|나의 .{2,20}에서 보냄)$/i

const MOST_SIGNATURE_LINES = 15

interface Line {
  readonly text: string
  readonly from: number
  readonly to: number
}

export type Ranges = readonly (readonly [from: number, to: number])[]

/** Undefined if all text is the writer's. */
export function ownWords(content: string, { forwards }: { readonly forwards: boolean }): Ranges | undefined {
  const lines = linesOf(content)
  const own = new Array<boolean>(lines.length).fill(true)
  const drop = (from: number, to: number) => own.fill(false, from, to)
  let end = lines.length
  for (let at = 0; at < end; at++) {
    const { text } = lines[at] as Line
    if (text.startsWith('>')) {
      own[at] = false
      continue
    }
    if (FORWARDED.test(text) || isInnerMail(lines, at)) break
    const wide = attribution(lines, at)
    if (wide > 0) {
      // A quotation follows: either `>` lines, or everything after.
      const next = firstSaid(lines, at + wide)
      if (next < lines.length && (lines[next] as Line).text.startsWith('>')) drop(at, next)
      else end = at
    } else if (!forwards && (ORIGINAL.test(text) || isHeaderBlock(lines, at))) end = at
  }
  drop(end, lines.length)
  dropSignature(lines, own)
  return rangesOf(lines, own, content)
}

function linesOf(content: string): Line[] {
  const lines: Line[] = []
  for (let from = 0; from <= content.length; ) {
    const newline = content.indexOf('\n', from)
    const to = newline === -1 ? content.length : newline
    // No marker is this long.
    lines.push({ text: content.slice(from, Math.min(to, from + 600)).trimEnd(), from, to })
    from = to + 1
  }
  return lines
}

function attribution(lines: readonly Line[], at: number): number {
  let joined = ''
  for (let wide = 1; wide <= 3; wide++) {
    const text = lines[at + wide - 1]?.text.trim() ?? ''
    if (text === '' || text.length > 300 || text.startsWith('>')) return 0
    joined = joined === '' ? text : `${joined} ${text}`
    if (ATTRIBUTION_ENDS.test(text)) return ATTRIBUTIONS.some((pattern) => pattern.test(joined)) && isDated(joined) ? wide : 0
  }
  return 0
}

/** "Then he wrote:" is a sentence; an attribution has a time or address. */
function isDated(text: string): boolean {
  return /\d{1,2}[:.h]\d{2}|\d{4}|\S@\S|\d{1,2}[./-]\d{1,2}/.test(text)
}

function firstSaid(lines: readonly Line[], from: number): number {
  let at = from
  while (at < lines.length && (lines[at] as Line).text.trim() === '') at += 1
  return at
}

/** Three consecutive header lines, after Outlook's rule. */
function isHeaderBlock(lines: readonly Line[], at: number): boolean {
  let from = at
  const ruled = /^_{10,}$/.test((lines[at] as Line).text)
  if (ruled) from = firstSaid(lines, at + 1)
  const heads = [0, 1, 2].filter((i) => HEADER_LINE.test(lines[from + i]?.text ?? ''))
  return heads.length === 3
}

/** The parser's separator of an embedded mail, whose text exists nowhere else. */
function isInnerMail(lines: readonly Line[], at: number): boolean {
  return (
    /^-{10,}$/.test((lines[at] as Line).text) &&
    /^From: +\S/.test(lines[at + 1]?.text ?? '') &&
    /^Subject: |^Date: /.test(lines[at + 2]?.text ?? '')
  )
}

function dropSignature(lines: readonly Line[], own: boolean[]): void {
  const last = own.lastIndexOf(true)
  // A writer may continue between quotations: only trailing lines can be a signature.
  for (let at = last; at >= 0 && at > last - MOST_SIGNATURE_LINES; at--) {
    if (!own[at]) break
    if (isDashes(lines[at] as Line)) {
      own.fill(false, at, last + 1)
      break
    }
  }
  for (let at = own.lastIndexOf(true); at >= 0; at--) {
    const text = (lines[at] as Line).text.trim()
    if (!own[at] || text === '') continue
    if (!MOBILE.test(text)) break
    own[at] = false
  }
}

/** `-- ` often loses its trailing space. */
function isDashes({ text }: Line): boolean {
  return text === '--'
}

function rangesOf(lines: readonly Line[], own: readonly boolean[], content: string): Ranges | undefined {
  if (own.every((is) => is)) return undefined
  const ranges: [number, number][] = []
  for (let at = 0; at < lines.length; at++) {
    if (!own[at]) continue
    let to = at
    while (own[to + 1]) to += 1
    const [first, last] = [lines[at] as Line, lines[to] as Line]
    const text = content.slice(first.from, last.to)
    const from = first.from + (text.length - text.trimStart().length)
    const end = first.from + text.trimEnd().length
    if (end > from) ranges.push([from, end])
    at = to
  }
  return ranges
}
