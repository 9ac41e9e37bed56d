import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { HOSTILE, hostileMix, pick, seeded } from '../../../test/helpers/hostile-text.ts'
import { artifactPath } from './artifact-name.ts'
import { checkFrontmatter, isManifest, membershipTime, parseArtifact, renderArtifact, renderFrontmatter } from './frontmatter.ts'
import type { ContentFrontmatter, Frontmatter, ManifestFrontmatter } from './frontmatter-schema.ts'

const AT = Date.UTC(2026, 2, 28, 22, 34, 6, 792)
const token = 'h7k3n4p2m2x2q5r5'
const path = (kind: 'summary' | 'transcript' | 'compaction' | 'manifest', at = AT) => artifactPath({ capturedAt: at, token, kind })

const transcript: ContentFrontmatter = {
  kind: 'transcript',
  agent_id: 'main',
  session_id: 'claude-code:a245b4fc',
  session_key: null,
  project: '/home/ada/mnemonic',
  harness: 'claude-code',
  captured_at: '2026-03-28T22:34:06.792Z',
  started_at: null,
  ended_at: '2026-03-28T22:40:00.000Z',
  manifest_path: path('manifest'),
  source_node_id: null,
  content_sha256: 'a'.repeat(64),
  hash_scope: 'body-normalized-v1',
  sanitizer_version: 'sanitize_transcript_v1',
  memory_sentence: 'A sentence.',
  memory_sentence_version: 'memory_sentence_v1',
  memory_sentence_quality: 'ok',
  memory_sentence_generated_at: '2026-03-28T22:41:00.000Z',
}
const { sanitizer_version: _, ...withoutSanitizer } = transcript

const manifest: ManifestFrontmatter = {
  kind: 'manifest',
  agent_id: 'main',
  session_id: 'claude-code:a245b4fc',
  session_key: 'k',
  project: null,
  harness: 'claude-code',
  captured_at: '2026-03-28T22:34:06.792Z',
  summary_path: path('summary'),
  transcript_path: path('transcript'),
  compaction_path: null,
  previous: [
    {
      captured_at: '2026-03-27T22:34:06.792Z',
      summary_path: path('summary', AT - 86_400_000),
      transcript_path: null,
      compaction_path: null,
    },
  ],
  memory_md_refs: ['MEMORY.md'],
  revision: 3,
  updated_at: '2026-03-28T22:41:00.000Z',
}

it('the head of a transcript is these bytes', () => {
  expect(renderFrontmatter(transcript)).toBe(`---
kind: "transcript"
agent_id: "main"
session_id: "claude-code:a245b4fc"
session_key: null
project: "/home/ada/mnemonic"
harness: "claude-code"
captured_at: "2026-03-28T22:34:06.792Z"
started_at: null
ended_at: "2026-03-28T22:40:00.000Z"
manifest_path: "${path('manifest')}"
source_node_id: null
content_sha256: "${'a'.repeat(64)}"
hash_scope: "body-normalized-v1"
sanitizer_version: "sanitize_transcript_v1"
memory_sentence: "A sentence."
memory_sentence_version: "memory_sentence_v1"
memory_sentence_quality: "ok"
memory_sentence_generated_at: "2026-03-28T22:41:00.000Z"
---
`)
})

it('the head of a manifest is these bytes', () => {
  const older = path('summary', AT - 86_400_000)
  expect(renderFrontmatter(manifest)).toBe(`---
kind: "manifest"
agent_id: "main"
session_id: "claude-code:a245b4fc"
session_key: "k"
project: null
harness: "claude-code"
captured_at: "2026-03-28T22:34:06.792Z"
summary_path: "${path('summary')}"
transcript_path: "${path('transcript')}"
compaction_path: null
previous:
  - { captured_at: "2026-03-27T22:34:06.792Z", summary_path: "${older}", transcript_path: null, compaction_path: null }
memory_md_refs:
  - "MEMORY.md"
revision: 3
updated_at: "2026-03-28T22:41:00.000Z"
---
`)
})

it('the order of the fields handed in makes no difference', () => {
  const turned = Object.fromEntries(Object.entries(manifest).reverse()) as unknown as ManifestFrontmatter
  expect(renderFrontmatter(turned)).toBe(renderFrontmatter(manifest))
})

it('hostile values come back from the head as they went in, and the body stays the body', () => {
  const random = seeded(4)
  for (let round = 0; round < 400; round++) {
    const value = () => hostileMix(random) || 'x'
    const fields: Frontmatter =
      round % 2 === 0
        ? {
            ...transcript,
            kind: pick(random, ['summary', 'transcript', 'compaction']),
            agent_id: value(),
            session_id: value(),
            session_key: pick(random, [null, value()]),
            project: pick(random, [null, value()]),
            harness: value(),
            source_node_id: pick(random, [null, value()]),
            memory_sentence: value().replace(/[\r\n]+/g, ' ') || 'x',
          }
        : { ...manifest, session_id: value(), project: value(), memory_md_refs: [], previous: [] }
    const body = hostileMix(random)
    const text = renderArtifact(fields, body)
    expect(parseArtifact(text, 'a.md')).toEqual({ frontmatter: fields, body: `${body}\n` })
    expect(renderArtifact(parseArtifact(text, 'a.md').frontmatter, body)).toBe(text)
  }
})

it('a value never leaves its line, and other readers of YAML see the same', () => {
  for (const text of HOSTILE.filter((value) => value !== '')) {
    const head = renderFrontmatter({ ...manifest, project: text })
    expect(head.split(/\r\n?|[\n\u2028\u2029\u0085]/).length).toBe(19)
    expect(parse(head.slice(4, -4)).project).toBe(text)
  }
})

it('a head of a hundred thousand characters in one value is read', () => {
  const long = 'ünï "code" '.repeat(10_000)
  expect(parseArtifact(renderArtifact({ ...transcript, session_id: long }, 'b'), 'a.md').frontmatter.session_id).toBe(long)
})

it('line ends of another system and a byte order mark do not matter to the head', () => {
  const text = `\ufeff${renderArtifact(transcript, 'body\nb').replaceAll('\n', '\r\n')}`
  expect(parseArtifact(text, 'a.md')).toEqual({ frontmatter: transcript, body: 'body\r\nb\r\n' })
})

it('a body that begins like a head stays a body', () => {
  const body = '---\nkind: manifest\n---'
  expect(parseArtifact(renderArtifact(transcript, body), 'a.md')).toEqual({ frontmatter: transcript, body: `${body}\n` })
})

describe('what breaks the contract is refused by file and field', () => {
  const change = (fields: object, changes: object) => ({ ...fields, ...changes })
  const cases: [field: string, fields: object][] = [
    ['kind', change(transcript, { kind: 'dossier' })],
    ['kind', change(transcript, { kind: undefined })],
    ['hash_scope', change(transcript, { hash_scope: 'body-normalized-v2' })],
    ['content_sha256', change(transcript, { content_sha256: 'x' })],
    ['sanitizer_version', withoutSanitizer],
    ['sanitizer_version', change(transcript, { sanitizer_version: '1' })],
    ['captured_at', change(transcript, { captured_at: '2026-03-28' })],
    ['captured_at', change(transcript, { captured_at: 1774737246792 })],
    ['ended_at', change(transcript, { ended_at: '' })],
    ['session_key', change(transcript, { session_key: '' })],
    ['memory_sentence', change(transcript, { memory_sentence: 'a\nb' })],
    ['memory_sentence_quality', change(transcript, { memory_sentence_quality: 'good' })],
    ['manifest_path', change(transcript, { manifest_path: `/home/${path('manifest')}` })],
    ['manifest_path', change(transcript, { manifest_path: path('summary') })],
    ['compaction_path', change(transcript, { compaction_path: path('compaction') })],
    ['revision', change(manifest, { revision: 0 })],
    ['revision', change(manifest, { revision: '1' })],
    ['memory_md_refs', change(manifest, { memory_md_refs: 'MEMORY.md' })],
    ['memory_md_refs.0', change(manifest, { memory_md_refs: ['../MEMORY.md'] })],
    ['summary_path', change(manifest, { summary_path: path('transcript') })],
    [
      'previous.0.summary_path',
      change(manifest, { previous: [{ captured_at: manifest.captured_at, transcript_path: null, compaction_path: null }] }),
    ],
    ['tags', change(manifest, { tags: ['x'] })],
  ]
  it.each(cases)('%s', (field, fields) => {
    expect(() => checkFrontmatter(fields, 'memory/a.md')).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: expect.objectContaining({ file: 'memory/a.md', field }),
        message: expect.stringContaining(`memory/a.md: ${field}`),
      }),
    )
  })

  it('every required field, when it is missing', () => {
    for (const fields of [withoutSanitizer, manifest]) {
      for (const field of Object.keys(fields)) {
        const rest = { ...fields, kind: fields === manifest ? 'manifest' : 'summary', [field]: undefined }
        const problem = field === 'kind' ? 'must be one of' : 'is missing'
        delete (rest as Record<string, unknown>)[field]
        expect(() => checkFrontmatter(rest, 'a.md')).toThrow(`a.md: ${field} ${problem}`)
      }
    }
  })

  it.each([
    ['no head', 'just text'],
    ['a head that does not end', '---\nkind: "summary"\n'],
    ['a list', '---\n- a\n---\n'],
    ['a key twice', '---\nkind: "summary"\nkind: "summary"\n---\n'],
    ['an alias', '---\nkind: &a "summary"\nagent_id: *a\n---\n'],
    ['a tag', '---\nkind: !!binary "c3VtbWFyeQ=="\n---\n'],
    ['a bomb of aliases', `---\na: &a [1]\nb: &b [*a,*a]\nc: &c [*b,*b]\nkind: "summary"\n---\n`],
    ['no YAML', '---\nkind: "summ\n---\n'],
  ])('%s', (_name, text) => {
    expect(() => parseArtifact(text, 'memory/a.md')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining('memory/a.md') }),
    )
  })
})

it('membership is the end of a session, else its capture', () => {
  expect(membershipTime(transcript)).toBe('2026-03-28T22:40:00.000Z')
  expect(membershipTime({ ...transcript, ended_at: null })).toBe(transcript.captured_at)
  expect(isManifest(manifest)).toBe(true)
})
