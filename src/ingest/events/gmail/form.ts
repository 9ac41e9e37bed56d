import { isApiHead } from './api-message.ts'

export type MailForm = 'mbox' | 'mail' | 'json' | 'lines'

const FIELD = /^([!-9;-~]{1,80})[ \t]*:/
const OF_MAIL = new Set(
  'from to cc subject date message-id received return-path delivered-to mime-version content-type reply-to x-gm-thrid x-gmail-labels dkim-signature'.split(
    ' ',
  ),
)

/** `least`: required mail fields; lower if the file name suggests mail. */
export function mailForm(head: Buffer, least = 2): MailForm | undefined {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const begin = text.trimStart()
  if (begin.startsWith('{') || begin.startsWith('[')) return isApiHead(begin) ? jsonForm(begin) : undefined
  if (/^\s*From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,]/.test(text))
    return isMail(begin.slice(begin.indexOf('\n') + 1), 1) ? 'mbox' : undefined
  return isMail(begin, least) ? 'mail' : undefined
}

function jsonForm(begin: string): 'json' | 'lines' {
  const newline = begin.indexOf('\n')
  if (!begin.startsWith('{') || newline === -1 || begin.slice(newline).trim() === '') return 'json'
  return /\}\s*$/.test(begin.slice(0, newline)) && /^\s*\{/.test(begin.slice(newline)) ? 'lines' : 'json'
}

/** Checks only the headers: the body may hold anything. */
function isMail(text: string, least: number): boolean {
  let known = 0
  let wrong = 0
  let lines = 0
  let zeros = 0
  for (const line of text.split(/\r?\n/, 400)) {
    if (line === '') break
    lines += 1
    if (line.includes('\0')) zeros += 1
    if (/^[ \t]/.test(line)) continue
    const field = FIELD.exec(line)?.[1]?.toLowerCase()
    if (field === undefined) wrong += 1
    else if (OF_MAIL.has(field)) known += 1
  }
  return known >= least && wrong * 4 <= lines && zeros * 4 <= lines
}
