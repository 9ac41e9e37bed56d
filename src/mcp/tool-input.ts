/** What a client is told of a tool's input: without the address of the dialect, which every session of every agent would read for each tool. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

export function toolInput<T extends StandardSchemaWithJSON>(schema: T): StandardSchemaWithJSON {
  const standard = schema['~standard']
  const input: typeof standard.jsonSchema.input = (options) => {
    const { $schema: _dialect, ...told } = standard.jsonSchema.input(options)
    return told
  }
  return { '~standard': { ...standard, jsonSchema: { ...standard.jsonSchema, input } } }
}
