import { expect, it } from 'vitest'
import { processorTime } from '../../../../test/helpers/processor-time.ts'
import { ownWords } from './own-words.ts'

const said = (content: string, forwards = false) => {
  const ranges = ownWords(content, { forwards })
  return ranges === undefined ? [content] : ranges.map(([from, to]) => content.slice(from, to))
}

it.each([
  ['On Mon, Feb 2, 2026 at 9:00 AM Sarah Lee <sarah@x.org> wrote:'],
  ['On Mon, Feb 2, 2026 at 9:00 AM Sarah Lee\n<sarah@x.org> wrote:'],
  ['Am 02.02.2026 um 09:00 schrieb Sarah Lee:'],
  ['Le lun. 2 févr. 2026 à 09:00, Sarah Lee <sarah@x.org> a écrit :'],
  ['El lun, 2 feb 2026 a las 9:00, Sarah (<sarah@x.org>) escribió:'],
  ['Em seg., 2 de fev. de 2026 às 09:00, Sarah <sarah@x.org> escreveu:'],
  ['Il giorno lun 2 feb 2026 alle ore 09:00 Sarah <sarah@x.org> ha scritto:'],
  ['Op ma 2 feb 2026 om 09:00 schreef Sarah <sarah@x.org>:'],
  ['Den mån 2 feb. 2026 kl 09:00 skrev Sarah <sarah@x.org>:'],
  ['пн, 2 февр. 2026 г. в 09:00, Sarah <sarah@x.org> пишет:'],
  ['2026年2月2日(月) 9:00 Sarah <sarah@x.org>のメール:'],
  ['Sarah <sarah@x.org> 于2026年2月2日周一 09:00写道：'],
])('%s begins the history, quoted or not', (line) => {
  expect(said(`Yes, Thursday.\n\n${line}\n> Which day?\n> Or never?`)).toEqual(['Yes, Thursday.'])
  expect(said(`Yes, Thursday.\n\n${line}\n\nWhich day?\nOr never?`)).toEqual(['Yes, Thursday.'])
})

it('answers between quotations stay, each for itself', () => {
  expect(said('On 2 Feb 2026 at 9:00 Sarah wrote:\n> Which day?\nThursday.\n> Which room?\nThe large one.\n')).toEqual([
    'Thursday.',
    'The large one.',
  ])
})

it.each([
  ['-----Original Message-----\nFrom: Sarah\nSent: Monday'],
  ['----- Ursprüngliche Nachricht -----\nVon: Sarah'],
  ['________________________________\nFrom: Sarah <s@x.org>\nSent: Monday\nTo: Me\nSubject: Plan'],
  ['Von: Sarah <s@x.org>\nGesendet: Montag\nAn: Ich\nBetreff: Plan'],
])('what Outlook puts before the mail that is answered: %s', (block) => {
  expect(said(`Fine.\n\n${block}\n\nWhich day?`)).toEqual(['Fine.'])
})

it('what is forwarded stays: it may stand nowhere else', () => {
  const forward =
    'See below.\n\n---------- Forwarded message ---------\nFrom: Sarah <s@x.org>\nDate: Mon\nSubject: Plan\nTo: Me\n\nThe plan is ready.'
  expect(said(forward)).toEqual([forward])
  const outlook = 'See below.\n\nFrom: Sarah <s@x.org>\nSent: Monday\nTo: Me\nSubject: Plan\n\nThe plan is ready.'
  expect(said(outlook, true)).toEqual([outlook])
})

it.each([
  ['-- \nSarah Lee\n+1 415 555 2671'],
  ['Sent from my iPhone'],
  ['Von meinem iPhone gesendet'],
  ['Get Outlook for iOS'],
  ['Envoyé de mon iPhone'],
])('a signature is left out: %s', (signature) => {
  expect(said(`Thursday it is.\n\n${signature}`)).toEqual(['Thursday it is.'])
  expect(said(`Thursday it is.\n\n${signature}\n\nOn 2 Feb 2026 at 9:00 Sarah wrote:\n> When?`)).toEqual(['Thursday it is.'])
})

it('a text that only talks of writing is all its own', () => {
  for (const text of ['Then he wrote:\nnothing.', 'From: is a word.\nTo: too.', 'a -- b\nc', '']) expect(said(text)).toEqual([text])
})

it('time follows the length of the text, whatever it is made of', () => {
  for (const piece of ['> ', 'On a ', 'From: ', '-- \n', '\n', 'wrote:\n', '_'.repeat(50), 'On 2 Feb 2026 x\n']) {
    const text = piece.repeat(Math.ceil(2_000_000 / piece.length))
    const spent = processorTime()
    ownWords(text, { forwards: false })
    expect(spent()).toBeLessThan(5000)
  }
})
