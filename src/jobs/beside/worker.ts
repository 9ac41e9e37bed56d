/** Worker entry, never imported. Buffers a bounded number of pieces. */
import { setImmediate as breath } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { labelled } from '../../analyze/run/labelled.ts'
import { MnemonicError } from '../../core/error.ts'
import { sentError } from '../../core/sent-error.ts'
import { workOfCall } from '../../index/work-of-call.ts'
import type { ReadItem } from '../../ingest/adapter.ts'
import { builtInAdapters } from '../../ingest/adapters.ts'
import { unitOpener } from '../../ingest/open-unit.ts'
import { unitReader } from '../../ingest/unit-reader.ts'
import { PIECE_BYTES, PIECE_ITEMS, PIECES_AHEAD, type Piece, type Reply, type Request, type Start } from './messages.ts'

const port = parentPort
if (port) {
  const { config, paths } = workerData as Start
  const adapters = builtInAdapters(config, paths)
  const send = (reply: Reply) => port.postMessage(reply)
  let waiting = 0
  let taken = () => {}

  port.on('message', (request: Request) => {
    if (request.kind === 'read') void read(request)
    else if (request.kind === 'work') make(() => request.input.map((call) => workOfCall(call, config.index.tools)))
    else if (request.kind === 'labels') make(() => labelled(request.input))
    else {
      waiting--
      taken()
    }
  })

  function make(output: () => Extract<Reply, { kind: 'made' }>['output']): void {
    try {
      send({ kind: 'made', output: output() })
    } catch (error) {
      send({ kind: 'failed', error: sentError(error, 'INTERNAL') })
    }
  }

  async function put(piece: Omit<Piece, 'kind'>): Promise<void> {
    while (waiting >= PIECES_AHEAD) {
      await new Promise<void>((resolve) => {
        taken = resolve
      })
    }
    waiting++
    send({ kind: 'piece', ...piece })
    // Other requests come between pieces.
    await breath()
  }

  async function read({ adapter: name, reread, units }: Extract<Request, { kind: 'read' }>): Promise<void> {
    const adapter = adapters.find((one) => one.name === name)
    const reader = unitReader(noDatabase)
    let counted = 0
    for (const { unit, state } of units) {
      let since: Piece['since']
      let items: ReadItem[] = []
      const piece = (end: boolean) => {
        const made = { since, items, bytes: reader.bytesRead() - counted, end }
        counted += made.bytes
        items = []
        return made
      }
      try {
        if (adapter === undefined) throw new MnemonicError('INTERNAL', `there is no adapter ${name} in the thread that reads`)
        const opened = await unitOpener({ adapter, reader, reread })(unit, state)
        since = opened.since
        for await (const item of opened.items) {
          items.push(item)
          if (items.length >= PIECE_ITEMS || reader.bytesRead() - counted >= PIECE_BYTES) await put(piece(false))
        }
        await put(piece(true))
      } catch (error) {
        await put({ ...piece(true), error: sentError(error, 'INTERNAL') })
      }
    }
  }
}

function noDatabase(path: string): never {
  throw new MnemonicError('INTERNAL', `${path} is a database, and is not read ahead`)
}
