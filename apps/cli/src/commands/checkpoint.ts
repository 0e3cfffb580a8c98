import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { logInUse } from '@quittance/domain'
import { parseCheckpoint, parseNote, type SignedNote } from '@quittance/transparency'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { messageOf, refused } from '../command-error.ts'
import { counted } from '../printing.ts'
import { listAnchors } from './checkpoint-anchors.ts'

export const checkpoint: Command = {
  name: 'checkpoint',
  summary: 'Signs a checkpoint of the event log, and prints it.',
  explanation: `A checkpoint is a signed note (C2SP tlog-checkpoint): the name of the log, how many events it has, and a hash over all of
them. Give it to somebody else, or keep it elsewhere: \`quittance verify --against\` then finds whatever was changed of these
events, by whomever. It says nothing about customers or amounts. Without new events it is the same again. A running service signs
one by itself every few minutes.`,
  options: [
    option('--out <file>', 'Writes the note into this file, which must not exist.'),
    new Option('--anchors', 'Signs none, and lists those that stand on a ledger instead.'),
  ],
  needsSoundLog: true,
  example: {
    words: '',
    prints: `shop.example/1f6c0e9a2b7d4c33
1204
q8yVt0v1…=

— shop.example/1f6c0e9a2b7d4c33 a1b2c3d4…`,
    json: `{"origin":"shop.example/1f6c…","events":1204,"root":"q8yVt0v1…=","vkeys":["shop.example/1f6c…+a1b2c3d4+AQ…"],
  "checkpoint":"shop.example/1f6c…\\n1204\\n…","file":null}`,
  },
  run: async (line, { withBilling }) => {
    const named = line.option('out')
    const file = named === null ? null : resolve(named)
    if (line.isSet('anchors')) return withBilling(listAnchors)
    return withBilling(async ({ transparency }) => {
      const signed = await transparency.sign()
      if (E.isLeft(signed)) return signed
      const logs = await transparency.logs()
      if (E.isLeft(logs)) return logs
      const written = file === null ? E.right(undefined) : E.tryCatch(() => writeNote(file, signed.right), messageOf)
      if (E.isLeft(written)) return E.left(refused('file_not_written', `${file} cannot be written (${written.left}).`))
      const { origin, events, root } = contentOf(signed.right)
      const vkeys = logInUse({ logs: logs.right })?.vkeys ?? []
      return E.right({
        status: 0,
        json: { origin, events, root, vkeys, checkpoint: signed.right, file },
        text:
          file === null
            ? signed.right.trimEnd()
            : `${file}: a checkpoint of ${counted(events, 'event')}, which ${vkeys.at(-1)} verifies.`,
      })
    })
  },
}

const writeNote = (file: string, note: string): void => writeFileSync(file, note, { flag: 'wx' })

/** What a note says that was just signed. */
const contentOf = (note: string) => {
  const content = E.chainW(({ text }: SignedNote) => parseCheckpoint(text))(parseNote(note))
  if (E.isLeft(content)) throw new Error('What was signed is a checkpoint')
  const { origin, size, root } = content.right
  return { origin, events: Number(size), root: Buffer.from(root).toString('base64') }
}
