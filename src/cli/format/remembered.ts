/** Quotation marks separate what people wrote from our words. */
import { oneLine, printable } from '../../core/text.ts'
import type { RememberAnswer, RememberedList, ShownRemembered } from '../../library/index.ts'
import { wrap } from './layout.ts'

const LONGEST = 600

export function formatRemembered({ remembered }: RememberedList, width: number): string {
  return remembered.map((one) => entryOf(one, width)).join('\n')
}

export function formatStated({ remembered: one, is_new, new_entity }: RememberAnswer): string {
  const said = one.status === 'proposed' ? (is_new ? 'Proposed' : 'Proposed already') : is_new ? 'Remembered' : 'Known already'
  const made = new_entity === null ? '' : `\nNew entity: ${printable(new_entity.name)} (${new_entity.type}, ${new_entity.id.slice(0, 8)})`
  return `${said} ${one.id} (${kindOf(one)}): “${oneLine(printable(one.text), LONGEST)}”${made}`
}

function entryOf(one: ShownRemembered, width: number): string {
  const head = `${one.id}  ${one.stated_at.slice(0, 10)}  ${kindOf(one)}${one.status === 'holds' ? '' : `, ${one.status}`}${one.from === null ? '' : ` by ${oneLine(printable(one.from), 60)}`}`
  return `${head}\n${wrap(`“${oneLine(printable(one.text), LONGEST)}”`, Math.max(20, width), '    ')}`
}

function kindOf({ type, about, project, corrects }: ShownRemembered): string {
  const of = [
    ...(about === null ? [] : [`about ${oneLine(printable(about.name), 60)}`]),
    ...(project === null ? [] : [`in ${oneLine(printable(project), 60)}`]),
    ...(corrects === null ? [] : [`corrects ${corrects}`]),
  ]
  return [type, ...of].join(' ')
}
