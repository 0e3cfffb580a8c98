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

export const which = new Argument('<which>', 'settlement, operator or channels.')
const options = [environmentOption, merchantOption]

export const holderOf = async (billing: Billing, line: ParsedLine): Promise<E.Either<CommandError, KeyHolder>> => {
  const wanted = line.required('which')
  switch (wanted) {
    case 'operator': {
      const merchantId = line.option('merchant')
      return E.right(merchantId === null ? { _tag: wanted } : { _tag: wanted, merchantId })
    }
    case 'channels':
      return E.right({ _tag: wanted })
    case 'settlement': {
      const merchantId = await merchantOf(billing, line)
      return E.isLeft(merchantId) ? merchantId : E.right({ _tag: wanted, merchantId: merchantId.right })
    }
  }
  return E.left(usageError('Name settlement, operator or channels.'))
}

export type Shown = Promise<E.Either<CommandError | Failure, CommandResult>>

export const waitOption = option('--wait <seconds>', `How long to wait for the ledger: ${usuallyWaited} unless given.`)

export const secondsToWait = (line: ParsedLine): E.Either<CommandError, number> => {
  const wait = line.option('wait') ?? String(usuallyWaited)
  return !/^\d{1,4}$/.test(wait) || Number(wait) > mostWaited
    ? E.left(usageError(`--wait takes seconds, at most ${mostWaited}.`))
    : E.right(Number(wait))
}

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
  "rotation":{"to":"G…","status":"done","transaction_hash":"…","ledger":51355110,"code":null},
  "recovery":{"signer":"G…","status":"done","weight":2,"keeps_signers":true},"proven":true}]`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = await holderOf(billing, line)
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
before it has weight. --fresh makes a key now, whatever was prepared: only that fences a host which has a copy of the vault. "operator --merchant" is the operator account of a merchant's own. A first rotation needs 0.5 XLM on the account, for the ledger's entry of the new signer.`,
  argument: which,
  options: [
    ...options,
    new Option('--prepare', 'Only makes the next key in the vault, and shows it.'),
    new Option('--fresh', 'Rotates to a key that is made now, never to a prepared one.').conflicts('prepare'),
    waitOption,
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
    const wait = secondsToWait(line)
    if (E.isLeft(wait)) return wait
    return inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = await holderOf(billing, line)
      if (E.isLeft(holder)) return holder
      if (line.isSet('prepare')) return prepared(billing, environment, holder.right)
      const begun = await billing.accountKeys.rotate(
        environment,
        holder.right,
        line.isSet('fresh') ? 'fresh' : 'prepared',
      )()
      if (E.isLeft(begun)) return begun
      const shown = await whenOver(begun.right, wait.right, billing.accountKeys.show(environment, holder.right))
      const { status, json, text } = resultOf(shown)
      return E.right({ status, json, text: `${text}\n${nextStep(shown)}` })
    })
  },
}

/** The accounts once nothing is under way for them, or after so many seconds. */
export const whenOver = async (
  begun: ReadonlyArray<AccountKeys>,
  seconds: number,
  show: ReturnType<Billing['accountKeys']['show']>,
): Promise<ReadonlyArray<AccountKeys>> => {
  let shown = begun
  const until = Date.now() + seconds * 1_000
  while (shown.some(isUnderWay) && Date.now() < until) {
    await sleep(lookEveryMs)
    const again = await show()
    // A node may be silent for a while.
    if (E.isRight(again)) shown = again.right
  }
  return shown
}

const prepared = async ({ accountKeys }: Billing, environment: Environment, holder: KeyHolder): Shown => {
  const made = await accountKeys.prepare(environment, holder)()
  if (E.isLeft(made)) return made
  const lines = made.right.map(({ account, to }) => `${account} can be rotated to ${to}.`)
  return E.right({
    status: 0,
    json: made.right,
    text: [
      ...lines,
      'Make a backup, and then rotate. To fence a host that has a copy of the vault, rotate with --fresh instead.',
    ].join('\n'),
  })
}

type WithStatus = NonNullable<AccountKeys['rotation'] | AccountKeys['recovery']>

const isBegun = (wish: WithStatus | null): boolean => wish?.status === 'waiting' || wish?.status === 'sent'

const isUnderWay = ({ rotation, recovery }: AccountKeys): boolean => isBegun(rotation) || isBegun(recovery)

const nextStep = (all: ReadonlyArray<AccountKeys>): string =>
  all.some(isUnderWay)
    ? 'The service goes on with it: see `quittance account show`, and make a backup now, which has the new key.'
    : 'Make a backup now: no earlier one has the new key.'

/** A rotation that failed, or that has left weight to another key, is not in order. */
const isInOrder = (keys: AccountKeys): boolean =>
  (keys.rotation === null || isUnderWay(keys) || keys.isProven) && !isRecoveryLost(keys)

/** The recovery signer was put on the ledger, and is not there any more. */
const isRecoveryLost = ({ recovery }: AccountKeys): boolean => recovery?.status === 'done' && recovery.weight === 0

export const resultOf = (all: ReadonlyArray<AccountKeys>): CommandResult => ({
  status: all.every(isInOrder) ? 0 : 1,
  json: all.map(jsonOf),
  text: all.map(textOf).join('\n\n'),
})

const jsonOf = ({ account, asOf, needed, signs, keys, rotation, recovery, isProven }: AccountKeys) => ({
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
  recovery:
    recovery === null
      ? null
      : {
          signer: recovery.signer,
          status: recovery.status,
          weight: recovery.weight,
          keeps_signers: recovery.keepsSigners,
        },
  proven: isProven,
})

const textOf = (found: AccountKeys): string => {
  const { account, asOf, needed, signs, keys, recovery } = found
  const head =
    asOf === null
      ? `${account} is not on the ledger`
      : `${account} as of ledger ${asOf}: a transaction takes a weight of ${needed}`
  const rows = keys.map(({ key, weight, isOurs }) => [
    key,
    String(weight),
    key === recovery?.signer ? 'recovery' : isOurs ? 'yes' : 'no',
  ])
  const lacking =
    signs === null && asOf !== null ? ['No key of the vault has weight: put the newer vault in place.'] : []
  return [
    head,
    table([['KEY', 'WEIGHT', 'OURS'], ...rows]),
    ...lacking,
    ...rotationText(found),
    ...recoveryText(found),
  ].join('\n')
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

const recoveryText = (found: AccountKeys): ReadonlyArray<string> => {
  const { recovery } = found
  if (recovery === null) return []
  const { signer, status, keepsSigners } = recovery
  switch (status) {
    case 'waiting':
      return [`to get the recovery signer ${signer}: waits for a transaction`]
    case 'sent':
      return [`to get the recovery signer ${signer}: waits for a ledger`]
    case 'failed':
      return [`the recovery signer ${signer} was not added`]
    case 'done':
      if (isRecoveryLost(found)) return [`THE RECOVERY SIGNER ${signer} WAS REMOVED`]
      return [
        keepsSigners
          ? `only the recovery signer ${signer} may change signers`
          : `the recovery signer ${signer} may change signers, and so may the service's key`,
      ]
  }
}
