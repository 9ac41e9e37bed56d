/** Markdown as running text for a short excerpt. Of code and tables only lines with a query word stay. */
import { termsIn } from './terms.ts'

const FENCE = /^\s*((?:[^\s:`][^:`\n]{0,40}: )?)(?:`{3,}|~{3,})(\S*)\s*$/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const ROW_OF_DASHES = /^\s*\|[\s|:-]+\|\s*$/
const RULE = /^\s*([-*_=])(?:\s*\1){2,}\s*$/
const BEGINS_ITEM = /^\s*(?:#{1,6}\s+|[-*+•]\s+(?:\[[ xX]\]\s+)?|>\s?)|^\s*(?=\d{1,3}[.)]\s)/
const LEFT_OUT = '…'
/** Characters; two lines hold no more. */
const LONGEST = 4000

/** Each of `labels` begins what another speaker says. */
export function withoutMarkup(text: string, terms: readonly string[], labels: readonly string[] = []): string {
  const holdsTerm = (line: string) => termsIn(line, terms).length > 0
  const running = new RunningText()
  const lines = text
    .slice(0, LONGEST)
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n')
  let code = beginsInCode(lines)
  for (const line of lines) {
    const fence = FENCE.exec(line)
    if (fence) {
      code = !code
      running.add(fence[1] ?? '')
    } else if (code) running.addOr(line.trim(), holdsTerm(line))
    else if (ROW_OF_DASHES.test(line) || RULE.test(line)) running.endItem()
    else if (TABLE_ROW.test(line)) running.addOr(cellsOf(line), holdsTerm(line))
    else {
      if (line.trim() === '' || BEGINS_ITEM.test(line) || labels.some((label) => line.startsWith(label))) running.endItem()
      running.add(inline(line.replace(BEGINS_ITEM, '')))
    }
  }
  const said = running.text()
  return said.replaceAll(LEFT_OUT, '').trim() === '' ? text.replace(/[`~|]{3,}\S*|\s+/g, ' ').trim() : said
}

/** A chunk may begin inside of code. Then the fences are odd in number and the first names no language. */
function beginsInCode(lines: readonly string[]): boolean {
  const fences = lines.flatMap((line) => FENCE.exec(line) ?? [])
  const languages = lines.map((line) => FENCE.exec(line)?.[2]).filter((language) => language !== undefined)
  return fences.length > 0 && languages.length % 2 === 1 && languages[0] === ''
}

function cellsOf(row: string): string {
  const cells = row.split('|').map((cell) => inline(cell).trim())
  return cells.filter((cell) => cell !== '').join(' · ')
}

function inline(text: string): string {
  return text
    .replace(/!?\[([^\]\n]{1,200})\]\((?:[^()\s]|\([^()\s]*\)){1,500}\)/g, '$1')
    .replace(/\*\*(?=\S)(.{1,400}?)(?<=\S)\*\*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

class RunningText {
  #text = ''
  #itemEnds = false

  add(piece: string): void {
    if (piece.trim() === '') return
    const gap = this.#text === '' ? '' : this.#itemEnds && piece !== LEFT_OUT && !/[.:;,!?…·–—]$/.test(this.#text) ? ' · ' : ' '
    this.#text += gap + piece.trim()
    this.#itemEnds = false
  }

  addOr(piece: string, keep: boolean): void {
    if (keep) this.add(piece)
    else if (piece !== '' && !this.#text.endsWith(LEFT_OUT)) this.add(LEFT_OUT)
    this.endItem()
  }

  endItem(): void {
    this.#itemEnds = true
  }

  text(): string {
    return this.#text
  }
}
