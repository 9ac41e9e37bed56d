/** Link previews and app messages as text, from `payload_data`. */
import { given } from '../../../core/given.ts'
import { type Archived, archivedText, archivedUrl, isObject, readKeyedArchive } from './keyed-archive.ts'

export interface Balloon {
  readonly link?: { readonly url: string; readonly title?: string; readonly summary?: string; readonly site?: string }
  readonly app?: { readonly name: string; readonly text?: string; readonly url?: string }
}

const LINK = 'com.apple.messages.URLBalloonProvider'

/** Built-in balloons; other apps name themselves in the payload. */
const APPS: readonly (readonly [RegExp, string])[] = [
  [/DigitalTouchBalloonProvider$/, 'Digital Touch'],
  [/HandwritingProvider$/, 'Handwriting'],
  [/PassbookUIService\.PeerPayment/, 'Apple Cash'],
  [/FindMy/, 'Find My'],
  [/ActivityMessagesApp/, 'Fitness'],
  [/messages\.Polls/, 'Poll'],
]

export function readBalloon(bundle: string, payload: Buffer | null): Balloon | undefined {
  const root = payload === null ? undefined : readKeyedArchive(payload)
  if (bundle === LINK) {
    const metadata = root?.field('richLinkMetadata') ?? root?.field('metadata') ?? root
    return isObject(metadata) ? linkOf(metadata.field.bind(metadata)) : undefined
  }
  const known = APPS.find(([pattern]) => pattern.test(bundle))?.[1]
  const name = filled(root?.entry('an')) ?? known ?? bundle.split(/[.:]/).findLast((part) => part !== '')
  if (name === undefined) return undefined
  const info = root?.entry('userInfo')
  const captions = isObject(info)
    ? ['caption', 'subcaption', 'secondary-subcaption', 'tertiary-subcaption', 'image-title', 'image-subtitle'].flatMap(
        (key) => filled(info.entry(key)) ?? [],
      )
    : []
  const text = captions.length > 0 ? [...new Set(captions)].join(', ') : filled(root?.entry('ldtext'))
  const url = webOnly(archivedUrl(root?.entry('URL')))
  return { app: { name, ...given({ text, url }) } }
}

function linkOf(field: (key: string) => Archived | undefined): Balloon | undefined {
  const url = archivedUrl(field('URL')) ?? archivedUrl(field('originalURL'))
  if (url === undefined) return undefined
  const [title, summary, site] = ['title', 'summary', 'siteName'].map((key) => filled(field(key)))
  return { link: { url, ...given({ title, summary, site }) } }
}

function filled(value: Archived | undefined): string | undefined {
  const text = archivedText(value)?.trim()
  return text === '' ? undefined : text
}

/** App URLs hold whole games and payments; only web links are kept. */
function webOnly(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined
}

/** Undefined if the text already says it. */
export function balloonText({ link, app }: Balloon, text: string): string | undefined {
  if (app !== undefined) {
    const said = app.text === undefined ? app.name : `${app.name}: ${app.text}`
    return app.url === undefined || text.includes(app.url) ? `[${said}]` : `[${said}] ${app.url}`
  }
  if (link === undefined) return undefined
  const lines = [text.trim() === '' ? link.url : undefined, link.title, link.summary].filter(
    (line) => line !== undefined && !text.includes(line),
  )
  return lines.length === 0 ? undefined : lines.join('\n')
}
