/** Edits of each harness's calls. */
import { describe, expect, it } from 'vitest'
import { editsOf } from './edits.ts'

const call = (tool_name: string, params: unknown, result: unknown = 'ok', status = 'completed') =>
  editsOf({ tool_name, params_json: JSON.stringify(params), result_json: JSON.stringify(result), status })
const plain = (tool: string, params: unknown) =>
  call(tool, params).map(({ path, hunks }) => [path, hunks.map(({ old, new: fresh }) => [old, fresh])])

describe('an edit', () => {
  it.each([
    ['Edit', { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' }],
    ['search_replace', { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' }],
    ['edit', { filePath: '/r/a.ts', oldString: 'x', newString: 'y' }],
    ['edit', { path: '/r/a.ts', oldText: 'x', newText: 'y' }],
    ['edit', { path: '/r/a.ts', edits: [{ oldText: 'x', newText: 'y' }] }],
    ['str_replace_based_edit_tool', { command: 'str_replace', path: '/r/a.ts', old_str: 'x', new_str: 'y' }],
    ['MultiEdit', { file_path: '/r/a.ts', edits: [{ old_string: 'x', new_string: 'y' }] }],
    ['apply_patch', { changes: { '/r/a.ts': { update: { unified_diff: '@@ -1 +1 @@\n-x\n+y\n' } } } }],
    ['apply_patch', '*** Begin Patch\n*** Update File: /r/a.ts\n@@\n-x\n+y\n*** End Patch'],
    [
      'shell',
      { command: ['bash', '-lc', "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: /r/a.ts\n@@\n-x\n+y\n*** End Patch\nEOF"] },
    ],
  ])('of %s', (tool, params) => expect(plain(tool, params)).toEqual([['/r/a.ts', [[['x'], ['y']]]]]))

  it.each([
    ['Write', { file_path: '/r/a.ts', content: 'x\n' }, undefined],
    ['write_file', { path: '/r/a.ts', content: 'x\n' }, undefined],
    ['create', { command: 'create', path: '/r/a.ts', file_text: 'x\n' }, undefined],
    ['apply_patch', { changes: { '/r/a.ts': { type: 'add', content: 'x\n' } } }, []],
  ])('that writes a file whole: %s', (tool, params, old) => expect(plain(tool, params)).toEqual([['/r/a.ts', [[old, ['x']]]]]))

  it('moves a file', () => {
    const patch = '*** Begin Patch\n*** Update File: /r/a.ts\n*** Move to: /r/b.ts\n@@\n a\n-x\n+y\n*** End Patch'
    expect(call('apply_patch', { input: patch })).toMatchObject([
      { path: '/r/b.ts', movedFrom: '/r/a.ts', hunks: [{ before: ['a'], new: ['y'] }] },
    ])
  })

  it('counts only if it was done', () => {
    const params = { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' }
    expect(call('Edit', params, 'String to replace not found', 'error')).toEqual([])
    expect(call('Edit', params, "The user doesn't want to proceed with this tool use.", 'error')).toEqual([])
    expect(call('Read', { file_path: '/r/a.ts', content: 'x' })).toEqual([])
  })

  it('knows the lines around it where the harness notes them', () => {
    const structuredPatch = [{ lines: [' one', '-x', '+y', ' three'] }]
    const [edit] = call(
      'Edit',
      { file_path: '/r/a.ts', old_string: 'x', new_string: 'y' },
      { content: 'ok', toolUseResult: { structuredPatch } },
    )
    expect(edit?.hunks).toEqual([{ old: ['x'], new: ['y'], before: ['one'], after: ['three'], isWholeLines: true }])
  })

  it('that writes over a file added only what the notes mark as new', () => {
    const structuredPatch = [{ lines: [' one', '+two'] }]
    const result = { content: 'updated', toolUseResult: { type: 'update', structuredPatch } }
    expect(call('Write', { file_path: '/r/a.ts', content: 'one\ntwo\n' }, result)[0]?.hunks).toMatchObject([
      { old: ['one'], new: ['one', 'two'] },
    ])
  })
})
