/**
 * A home with every kind of derived data, from unique words: a session, messages, mail, a meeting, contacts. Read by rules and by a
 * loopback model, which answers each word with its mark (`markOf`). So a test tells derived text from copies.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reading } from '../../src/analyze/llm/prompts/conversation.ts'
import type { LlmReply, SeenAsk } from './llm-server.ts'
import { openMessages } from './messages-database.ts'
import { vcalendar, vevent } from './sources/calendar.ts'
import { claudeCodeSource } from './sources/claude-code.ts'

export const OWNER = 'owner@example.com'
/** Common prefix of the planted words, then of the model's. */
export const NEST = 'zqgull'
export const MARKS = 'wkmark'

const DAY = 86_400_000
export const START = Date.UTC(2026, 1, 2, 9)

export const PLACES = [
  ...['asked', 'decided', 'answered', 'commit', 'todo', 'plan', 'chosen', 'refused', 'file', 'mended'],
  ...['said', 'promised', 'mailed', 'subject', 'writer', 'meeting', 'guest', 'card'],
] as const
export type Place = (typeof PLACES)[number]

export const wordOf = (place: Place) => `${NEST}${place}vx`
export const markOf = (word: string) => `${MARKS}${word.slice(NEST.length)}`

export const KEPT = 'pelicans'

/** The later session holds one word, `mended`, in a failure that then passed. */
export function plantUnderstood(folder: string): { readonly full: string; readonly calm: string } {
  const w = wordOf
  const deed = (prompt: string, tool: { name: string; params: Record<string, unknown>; result: string }, answer = 'Done.') => ({
    ...{ prompt, answer, tool },
  })
  const full = [
    { prompt: `Tyler works at ${w('asked')} now. My sister Orla lives in Harbourtown.`, answer: `Understood, ${w('answered')} it is.` },
    { prompt: `Let's go with ${w('decided')} for the ferry timetable.`, answer: 'Agreed, I will use it for the timetable.' },
    deed('Please commit that', {
      ...{ name: 'Bash', params: { command: `git commit -m "Add ${w('commit')} to the timetable"` } },
      result: `[main 1a2b3c4] Add ${w('commit')} to the timetable\n 2 files changed, 10 insertions(+)`,
    }),
    deed('What is left to do?', {
      ...{ name: 'TodoWrite', params: { todos: [{ content: `Write the ${w('todo')} guide`, status: 'pending', activeForm: 'Writing' }] } },
      result: 'Todos have been modified successfully.',
    }),
    deed('Make a plan', {
      ...{ name: 'ExitPlanMode', params: { plan: `# Move the ${w('plan')} store\n\nFirst copy it, then switch.` } },
      result: 'User has approved your plan. You can now start coding.',
    }),
    deed('Ask me what you need', {
      name: 'AskUserQuestion',
      params: {
        questions: [
          {
            ...{ question: 'Which store shall we use?', header: 'Store' },
            options: [{ label: `The ${w('chosen')} store` }, { label: 'None' }],
          },
        ],
      },
      result: `User has answered your questions: "Which store shall we use?"="The ${w('chosen')} store". You can now continue.`,
    }),
    deed('Then go on', {
      ...{ name: 'Bash', params: { command: 'rm -rf build' } },
      result: `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said: Always ask before removing ${w('refused')}, please.`,
    }),
    deed('Write it down', {
      ...{ name: 'Write', params: { file_path: `/home/dev/atlas/src/${w('file')}.ts`, content: 'export {}' } },
      result: 'File created successfully',
    }),
    { prompt: `Have you seen the ${KEPT} at the harbour?`, answer: `The ${KEPT} are on the quay.` },
  ]
  claudeCodeSource.write(
    join(folder, 'code'),
    'full',
    full.map((one, n) => ({ ...one, at: START + n * 60_000 })),
  )
  const calm = [
    deed('Run the tests', {
      ...{ name: 'Bash', params: { command: 'npm test' } },
      result: `FAIL src/${w('mended')}.test.ts\nError: ${w('mended')} is not defined\nTests: 1 failed`,
    }),
    deed('Mend it', {
      ...{ name: 'Edit', params: { file_path: `/home/dev/atlas/src/${w('mended')}.ts`, old_string: 'a', new_string: 'b' } },
      result: 'The file has been updated.',
    }),
    deed(
      'And again',
      { name: 'Bash', params: { command: 'npm test' }, result: 'Tests: 1 passed' },
      `The lanterns are lit, and ${KEPT} too.`,
    ),
  ]
  claudeCodeSource.write(
    join(folder, 'code'),
    'calm',
    calm.map((one, n) => ({ ...one, at: START + 20 * DAY + n * 60_000 })),
  )
  plantPeople(join(folder, 'people'))
  return { full: 'full', calm: 'calm' }
}

function plantPeople(folder: string): void {
  const w = wordOf
  mkdirSync(folder)
  const messages = openMessages(join(folder, 'messages', 'chat.db'))
  const sarah = messages.handle('+14155552671')
  const chat = messages.chat({ guid: 'any;-;+14155552671', style: 45, chat_identifier: '+14155552671', service_name: 'iMessage' }, [sarah])
  messages.message({ guid: 'said-1', text: `I work at ${w('said')} now.`, chat, from: sarah, at: START + DAY })
  messages.message({ guid: 'promise-1', text: `I will send you the ${w('promised')} tomorrow.`, chat, at: START + DAY + 60_000 })
  messages.message({ guid: 'kept-1', text: `Look at the ${KEPT}!`, chat, from: sarah, at: START + DAY + 120_000 })
  // Enough to infer a habit.
  for (let n = 0; n < 30; n += 1)
    messages.message({ guid: `habit-${n}`, text: `Good evening, number ${n}`, chat, from: sarah, at: Date.UTC(2026, 1, 3 + n, 21, n % 20) })
  messages.close()
  mkdirSync(join(folder, 'mail'))
  const mail = (key: string, at: number, from: string, subject: string, body: string) =>
    [
      `From 17@xxx Mon Feb 02 09:00:00 +0000 2026`,
      ...[`Message-ID: <${key}@example.org>`, `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`, `From: ${from}`],
      ...[`To: ${OWNER}`, `Subject: ${subject}`, 'X-Gmail-Labels: Inbox', 'Content-Type: text/plain; charset=utf-8', '', body, '', ''],
    ].join('\r\n')
  writeFileSync(
    join(folder, 'mail', 'box.mbox'),
    [
      mail('mailed', START + 2 * DAY, 'Tom Reed <tom@example.org>', 'Harbour', `I moved to ${w('mailed')} last week.`),
      mail('subject', START + 3 * DAY, 'Tom Reed <tom@example.org>', `The ${w('subject')} ferry`, 'It leaves at nine.'),
      mail('writer', START + 4 * DAY, `Zora ${w('writer')} <zora@example.org>`, 'Hello', `I like the ${KEPT}.`),
    ].join(''),
  )
  mkdirSync(join(folder, 'calendar'))
  const meeting = vevent({
    ...{ UID: 'meet-1', DTSTAMP: '20260101T000000Z', DTSTART: '20260206T090000Z', DTEND: '20260206T100000Z', ORGANIZER: `mailto:${OWNER}` },
    ...{ SUMMARY: `Visit the ${w('meeting')} yard`, ATTENDEE: `;CN=Guest ${w('guest')};PARTSTAT=ACCEPTED:mailto:guest@example.org` },
  })
  writeFileSync(join(folder, 'calendar', 'work.ics'), vcalendar('X-WR-CALNAME:Work', meeting))
  mkdirSync(join(folder, 'people'))
  const card = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Sarah ${w('card')}\r\nTEL:+1 415 555 2671\r\nEND:VCARD\r\n`
  writeFileSync(join(folder, 'people', 'people.vcf'), card)
}

const WORD = new RegExp(`${NEST}[a-z]+vx`, 'g')

/** The mark of every planted word it reads, in every field. */
export function markingModel({ system, prompt }: SeenAsk): LlmReply {
  const words = [...new Set(prompt.match(WORD) ?? [])]
  const marks = words.map(markOf).join(' ')
  if (system.startsWith('You read the record of a session'))
    return {
      value: {
        ...{ asked: [], open: [], decisions: [], topics: words.map(markOf) },
        done: [{ text: `Made ${marks || 'nothing'}`, from: 'm1' }],
        sentence: `In atlas the timetable of the ferry was changed and committed with ${marks || 'care'} after the owner had agreed to it in the talk`,
      },
    }
  if (system.startsWith('You write the opening of a dossier')) return { value: { sentences: [] } }
  const cited = messagesOf(prompt).flatMap(({ id, text }) =>
    [...new Set(text.match(WORD) ?? [])]
      .filter((word) => text.split(word).length === 2)
      .map((word) => ({ word, message: id, quote: word })),
  )
  if (!system.startsWith('You read a recorded conversation'))
    return {
      value: {
        answer: `It says ${marks}`,
        facets: cited.map(({ word, ...where }) => ({ type: 'risk', value: markOf(word), confidence: 0.9, ...where })),
      },
    }
  const reading: Reading = {
    turns: turnsOf(prompt).map((turn) => ({ turn, label: `About ${marks || 'little'}`, summary: `They spoke of ${marks || 'little'}.` })),
    ...{ aliases: [], same: [], so_far: `They spoke of ${marks || 'little'}.` },
    topics: cited.map(({ word, ...where }) => ({ topic: markOf(word), ...where })),
    entities: cited.map(({ word, ...where }, n) => ({ id: `e${n}`, type: 'company', name: word, aliases: [], ...where })),
    observations: cited.map(({ word, ...where }, n) => ({
      ...{ subject: `e${n}`, type: 'KNOWN_AS', object: null, literal: word, valid_from: null, valid_until: null, confidence: 0.9 },
      ...{ source_type: 'stated', ...where },
    })),
    statements: cited.map(({ word: _, ...where }) => ({ type: 'decision', confidence: 0.9, ...where })),
  }
  return { value: reading }
}

function turnsOf(prompt: string): string[] {
  return [...new Set([...prompt.matchAll(/ turn="(t\d+)"/g)].map(([, turn = '']) => turn))]
}

function messagesOf(prompt: string): { id: string; text: string }[] {
  return [...prompt.matchAll(/<(m\d+)-(\w+)[^>]*>\n([\s\S]*?)\n<\/\1-\2>/g)].map(([, id = '', , text = '']) => ({ id, text }))
}
