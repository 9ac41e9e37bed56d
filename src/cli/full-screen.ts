/** Takes over the alternate screen. Restores the terminal on `leave`, an error, a signal or the end of the process. */
import { emitKeypressEvents, type Key } from 'node:readline'

export interface FullScreen {
  readonly columns: number
  readonly rows: number
  /** One line per row, the cursor at `column` of the first. Lines must fit. */
  draw(lines: readonly string[], column: number): void
  leave(): void
}

export interface ScreenEvents {
  key(key: Key, text: string): void
  resize(): void
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const ENTER = '\u001b[?1049h\u001b[?25h'
const LEAVE = '\u001b[?1049l\u001b[?25h'

export function fullScreen(events: ScreenEvents): FullScreen {
  const { stdin, stdout } = process
  const wasRaw = stdin.isRaw
  let isOpen = true
  const onKey = (text: string | undefined, key: Key) => events.key(key, text ?? '')
  const onSignal = (signal: NodeJS.Signals) => {
    leave()
    process.kill(process.pid, signal) // our listener is gone: the default handler ends the process
  }
  function leave(): void {
    if (!isOpen) return
    isOpen = false
    stdin.off('keypress', onKey)
    stdout.off('resize', events.resize)
    process.off('exit', leave)
    for (const signal of SIGNALS) process.off(signal, onSignal)
    stdin.setRawMode(wasRaw)
    stdin.pause()
    stdout.write(LEAVE)
  }
  process.on('exit', leave)
  for (const signal of SIGNALS) process.on(signal, onSignal)
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', onKey)
  stdin.resume()
  stdout.on('resize', events.resize)
  stdout.write(ENTER)
  return {
    get columns() {
      return stdout.columns || 80
    },
    get rows() {
      return stdout.rows || 24
    },
    draw(lines, column) {
      if (!isOpen) return
      stdout.write(frame(lines, column, stdout.rows || 24))
    },
    leave,
  }
}

/** A cursor below the last row stays on it: clearing from there would erase the last line. */
export function frame(lines: readonly string[], column: number, rows: number): string {
  const drawn = lines.map((line, i) => `\u001b[${i + 1};1H\u001b[2K${line}`)
  const below = lines.length < rows ? `\u001b[${lines.length + 1};1H\u001b[J` : ''
  return `\u001b[?25l${drawn.join('')}${below}\u001b[1;${column + 1}H\u001b[?25h`
}
