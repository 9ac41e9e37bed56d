import { htmlText } from '../html-text.ts'
import { type Entry, first, parameter, text } from './entry.ts'

const TAGS = /<(?:br|p|div|span|a|b|i|u|ul|ol|li|html|body|table|strong|em|h[1-6])\b[^>]*>/i

export function descriptionOf(entry: Entry): string | undefined {
  const plain = text(entry, 'description')
  const property = first(entry, 'description')
  if (plain !== undefined) {
    const isHtml = parameter(property, 'fmttype')?.toLowerCase() === 'text/html' || TAGS.test(plain)
    return isHtml && looksLikeHtml(plain) ? readable(plain) : plain
  }
  const html = text(entry, 'x-alt-desc')
  return html === undefined ? undefined : readable(html.replaceAll('\\n', '\n').replaceAll('\\,', ',').replaceAll('\\;', ';'))
}

/** Google labels everything as HTML; plain text keeps its lines. */
function looksLikeHtml(written: string): boolean {
  return TAGS.test(written) || /&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/i.test(written)
}

function readable(html: string): string | undefined {
  const isPlainLines = TAGS.test(html) && html.includes('\n') && !/<(?:br|p|div|li)\b/i.test(html)
  const converted = htmlText(isPlainLines ? html.replaceAll('\n', '<br>') : html, 'addresses').trim()
  return converted === '' ? undefined : converted
}
