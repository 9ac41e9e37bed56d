import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { knownPeople } from './known-people.ts'

async function person(store: Store, id: string, name: string, key = `name:${id}`, type = 'person'): Promise<void> {
  await store.write(async (tx) => {
    const row = { id, name, key, type, agent_id: 'main', trust: 'owner', created_at: NOON, updated_at: NOON, rank: key }
    await tx.db.insertInto('entities').values(row).execute()
  })
}

async function said(store: Store, subject: string, fact: string, more: Record<string, unknown> = {}): Promise<void> {
  await store.write(async (tx) => {
    const row = {
      ...{ id: `${subject} ${fact}`, agent_id: 'main', subject_id: subject, type: 'WORKS_AT', target_literal: fact, fact },
      ...{ source_type: 'stated' as const, confidence: 0.9, created_at: NOON, recorded_at: NOON, trust: 'owner' },
    }
    await tx.db
      .insertInto('relationships')
      .values({ ...row, ...more })
      .execute()
  })
}

it('lists people of whom the owner said something, and nobody else', async () => {
  const store = await tempStore()
  await person(store, 'sarah', 'Sarah Chen')
  await person(store, 'ben', 'Ben')
  await person(store, 'eve', 'Eve')
  await person(store, 'self', 'Ada', 'owner:')
  await person(store, 'acme', 'Acme', 'name:acme', 'company')
  await said(store, 'sarah', 'Sarah works at Acme.')
  await said(store, 'eve', 'Eve owns the company.', { trust: 'untrusted' })
  await said(store, 'self', 'I work at the harbour.')
  await said(store, 'acme', 'Acme is in Lyon.')
  await said(store, 'ben', 'usually writes at nine', { source_type: 'inferred' })
  const people = await knownPeople(store, { agentId: 'main', now: NOON, sourceOf: () => undefined })
  expect(people).toEqual([{ name: 'Sarah Chen', text: 'Sarah works at Acme.', at: NOON }])
  expect(await knownPeople(store, { agentId: 'other', now: NOON, sourceOf: () => undefined })).toEqual([])
})
