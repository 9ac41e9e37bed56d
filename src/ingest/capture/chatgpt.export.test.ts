import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, fileReader, lastCheckpoint, messagesOf, recordsOf } from '../../../test/helpers/collect-items.ts'
import { chatgptConversation, zipOf } from '../../../test/helpers/sources/chatgpt.ts'
import { claudeAiConversation } from '../../../test/helpers/sources/claude-ai.ts'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'

const adapter = chatgpt()

function fileAt(name: string, content: string | Buffer): string {
  const path = join(tempFolder(), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const exchange = (n: number) => ({ prompt: `Question ${n}`, answer: `Answer ${n}`, at: NOON + n * 1000 })

describe('an export', () => {
  const one = chatgptConversation('one', [exchange(1), exchange(2)])
  const two = chatgptConversation('two', [exchange(3)])
  const json = JSON.stringify([one, two])
  const texts = ['Question 1', 'Answer 1', 'Question 2', 'Answer 2', 'Question 3', 'Answer 3']

  it.each([
    [
      'a zip file',
      'export.zip',
      zipOf({ 'user.json': '{"id":"u","email":"e","chatgpt_plus_user":true}', 'chat.html': '<html>', 'conversations.json': json }),
    ],
    [
      'a zip file in parts',
      'export.zip',
      zipOf({
        'x/conversations-001.json': JSON.stringify([two]),
        'x/conversations-000.json': JSON.stringify([one]),
        'x/conversations-002.json': '[]',
      }),
    ],
    ['its file', 'conversations.json', json],
    ['its file, indented, with a byte order mark', 'conversations-000.json', `\ufeff${JSON.stringify([one, two], null, 2)}`],
  ])('is read from %s, and recognised by its beginning', async (_, name, content) => {
    const path = fileAt(name, content)
    expect(messagesOf(await collectItems(adapter, path)).map((message) => message.text)).toEqual(texts)
    const head = readFileSync(path).subarray(0, 64 << 10)
    expect(adapter.recognises(head, path)).toBe(true)
    expect(claudeAi().recognises(head, path)).toBe(false)
  })

  it('gives the same whatever the chunks of the stream', async () => {
    const path = fileAt('conversations.json', json)
    const whole = recordsOf(await collectItems(adapter, path))
    for (const size of [1, 7, 1000]) expect(recordsOf(await collectItems(adapter, path, { reader: fileReader(size) }))).toEqual(whole)
  })

  it('read again gives nothing but what changed', async () => {
    const since = lastCheckpoint(await collectItems(adapter, fileAt('conversations.json', json)))
    const carry = JSON.parse(JSON.stringify(since?.carry)) as unknown
    const again = await collectItems(adapter, fileAt('conversations.json', json), { since: { offset: 0, carry } })
    expect(again.map((item) => item.type)).toEqual(['checkpoint'])
    const longer = JSON.stringify([
      chatgptConversation('three', [exchange(9)]),
      one,
      chatgptConversation('two', [exchange(3), exchange(4)]),
    ])
    const grown = await collectItems(adapter, fileAt('new.zip', zipOf({ 'conversations.json': longer })), { since: { offset: 0, carry } })
    expect(new Set(recordsOf(grown).map((record) => record.session))).toEqual(new Set(['three', 'two']))
    expect(lastCheckpoint(grown)?.carry).toMatchObject({ seen: { length: 3 } })
  })

  it('can be left in the middle: what a checkpoint has seen is not told again', async () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      chatgptConversation(
        `c${n}`,
        Array.from({ length: 20 }, (_, k) => exchange(n * 20 + k)),
      ),
    )
    const path = fileAt('conversations.json', JSON.stringify(many))
    const items = await collectItems(adapter, path)
    const at = items.findIndex((item) => item.type === 'checkpoint')
    expect(at).toBeLessThan(items.length / 2)
    const rest = await collectItems(adapter, path, { since: { offset: 0, carry: (items[at] as { carry: unknown }).carry } })
    expect([...recordsOf(items.slice(0, at)), ...recordsOf(rest)]).toEqual(recordsOf(items))
  })

  it.each([
    ['cut off', json.slice(0, -40), 'VALIDATION_ERROR'],
    ['cut off at a bracket', json.slice(0, json.lastIndexOf('}', json.length - 10) + 1), 'VALIDATION_ERROR'],
    ['cut off at once', '[{"tit', 'VALIDATION_ERROR'],
    ['of nothing readable', '[{"title":"x","mapping":{]}]', 'VALIDATION_ERROR'],
    ['of another service', JSON.stringify([claudeAiConversation('c', [exchange(1)])]), 'NOT_THIS_FORMAT'],
    ['that is none', '{"name":"a package","version":"1"}', 'NOT_THIS_FORMAT'],
    ['that is text', 'hello', 'NOT_THIS_FORMAT'],
    ['in a zip file of something else', zipOf({ 'readme.txt': 'hello', 'package.json': '{"name":"x"}' }), 'NOT_THIS_FORMAT'],
    [
      'in a zip file of another service',
      zipOf({ 'conversations.json': JSON.stringify([claudeAiConversation('c', [exchange(1)])]) }),
      'NOT_THIS_FORMAT',
    ],
    ['in a broken zip file', zipOf({ 'conversations.json': json }).subarray(0, -30), 'VALIDATION_ERROR'],
  ])('%s is refused with its reason', async (_, content, code) => {
    await expect(collectItems(adapter, fileAt('conversations.json', content))).rejects.toMatchObject({ code })
  })

  it.each([
    ['user.json', '{"id":"user-1","email":"a@b.c","chatgpt_plus_user":true,"phone_number":null}', 'the account'],
    ['message_feedback.json', '[{"id":"1","conversation_id":"c","user_id":"u","rating":"thumbs_up","content":"{}"}]', 'ratings'],
    ['shared_conversations.json', '[{"id":"1","conversation_id":"c","title":"T","is_anonymous":true}]', 'shared'],
    ['empty.json', '[]', 'no conversation'],
    ['nothing.json', '', 'no conversation'],
  ])('has other parts, which give nothing but a word about it: %s', async (name, content, word) => {
    const items = await collectItems(adapter, fileAt(name, content))
    expect(items.filter((item) => item.type === 'warning').map((item) => item.message)).toEqual([expect.stringContaining(word)])
    expect(recordsOf(items)).toEqual([])
  })

  it('a conversation that cannot be read is skipped and named, and the rest goes on', async () => {
    const bytes = Buffer.from(
      `[${JSON.stringify(one)},{"mapping":[}],null,{"title":"no tree"},${JSON.stringify({ ...two, title: '\u0001\u0001' })}]`,
    )
    const broken = Buffer.from(bytes.toString('latin1').replaceAll('\\u0001\\u0001', '\xff\xfe'), 'latin1')
    const items = await collectItems(adapter, fileAt('conversations.json', broken))
    const bad = items.flatMap((item) => (item.type === 'bad_line' ? [[item.line, item.reason.replace(/ \(.*/, '')]] : []))
    expect(bad).toEqual([
      [2, 'not JSON'],
      [3, 'not a conversation of ChatGPT'],
      [4, 'not a conversation of ChatGPT'],
      [5, 'not UTF-8'],
    ])
    expect(messagesOf(items)).toHaveLength(4)
  })

  it('a conversation beyond the limit is named and passed over', async () => {
    const huge = chatgptConversation('huge', [{ prompt: 'x'.repeat(20_000), answer: 'y', at: NOON }])
    const path = fileAt('conversations.json', JSON.stringify([one, huge, two]))
    const items = await collectItems(chatgpt({ mostBytes: 10_000 }), path)
    const reason = items.flatMap((item) => (item.type === 'bad_line' ? [item.reason] : []))
    expect(reason).toEqual([`longer than 10,000 bytes (conversation 2, byte ${JSON.stringify(one).length + 2} of ${path})`])
    expect(messagesOf(items)).toHaveLength(6)
  })

  it('is no export when it only looks like one', () => {
    const says = (text: string, path = 'x.json') => adapter.recognises(Buffer.from(text), path)
    expect(says('[{"mapping":{}}]')).toBe(false)
    expect(says('[{"title":"x","mapping":[]}]')).toBe(false)
    expect(says('[{"text":"\\"mapping\\":{","title":{"mapping":{}}}]')).toBe(false)
    expect(says('{"type":"user","mapping":"x","title":"y"}\n')).toBe(false)
    expect(says('[{"title":"cut off in the tree","mapping":{"a":{"message":"\\"')).toBe(true)
    expect(adapter.recognises(zipOf({ 'a.png': 'x' }), 'photos.zip')).toBe(false)
    expect(adapter.recognises(zipOf({ 'a.png': 'x' }), `/d/${'ab'.repeat(32)}-2025-10-01-10-20-30-${'0'.repeat(32)}.zip`)).toBe(true)
  })
})

describe('the adapter', () => {
  it('looks nowhere unless it is told where', async () => {
    expect(chatgpt().defaultPaths()).toEqual([])
    const found: unknown[] = []
    for await (const unit of chatgpt().discover({ warn: () => {} })) found.push(unit)
    expect(found).toEqual([])
  })

  it('finds zip and JSON files below its paths', async () => {
    const path = fileAt('exports/conversations.json', '[]')
    for (const name of ['export.ZIP', 'chat.html', 'notes.txt']) writeFileSync(join(dirname(path), name), '')
    const found: string[] = []
    for await (const unit of chatgpt({ paths: [dirname(path), '/nowhere'] }).discover({ warn: () => {} })) found.push(unit.path)
    expect(found).toEqual([path, join(dirname(path), 'export.ZIP')])
  })

  it('puts an older export before a newer one, by the times in it', async () => {
    const ages = [1, 2].map(async (n) => {
      const path = fileAt(
        'e.zip',
        zipOf({ 'user.json': '{}', 'conversations.json': JSON.stringify([chatgptConversation('c', [exchange(n)])]) }),
      )
      return adapter.age?.({ path, size: 0, mtimeMs: 5 }, fileReader(), 'begin')
    })
    expect(await Promise.all(ages)).toEqual([NOON + 1000, NOON + 2000])
  })
})
