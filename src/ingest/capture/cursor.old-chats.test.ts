import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, lastCheckpoint, messagesOf, recordsOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import { stateFile } from '../../../test/helpers/sources/cursor.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import type { Checkpoint } from '../adapter.ts'
import { cursor } from './cursor.ts'

const HASH = '0123456789abcdef0123456789abcdef'
const TIME = Date.UTC(2024, 10, 16, 20)

function workspaceState(items: Readonly<Record<string, unknown>>): string {
  const path = join(tempFolder(), 'workspaceStorage', HASH, 'state.vscdb')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(dirname(path), 'workspace.json'), '{"folder":"file:///home/dev/atlas"}')
  const state = stateFile(path)
  for (const [key, value] of Object.entries(items)) state.item(key, value)
  state.close()
  return path
}

const read = (path: string, since?: Checkpoint) => collectItems(cursor({ paths: [] }), path, since ? { since } : {})

const CHATS = 'workbench.panel.aichat.view.aichat.chatdata'
const COMPOSERS = 'composer.composerData'

const tab = (bubbles: readonly unknown[]) => ({ tabId: 'tab-1', chatTitle: 'About ports', lastSendTime: TIME, bubbles })
const user = (id: string, text: string, more = {}) => ({ type: 'user', id, text, messageType: 2, ...more })
const ai = (id: string, text: string, more = {}) => ({ type: 'ai', id, text, rawText: text, modelType: 'gpt-4', ...more })

describe('a workspace’s own database', () => {
  it('chat tabs are sessions; what stands in the input box was not said', async () => {
    const path = workspaceState({ [CHATS]: { tabs: [tab([user('u1', 'which port?'), ai('a1', '8080'), user('u2', '')])] } })
    const items = await read(path)
    expect(messagesOf(items).map(({ id, role, text, timestamp, model }) => [id, role, text, timestamp, model])).toEqual([
      ['u1', 'user', 'which port?', TIME, undefined],
      ['a1', 'assistant', '8080', TIME, 'gpt-4'],
    ])
    expect(sessionsOf(items)).toMatchObject([{ session: 'tab-1', project: '/home/dev/atlas', forceMode: 'chat' }])
    expect(titlesOf(items)[0]?.title).toBe('About ports')
  })

  it('what was attached to a chat prompt is its context', async () => {
    const path = workspaceState({
      [CHATS]: { tabs: [tab([user('u1', 'see', { fileSelections: [{ uri: { fsPath: '/a' } }], selections: [] })])] },
    })
    expect(messagesOf(await read(path))[0]?.context).toEqual({ fileSelections: [{ uri: { fsPath: '/a' } }] })
  })

  it('composers that hold their bubbles are sessions, oldest first', async () => {
    const composer = (composerId: string, createdAt: number, text: string) => ({
      composerId,
      createdAt,
      status: 'completed',
      conversation: [
        { type: 1, bubbleId: `${composerId}-q`, text },
        { type: 2, bubbleId: `${composerId}-a`, text: `re: ${text}` },
      ],
    })
    const path = workspaceState({ [COMPOSERS]: { allComposers: [composer('c2', TIME + 1, 'later'), composer('c1', TIME, 'sooner')] } })
    const items = await read(path)
    expect(sessionsOf(items).map(({ session, project }) => [session, project])).toEqual([
      ['c1', '/home/dev/atlas'],
      ['c2', '/home/dev/atlas'],
    ])
    expect(messagesOf(items).map(({ text }) => text)).toEqual(['sooner', 're: sooner', 'later', 're: later'])
    const since = lastCheckpoint(items) as Checkpoint
    expect(recordsOf(await read(path, { offset: 0, carry: since.carry }))).toEqual([])
  })

  it('a bare prompt is kept only where no conversation tells it; its time is that of the generation', async () => {
    const path = workspaceState({
      [CHATS]: { tabs: [tab([user('u1', 'told above'), ai('a1', 'yes')])] },
      'aiService.prompts': [
        { text: 'told above', commandType: 4 },
        { text: 'told nowhere else', commandType: 1 },
      ],
      'aiService.generations': [{ unixMs: TIME + 7, generationUUID: 'g1', type: 'cmdk', textDescription: 'told nowhere else' }],
    })
    const prompts = messagesOf(await read(path)).filter(({ session }) => session === `prompts-${HASH}`)
    expect(prompts.map(({ text, timestamp, kind, metadata }) => [text, timestamp, kind, metadata])).toEqual([
      ['told nowhere else', TIME + 7, 'prompt', { command_type: 1, generation: 'g1' }],
    ])
  })

  it('bare prompts are left out where the list of composers has no bodies: the other database tells them', async () => {
    const prompts = { 'aiService.prompts': [{ text: 'asked', commandType: 4 }] }
    const listed = workspaceState({ [COMPOSERS]: { allComposers: [{ composerId: 'c1', name: 'x' }] }, ...prompts })
    expect(messagesOf(await read(listed))).toEqual([])
    const moved = workspaceState({ [COMPOSERS]: { selectedComposerIds: [], hasMigratedComposerData: true }, ...prompts })
    expect(messagesOf(await read(moved))).toEqual([])
    expect(messagesOf(await read(workspaceState(prompts))).length).toBe(1)
  })
})
