import { MnemonicError } from '../core/error.ts'

export const DefaultEntityTypes = ['person', 'company', 'project', 'location', 'event', 'document', 'pet', 'entity'] as const

export function entityTypes(added: readonly string[] = []): readonly string[] {
  return [...new Set<string>([...DefaultEntityTypes, ...added])]
}

export function checkEntityType(type: string, types: readonly string[]): void {
  if (types.includes(type)) return
  throw new MnemonicError('VALIDATION_ERROR', `there is no entity type ${JSON.stringify(type)}`, {
    details: { type, types },
    hint: 'Add it to graph.entity_types in config.yaml, or use one of the types there are.',
  })
}
