/** Hosts that ignore case in paths. */
const CASELESS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org'])

/** Longer text comes from a broken log. */
const LONGEST = 2000

/** One name per repository: no scheme, user, password or `.git`. Undefined for a relative path. */
export function normalOrigin(url: string): string | undefined {
  const text = url.trim()
  if (text.length > LONGEST) return undefined
  if (/^[A-Za-z]:[\\/]|^\//.test(text)) return `file://${text.replaceAll('\\', '/').replace(/\/+$/, '')}`
  const short = /^(?:[^@/\s]+@)?(\[[^\]]+\]|[^/:\s]{2,}):(?!\/\/)(.+)$/.exec(text)
  if (short) return named(short[1] ?? '', short[2] ?? '')
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, pathname } = new URL(text)
  if (protocol === 'file:') return `file://${pathname.replace(/\/+$/, '')}`
  const shown = /^https?:$/.test(protocol) && port !== '' ? `${hostname}:${port}` : hostname
  return hostname === '' ? undefined : named(shown, pathname)
}

function named(host: string, path: string): string | undefined {
  const name = path
    .replace(/[?#].*$/, '')
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  if (name === '') return undefined
  const server = host.toLowerCase()
  return `${server}/${CASELESS.has(server) ? name.toLowerCase() : name}`
}
