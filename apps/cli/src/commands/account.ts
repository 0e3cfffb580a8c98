import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountKeys, Billing, KeyHolder } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { Argument, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option, type ParsedLine } from '../command.ts'
import { type CommandError, usageError } from '../command-error.ts'
import type { Failure } from '../failures.ts'
import { table } from '../printing.ts'
import { environmentOption, inEnvironment, merchantOf, merchantOption } from '../scope.ts'

const lookEveryMs = 1_000
const usuallyWaited = 60
const mostWaited = 3_600

const which = new Argument('<which>', 'settlement, operator or channels.')
const options = [environmentOption, merchantOption]

const holderOf = (billing: Billing, line: ParsedLine): E.Either<CommandError, KeyHolder> => {
  const wanted = line.required('which')
  switch (wanted) {
    case 'operator':
    case 'channels':
      return E.right({ _tag: wanted })
    case 'settlement': {
      const merchantId = merchantOf(billing, line)
      return E.isLeft(merchantId) ? merchantId : E.right({ _tag: wanted, merchantId: merchantId.right })
    }
  }
  return E.left(usageError('Name settlement, operator or channels.'))
}

type Shown = Promise<E.Either<CommandError | Failure, CommandResult>>

export const accountShow: Command = {
  name: 'account show',
  summary: 'Shows which keys have weight on an account of the service.',
  explanation: `Reads the signers of the account from the ledger, with their weights, and the last rotation of its key. "channels" shows
each channel account.`,
  argument: which,
  options,
  needsSoundLog: false,
  example: {
    words: 'operator --environment mainnet',
    prints: `GOPERATOR… as of ledger 51355112: a transaction takes a weight of 1
KEY            WEIGHT  OURS
GOPERATOR…     0       yes
GNEWKEY…       1       yes
rotated to GNEWKEY… in ledger 51355110: no other key has weight`,
    json: `[{"account":"G…","as_of":51355112,"needed":1,"signs":"G…","keys":[{"key":"G…","weight":0,"ours":true},…],
  "rotation":{"to":"G…","status":"done","transaction_hash":"…","ledger":51355110,"code":null},"proven":true}]`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = holderOf(billing, line)
      if (E.isLeft(holder)) return holder
      const shown = await billing.accountKeys.show(environment, holder.right)()
      return E.isLeft(shown) ? shown : E.right(resultOf(shown.right))
    }),
}

export const accountRotate: Command = {
  name: 'account rotate',
  summary: 'Gives an account of the service a new key, and takes the weight of the old one.',
  explanation: `Makes a new key in the vault. The service then puts it on the ledger by one transaction, which also takes the weight of every
earlier key of ours: the address, its mandates and its history stay. Before that, transactions of the account that are under way
come to their end; meanwhile others wait. The command waits for the end, and prints what the ledger says then. If it is
stopped, the rotation goes on: run it again to join, or \`account show\`. Afterwards back up at once: no earlier backup has
the new key, and nothing else can move the account's money. --prepare only makes the key, so that a backup can have it
before it has weight. A first rotation needs 0.5 XLM on the account, for the ledger's entry of the new signer.`,
  argument: which,
  options: [
    ...options,
    new Option('--prepare', 'Only makes the next key in the vault, and shows it.'),
    option('--wait <seconds>', `How long to wait for the ledger: ${usuallyWaited} unless given.`),
  ],
  needsSoundLog: true,
  example: {
    words: 'settlement --environment mainnet',
    prints: `GACCOUNT… as of ledger 51355112: a transaction takes a weight of 1
KEY            WEIGHT  OURS
GACCOUNT…      0       yes
GNEWKEY…       1       yes
rotated to GNEWKEY… in ledger 51355110: no other key has weight
Make a backup now: no earlier one has the new key.`,
    json: 'as of `account show`; with --prepare [{"account":"G…","to":"G…"}]',
  },
  run: async (line, installation) => {
    const wait = line.option('wait') ?? String(usuallyWaited)
    if (!/^\d{1,4}$/.test(wait) || Number(wait) > mostWaited)
      return E.left(usageError(`--wait takes seconds, at most ${mostWaited}.`))
    return inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = holderOf(billing, line)
      if (E.isLeft(holder)) return holder
      if (line.isSet('prepare')) return prepared(billing, environment, holder.right)
      const begun = await billing.accountKeys.rotate(environment, holder.right)()
      if (E.isLeft(begun)) return begun
      let shown = begun.right
      const until = Date.now() + Number(wait) * 1_000
      while (shown.some(isUnderWay) && Date.now() < until) {
        await sleep(lookEveryMs)
        const again = await billing.accountKeys.show(environment, holder.right)()
        // A node may be silent for a while.
        if (E.isRight(again)) shown = again.right
      }
      const { status, json, text } = resultOf(shown)
      return E.right({ status, json, text: `${text}\n${nextStep(shown)}` })
    })
  },
}

const prepared = async ({ accountKeys }: Billing, environment: Environment, holder: KeyHolder): Shown => {
  const made = await accountKeys.prepare(environment, holder)()
  if (E.isLeft(made)) return made
  const lines = made.right.map(({ account, to }) => `${account} can be rotated to ${to}.`)
  return E.right({ status: 0, json: made.right, text: [...lines, 'Make a backup, and then rotate.'].join('\n') })
}

const isUnderWay = ({ rotation }: AccountKeys): boolean => rotation?.status === 'waiting' || rotation?.status === 'sent'

const nextStep = (all: ReadonlyArray<AccountKeys>): string =>
  all.some(isUnderWay)
    ? 'The service goes on with it: see `quittance account show`, and make a backup now, which has the new key.'
    : 'Make a backup now: no earlier one has the new key.'

/** A rotation that failed, or that has left weight to another key, is not in order. */
const isInOrder = (keys: AccountKeys): boolean => keys.rotation === null || isUnderWay(keys) || keys.isProven

const resultOf = (all: ReadonlyArray<AccountKeys>): CommandResult => ({
  status: all.every(isInOrder) ? 0 : 1,
  json: all.map(jsonOf),
  text: all.map(textOf).join('\n\n'),
})

const jsonOf = ({ account, asOf, needed, signs, keys, rotation, isProven }: AccountKeys) => ({
  account,
  as_of: asOf,
  needed,
  signs,
  keys: keys.map(({ key, weight, isOurs }) => ({ key, weight, ours: isOurs })),
  rotation:
    rotation === null
      ? null
      : {
          to: rotation.to,
          status: rotation.status,
          transaction_hash: rotation.transactionHash,
          ledger: rotation.ledger,
          code: rotation.code,
        },
  proven: isProven,
})

const textOf = (found: AccountKeys): string => {
  const { account, asOf, needed, signs, keys } = found
  const head =
    asOf === null
      ? `${account} is not on the ledger`
      : `${account} as of ledger ${asOf}: a transaction takes a weight of ${needed}`
  const rows = keys.map(({ key, weight, isOurs }) => [key, String(weight), isOurs ? 'yes' : 'no'])
  const lacking = signs === null ? ['No key of the vault has weight: put the newer vault in place.'] : []
  return [head, table([['KEY', 'WEIGHT', 'OURS'], ...rows]), ...lacking, ...rotationText(found)].join('\n')
}

const rotationText = ({ rotation, isProven }: AccountKeys): ReadonlyArray<string> => {
  if (rotation === null) return []
  const { to, status, ledger, code } = rotation
  switch (status) {
    case 'waiting':
      return [`to be rotated to ${to}: waits for a transaction`]
    case 'sent':
      return [`to be rotated to ${to}: waits for a ledger`]
    case 'failed':
      return [`not rotated to ${to}: ${code ?? 'it failed'}. The weights have not changed.`]
    case 'done':
      return [
        `rotated to ${to} in ledger ${ledger}: ${isProven ? 'no other key has weight' : 'ANOTHER KEY HAS WEIGHT, see above'}`,
      ]
  }
}
