#!/usr/bin/env node
/** The `mnemonic` binary. The only code that ends the process. */
const OLDEST_NODE = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `error: Node ${process.versions.node} is too old for Mnemonic\ntry: install Node ${OLDEST_NODE.join('.')} or newer\n`,
  )
  process.exit(1)
}

// Keeps compiled code between runs; exists from Node 22.1 on.
const { enableCompileCache } = process.getBuiltinModule('node:module') as { enableCompileCache?: () => unknown }
enableCompileCache?.()

// A hook runs at every prompt: its gate comes before any other import.
if (process.argv.includes('hook') && process.stdin.isTTY !== true) {
  const { hookArguments, enterHook } = await import('./hook/gate.ts')
  const hook = hookArguments(process.argv.slice(2))
  if (hook !== undefined) await enterHook(hook, process)
}

// Imported late: on an older Node the native module would crash before the version check.
const { fileURLToPath } = await import('node:url')
const { run } = await import('./main.ts')
const { interruption } = await import('./interruption.ts')
const { callerName, surroundings } = await import('./caller.ts')

let outputFailure: string | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe (`| head`): let the command finish.
  if (error.code !== 'EPIPE') outputFailure = error.message
})
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') outputFailure = error.message
})

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  script: fileURLToPath(import.meta.url),
  isTTY: { stdin: process.stdin.isTTY === true, stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
  columns: process.stdout.columns,
  rows: process.stdout.rows,
  launch: async (...program) => (await import('./launch.ts')).launch(...program),
  signal: interruption(process, (exitCode) => process.exit(exitCode)),
  caller: () => callerName(surroundings(process.env)),
  questions: process.stdin.isTTY && process.stderr.isTTY ? async () => (await import('./questions.ts')).terminalQuestions() : undefined,
  ask:
    process.stdin.isTTY && process.stderr.isTTY
      ? async (question) => (await import('./confirm.ts')).asker(process.stdin, process.stderr)(question)
      : undefined,
})
process.exitCode = code
process.once('beforeExit', () => {
  if (outputFailure === undefined) return
  process.stderr.write(`error: cannot write the output: ${outputFailure}\n`)
  process.exitCode = 1
})
