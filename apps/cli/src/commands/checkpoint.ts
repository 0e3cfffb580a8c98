import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TransparencyLog } from '@quittance/billing'
import { logInUse } from '@quittance/domain'
import { parseCheckpoint, parseNote, type SignedNote } from '@quittance/transparency'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option, type ParsedLine } from '../command.ts'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import type { Failure } from '../failures.ts'
import { counted } from '../printing.ts'
import { listAnchors } from './checkpoint-anchors.ts'
import { decisionOf } from './decision.ts'

const decisions = ['beginAgain', 'rotateKey', 'reason', 'by']

export const checkpoint: Command = {
  name: 'checkpoint',
  summary: 'Signs a checkpoint of the event log, and prints it.',
  explanation: `A checkpoint is a signed note (C2SP tlog-checkpoint): the name of the log, how many events it has, and a hash over all of
them. Give it to somebody else, or keep it elsewhere: \`quittance verify --against\` then finds whatever was changed of these
events, by whomever. It says nothing about customers or amounts. Without new events it is the same again. A running service signs
one by itself every few minutes. Where an accepted older backup is all there is, none can be signed any more that
continues the last one: --begin-again gives the log another name and key. --rotate-key adds a key, which signs beside the older ones
that the vault has. Both are recorded for ever, and shown to everybody.`,
  options: [
    option('--out <file>', 'Writes the note into this file, which must not exist.'),
    new Option('--anchors', 'Signs none, and lists those that stand on a ledger instead.').conflicts([
      'out',
      ...decisions,
    ]),
    new Option(
      '--begin-again',
      'Gives the log another name and key first, if it does not continue its last checkpoint.',
    ).conflicts('rotateKey'),
    new Option('--rotate-key', 'Makes another key first, which signs from now on too.'),
    option('--reason <reason>', 'Why the log begins again, or its key is rotated; recorded for ever.'),
    option('--by <name>', 'The person who decides that; recorded too. "operator" unless given.'),
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
    const sign = signIn(line)
    if (E.isLeft(sign)) return sign
    return withBilling(async ({ transparency }) => {
      const signed = await sign.right(transparency)
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

type Sign = (log: TransparencyLog) => Promise<E.Either<Failure, string>>

/** What a line does before it signs, if anything. */
const signIn = (line: ParsedLine): E.Either<CommandError, Sign> => {
  const [isAgain, isRotated] = [line.isSet('begin-again'), line.isSet('rotate-key')]
  if (!isAgain && !isRotated) {
    const isAlone = line.option('reason') === null && line.option('by') === null
    return isAlone
      ? E.right(({ sign }) => sign())
      : E.left(usageError('--reason and --by belong to --begin-again or --rotate-key.'))
  }
  if (line.option('reason') === null) return E.left(usageError('Say why: --reason <reason>.'))
  const decision = decisionOf(line)
  if (E.isLeft(decision)) return decision
  return E.right(({ beginAgain, rotateKey }) => (isAgain ? beginAgain : rotateKey)(decision.right)())
}

const writeNote = (file: string, note: string): void => writeFileSync(file, note, { flag: 'wx' })

/** What a note says that was just signed. */
const contentOf = (note: string) => {
  const content = E.chainW(({ text }: SignedNote) => parseCheckpoint(text))(parseNote(note))
  if (E.isLeft(content)) throw new Error('What was signed is a checkpoint')
  const { origin, size, root } = content.right
  return { origin, events: Number(size), root: Buffer.from(root).toString('base64') }
}
