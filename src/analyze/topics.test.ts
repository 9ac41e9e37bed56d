import { describe, expect, it } from 'vitest'
import { topicTag, topicTags } from './topics.ts'

describe('topics of an exchange', () => {
  it.each([
    [
      'How many posts per day should we do?\nBased on the research, a posting frequency of three posts per day works best.',
      'posting-frequency',
    ],
    ['What did we say about posting frequency?\nTwo a day.', 'posting-frequency'],
    ["Let's define our content strategy for X.\nA content strategy needs three pillars.", 'content-strategy'],
    ['The migration fails: the database is locked.\nSet a busy timeout. The database is locked by another process.', 'busy-timeout'],
    ["My daughter's birthday party is next Saturday.\nFor a birthday party of ten kids one chocolate cake is enough.", 'birthday-party'],
    ['Please rotate the deploy key of the staging cluster.', 'staging-cluster'],
    ['Book flights to Tokyo\nI found three flights to Tokyo.', 'tokyo'],
    ['Which embedding model do we use?\nLarger embedding models are slower.', 'embedding-model'],
    ['I am nervous about my job interview.\nIt is normal before a job interview.', 'job-interview'],
    ['Refactor the auth middleware so that refresh tokens are rotated\nThe auth middleware rotates refresh tokens now.', 'auth-middleware'],
    ['東京の天気はどうですか\n東京の天気は晴れです。', '東京'],
    ['Meine Steuererklärung ist fällig.\nFür die Steuererklärung brauchst du Belege.', 'steuererklärung'],
  ])('%s', (text, tag) => {
    const tags = topicTags(text)
    expect(tags).toContain(tag)
    expect(tags.length).toBeLessThanOrEqual(3)
  })

  it('small talk has none', () => {
    for (const text of ['', 'ok thanks', 'yes, go on', 'fix it\nFixed.', '1 2 3', 'x y z']) expect(topicTags(text)).toEqual([])
  })

  it('code, paths, addresses, numbers and what was redacted are no topics', () => {
    const noise = [
      '```ts\nconst userRepository = makeRepository()\n```',
      'see src/store/sqlite/open.ts and C:\\temp\\notes.txt',
      'https://example.com/garden/party anna.smith@example.com',
      '[REDACTED:api_key] sk-ant-api03-abcDEF123456 ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      '9f86d081884c7d659a2feaa0c55ad015 550e8400-e29b-41d4-a716-446655440000 123456 v1.2.3 0xdeadbeef',
      'getUserName() returns user_name',
    ]
    for (const text of noise) expect(topicTags(text), text).toEqual([])
  })

  it('tags are lower-case words with hyphens, at most three, and never share a word', () => {
    const text = 'Content calendars, content calendars and GitHub Actions. GitHub Actions deploy the newsletter archive to S3 buckets.'
    const tags = topicTags(text)
    expect(tags.length).toBeGreaterThan(1)
    for (const tag of tags) expect(tag).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
    const words = tags.flatMap((tag) => tag.split('-'))
    expect(new Set(words).size).toBe(words.length)
  })

  it('verbs end a phrase and are none; adjectives stand only before a noun', () => {
    for (const text of [
      'Jobs in the queue sit there. The queue sits full.',
      'Two settings that must agree lay in two files. They agree and lay there.',
      'All tests pass. The tests pass again, and the feedback was addressed.',
      'It is idle, then Active, then idle again and empty.',
    ])
      for (const tag of topicTags(text))
        expect(tag, text).not.toMatch(/(?:^|-)(?:sit|lay|agree|pass|addressed)(?:-|$)|^(?:idle|active|empty)$|(?:idle|active|empty)$/)
    expect(topicTags('Discard cache entries. They discard cache entries.').join(' ')).not.toContain('discard')
    expect(topicTags('The stale lock of a job. A stale lock again.')).toContain('stale-lock')
  })

  it('what may be a verb is one behind "we" and "to"', () => {
    expect(topicTags('We search the index. To search the index we commit.').join(' ')).not.toContain('search')
    expect(topicTags('The search index is old. A search index costs little.')).toContain('search-index')
  })

  it('what code names twice is a topic in words, however it is written', () => {
    expect(topicTags('Rename turnCheckpointID. Every turn_checkpoint_id moves.')).toContain('turn-checkpoint-id')
    expect(topicTags('See src/jobs/lease-renewal.ts:12 and `lease-renewal.ts` again.')).toContain('lease-renewal')
    expect(topicTags('The PostCommit hook and PostCommit again.')).toContain('post-commit')
    expect(topicTags('GitHub and GitHub again, TypeScript and TypeScript.')).toEqual(expect.arrayContaining(['github', 'typescript']))
  })

  it('plural and singular are one topic', () => {
    expect(topicTags('refresh tokens and a refresh token')).toEqual(['refresh-token'])
    expect(topicTags('kubernetes status, kubernetes status')[0]).toBe('kubernetes-status')
  })

  it('the same text gives the same tags', () => {
    const text = 'The harbour bridge, the opera house and the botanic garden of Sydney.'
    expect(topicTags(text)).toEqual(topicTags(text))
  })
})

it('a tag as typed is found in the form the index has it', () => {
  expect(topicTag('Content Strategies')).toBe('content-strategy')
  expect(topicTag('posting-frequency')).toBe('posting-frequency')
  expect(topicTag('  refresh_tokens ')).toBe('refresh-token')
})
