/**
 * The first that a prompt's hook does (scripts/bundle-hook.js puts it into a small file of its own): where the prompt asks for what was, a
 * thread begins to load the embedded model, and all the rest is loaded meanwhile. It takes the model longer to load than a search by words.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeGate } from '../embed/minilm/native-gate.ts'
import { type StartedWorker, startWorker } from '../embed/minilm/started-worker.ts'
import { ownWords, sentencesIn } from '../roles/reader/own-words.ts'
import { recallCue } from '../roles/reader/recall.ts'

/** Undefined where the prompt may need no memory, where the model was never used, or where another one may be configured. */
export function beginModel(prompt: string, home: string): StartedWorker | undefined {
  const modelsFolder = join(home, 'models')
  if (!existsSync(modelsFolder) || mayNameAnother(home)) return undefined
  if (!sentencesIn(ownWords(prompt).text).some((sentence) => recallCue(sentence) !== undefined)) return undefined
  const started = startWorker({ modelsFolder, hurried: true })
  // Also where nobody comes to ask it for a vector: to stop a thread inside native code would end the whole process.
  process.once('exit', () => closeGate(started.gate))
  return started
}

/** The configuration is not loaded yet: a word in it is enough to wait for that. */
function mayNameAnother(home: string): boolean {
  try {
    return /\bprovider\b/.test(readFileSync(join(home, 'config.yaml'), 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
