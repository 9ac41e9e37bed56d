// Runs tests for mutate.js in a lasting process: starting vitest takes longer than most tests. A message names tests and changed files; the
// answer has their result.
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'

const vitest = await createVitest('test', { watch: false, bail: 1, reporters: [{}] })
await vitest.standalone()

process.on('message', async ({ tests, changed }) => {
  for (const file of changed) vitest.invalidateFile(resolve(file))
  process.send(await run(tests.map((file) => resolve(file))))
})
process.on('disconnect', () => process.exit())
process.send('ready')

/** First failing test and its file. Empty if something else failed, such as an unreadable file. */
async function run(files) {
  const specifications = files.flatMap((file) => vitest.getModuleSpecifications(file))
  const unknown = files.filter((file) => specifications.every(({ moduleId }) => moduleId !== file))
  if (unknown.length > 0) return { passed: false, output: `not a test file: ${unknown.join(', ')}` }
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // Includes modules of earlier runs.
  const modules = testModules.filter(({ moduleId }) => files.includes(moduleId))
  for (const module of modules) {
    const [test] = module.children.allTests('failed')
    if (test !== undefined)
      return { passed: false, failed: test.fullName, file: relative('.', module.moduleId), output: texts(test.result().errors) }
  }
  const errors = [...modules.flatMap((module) => [...module.errors(), ...suiteErrors(module)]), ...unhandledErrors]
  const passed = errors.length === 0 && modules.length > 0 && modules.every((module) => module.ok())
  return { passed, output: texts(errors) }
}

const suiteErrors = (module) => [...module.children.allSuites()].flatMap((suite) => suite.errors())
const texts = (errors) => errors.map(({ stack, message }) => stack ?? message).join('\n')
