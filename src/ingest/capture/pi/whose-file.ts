/** pi's format is written by several programs. Says whose a file is, by its place and by marks in its beginning. Never opens a file. */

export type Owner = 'pi' | 'openclaw' | 'nexus'

const OPENCLAW_PLACE = /(?:^|[\\/])\.?(?:openclaw|clawdbot|moltbot)[^\\/]*(?:[\\/]|$)/i
const AGENT_SESSIONS = /[\\/]agents[\\/][^\\/]+[\\/]sessions[\\/]/i
const ARCHIVE = /\.jsonl\.[^\\/]+$/i
const OPENCLAW_MARK =
  /"customType":\s*"(?:openclaw|clawdbot|moltbot)[.:]|"provider":\s*"(?:openclaw|clawdbot)"|"model":\s*"delivery-mirror"/
const NEXUS_PLACE = /(?:^|[\\/])\.?nexus(?:-[^\\/]+)?[\\/](?:[^\\/]+[\\/])*?state[\\/]/i

export function whoseFile(path: string, head: string): Owner {
  if (isNexusPlace(path)) return 'nexus'
  if (OPENCLAW_PLACE.test(path) || AGENT_SESSIONS.test(path) || ARCHIVE.test(path) || OPENCLAW_MARK.test(head)) return 'openclaw'
  return 'pi'
}

export function isNexusPlace(path: string): boolean {
  return NEXUS_PLACE.test(path)
}
