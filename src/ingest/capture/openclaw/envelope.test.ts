import { describe, expect, it } from 'vitest'
import { openEnvelope } from './envelope.ts'

const open = (text: string, group = false) => openEnvelope(text, { group })

describe('the envelope of the gateway', () => {
  it('a text without one is given back as it is, character by character', () => {
    for (const text of ['  hello\n\nworld ', '[TODO] fix this', '[x] done', 'Note: later', '[2026] plan', '[Slack] is down?', '']) {
      expect(open(text)).toEqual({ text, envelope: {}, group: false })
    }
  })

  it('a time before the words is taken off', () => {
    expect(open('[Wed 2026-02-18 11:21 GMT+1] good morning')).toMatchObject({
      text: 'good morning',
      envelope: { time: 'Wed 2026-02-18 11:21 GMT+1' },
    })
  })

  it('a channel’s header names the speaker', () => {
    expect(open('[Telegram Ada Byron id:4711 +2m 2026-01-03 10:00 GMT] hi\n[message_id: 99]')).toMatchObject({
      text: 'hi',
      envelope: { channel: 'Telegram Ada Byron id:4711 +2m 2026-01-03 10:00 GMT', message_id: '99' },
      sender: { name: 'Ada Byron', id: '4711' },
      group: false,
    })
  })

  it('in a group the words begin with who says them', () => {
    expect(open('[Telegram Family id:-100123 2026-01-03 10:00 GMT] Bob (77): dinner: at eight?')).toMatchObject({
      text: 'dinner: at eight?',
      envelope: { group: 'Family' },
      sender: { name: 'Bob', id: '77' },
      group: true,
    })
  })

  it('words that only look like a name stay the owner’s words', () => {
    const text = '[Telegram Ada id:4711 2026-01-03 10:00 GMT] Plan (draft): buy milk'
    expect(open(text)).toMatchObject({ text: 'Plan (draft): buy milk', sender: { name: 'Ada' }, group: false })
    expect(open('[WhatsApp Club 2026-01-03 10:00 GMT] Bob (+15550001): hi')).toMatchObject({
      text: 'hi',
      sender: { name: 'Bob' },
      group: true,
    })
  })

  it('labelled blocks of JSON are taken off, and say who speaks', () => {
    const text = [
      'Conversation info (untrusted metadata):',
      '```json',
      '{ "message_id": "5", "sender_id": "12", "sender": "Grace", "is_group_chat": true }',
      '```',
      '',
      'Sender (untrusted metadata):',
      '```json',
      '{ "id": "12", "name": "Grace H" }',
      '```',
      '',
      'Grace H: what now?',
    ].join('\n')
    expect(open(text)).toMatchObject({ text: 'what now?', sender: { name: 'Grace H', id: '12' }, group: true })
  })

  it('newer blocks are known by their mark, whatever they are called', () => {
    const text = 'Reply target: \u27e6openclaw:ctx\u27e7\nsome earlier words\n\nand mine'
    expect(open(text)).toMatchObject({ text: 'and mine', envelope: { reply_target: 'some earlier words' } })
  })

  it('what others said before is no part of the message', () => {
    const text =
      '[Chat messages since your last reply - for context]\nBob: blah\n\n[Current message - respond to this]\nAda: yes\n[from: Ada (+123)]'
    expect(open(text)).toMatchObject({ text: 'yes', envelope: { history: 'Bob: blah' }, sender: { name: 'Ada', id: '+123' }, group: true })
  })

  it('notes of the system and of media are taken off', () => {
    const text =
      'System: [2026-01-03 10:00:00] gateway connected\n[media attached: /m/a.png (image/png)]\nTo send an image back, prefer the message tool (media).\nlook'
    expect(open(text)).toMatchObject({
      text: 'look',
      envelope: { system_events: '[2026-01-03 10:00:00] gateway connected', media: '/m/a.png (image/png)' },
    })
  })

  it('a text of many brackets takes no longer than it should', () => {
    const text = `${'[Telegram x id:1 2026-01-03 10:00 GMT] '.repeat(2000)}end`
    expect(open(text).text).toBe('end')
  })
})
