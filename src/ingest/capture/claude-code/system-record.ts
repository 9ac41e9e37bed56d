/** The harness's own notes; only a queued prompt is speech. */
import { shortHash } from '../../../core/hash.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, textOf } from '../fields.ts'
import { classifyUserText } from './classify-user-text.ts'
import { readContent } from './content.ts'
import { pushLink, pushMessage } from './emit.ts'
import type { Reading } from './read-state.ts'
import type { RecordOfSession } from './session-of.ts'
import { markDelivered, pushQueued } from './user-record.ts'

export function systemRecord(reading: Reading, at: RecordOfSession): void {
  const { record, within } = at
  const subtype = textOf(record.subtype)
  if (subtype === 'compact_boundary') {
    reading.state.boundary = { session: within.session, metadata: fieldsOf(record.compactMetadata) ?? {} }
    pushLink(reading, at, textOf(record.logicalParentUuid) ?? textOf(record.parentUuid))
    return
  }
  const content = textOf(record.content) ?? ''
  const metadata = subtype === undefined ? undefined : { subtype }
  const facts = subtype === 'local_command' ? classifyUserText([content], { subagent: false, others: 0 }) : undefined
  const text = facts === undefined || facts.kind === 'prompt' ? content : facts.text
  pushMessage(reading, at, {
    role: 'system',
    kind: facts?.kind === 'command' ? 'command' : 'notice',
    trust: facts === undefined || facts.kind === 'prompt' ? 'agent' : facts.trust,
    text,
    metadata,
    hash: shortHash(16, 'system', '\n', subtype ?? '', '\n', content),
  })
}

export function attachmentRecord(reading: Reading, at: RecordOfSession): void {
  const attachment = fieldsOf(at.record.attachment)
  if (attachment?.type === 'queued_command') queuedCommand(reading, at, attachment)
  else {
    const kept = withoutBinary(attachment ?? {}) as Fields
    const json = JSON.stringify(kept)
    pushMessage(reading, at, {
      role: 'system',
      kind: 'attachment',
      trust: 'untrusted',
      text: '',
      hash: shortHash(16, 'attachment', '\n', json),
      metadata: { attachment: filled(kept) ?? {} },
    })
  }
}

function queuedCommand(reading: Reading, at: RecordOfSession, attachment: Fields): void {
  const { record, within } = at
  const content = readContent(attachment.prompt, textOf(record.uuid))
  if (content === undefined) {
    pushLink(reading, at)
    return
  }
  const text = content.texts.join('\n\n')
  markDelivered(reading, text)
  const last = reading.state.sessions.get(within.session)?.last
  const timestamp = textOf(attachment.timestamp) ?? textOf(record.timestamp)
  if (textOf(record.uuid) === undefined) {
    const { parentUuid = last } = record
    pushQueued(reading, { record: { ...record, parentUuid }, within }, { texts: content.texts, timestamp })
    return
  }
  const spoken = classifyUserText(content.texts, { subagent: within.subagent !== undefined, others: content.others })
  const { type: _type, prompt: _prompt, timestamp: _timestamp, ...rest } = attachment
  const plain = content.blocks.every((block) => fieldsOf(block)?.type === 'text')
  const human = rest.commandMode === undefined || rest.commandMode === 'prompt'
  pushMessage(reading, at, {
    ...(human || spoken.kind !== 'prompt' ? spoken : { ...spoken, role: 'system', kind: 'notice', trust: 'agent' }),
    hash: shortHash(16, 'queued', '\n', ...content.pieces),
    metadata: { promptSource: 'queued', ...filled(withoutBinary(rest) as Fields), ...spoken.metadata },
    blocks: plain ? undefined : content.blocks,
  })
}
