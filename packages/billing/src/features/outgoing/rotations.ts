import {
  type AccountId,
  asText,
  type Environment,
  endOf,
  Intent,
  type IntentDetails,
  IntentId,
  isExhausted,
  type KeyRotationAction,
  type Text,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Found, IntentRow, ReadModels, Scope } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { madeRotatedKeys } from '../../stores/vault/vault-signer.ts'

type Intents = Pick<ReadModels, 'intents'>
type IntentsByOwner = { readonly intents: Pick<ReadModels['intents'], 'withKey'> }

export type Rotation = Found<IntentRow> & { readonly action: KeyRotationAction }

export const isUnderWay = ({ row: { status } }: Found<IntentRow>): boolean =>
  status === 'waiting' || status === 'attached'

/** When its ledger closed, however late its owner hears of it; when one began that no ledger holds. */
const endedAt = ({ row }: Found<IntentRow>): number => {
  const end = endOf(row)
  return end?._tag === 'settled' || end?._tag === 'refused' ? end.closedAt : row.createdAt
}

/** What is under way comes last, and before that the newest end. */
export const byEnd = (one: Found<IntentRow>, other: Found<IntentRow>): number =>
  Number(isUnderWay(one)) - Number(isUnderWay(other)) || endedAt(one) - endedAt(other)

/** The rotations of an account that the log knows, the newest last. */
export const rotationsOf = async (
  { intents }: IntentsByOwner,
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<Rotation>> =>
  (await intents.withKey(account))
    .flatMap((found) => {
      const { action } = found.row.details
      return found.environment === environment && action._tag === 'rotate_key' ? [{ ...found, action }] : []
    })
    .toSorted(byEnd)

/** The rotation of an account that is under way. */
export const rotationUnderWay = async (
  readModels: Intents,
  environment: Environment,
  account: AccountId,
): Promise<Rotation | null> => (await rotationsOf(readModels, environment, account)).find(isUnderWay) ?? null

/**
 * The rotation for which everything else of an account waits. One that was signed offline is awaited by nothing: it may take
 * days until it fails.
 */
export const rotationHoldingUp = async (
  readModels: Intents,
  environment: Environment,
  account: AccountId,
): Promise<Rotation | null> =>
  (await rotationsOf(readModels, environment, account)).find(
    (each) => isUnderWay(each) && each.action.signedOffline === undefined,
  ) ?? null

/** Whether a transaction that may still enter a ledger uses an account: its sequence numbers, its money, or its reserves. */
export const isInUse = async (
  { ledgerTransactions, intents }: Pick<ReadModels, 'ledgerTransactions' | 'intents'>,
  environment: Environment,
  account: AccountId,
  { closedAt }: Pick<LedgerHead, 'closedAt'>,
): Promise<boolean> => {
  for await (const { row } of ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER)) {
    if (row.maxTime < closedAt) continue
    if (row.sourceAccount === account) return true
    for (const id of row.intents) {
      const details = (await intents.withId(id))?.row.details
      if (details === undefined || ('signedOffline' in details.action && details.action.signedOffline)) continue
      const sponsor = 'sponsor' in details.action ? details.action.sponsor : undefined
      if (details.source === account || sponsor === account) return true
    }
  }
  return false
}

/** The rotations that wait for a transaction. Their ids sort before all others. */
export async function* waitingRotations(
  { intents }: Intents,
  environment: Environment,
  merchantIds: ReadonlyArray<string>,
): AsyncGenerator<Found<IntentRow>, undefined> {
  for (const merchantId of merchantIds)
    for await (const intent of intents.ofStatus({ merchantId, environment }, 'waiting')) {
      if (intent.row.details.class !== 'rotation') break
      if (!isExhausted(intent.row)) yield intent
    }
}

/** The public keys of the vault for an account besides the one that names it, the oldest first. */
export const laterKeysOf = async (
  vault: Pick<Vault, 'keysNamed' | 'publicKey'>,
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<AccountId>> =>
  (
    await Promise.all(
      (await madeRotatedKeys(vault, environment, account)).map(async (key) => (await vault.publicKey(key)) ?? []),
    )
  ).flat()

/** All keys of ours that an account has or had, by the vault and by the log, which may know of keys that the vault lacks. */
export const knownKeysOf = async (
  { vault, readModels }: Pick<Services, 'vault'> & { readonly readModels: Intents },
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<AccountId>> => {
  const recorded = (await rotationsOf(readModels, environment, account)).map(({ action }) => action.to)
  return [...new Set([account, ...(await laterKeysOf(vault, environment, account)), ...recorded])]
}

/** Ids of rotations name no time, because nobody could derive them again: they sort before all others, and are due. */
export const earliest = unixMs(1)

/** The intent that gives a key its weight: one for each key of an account, whoever asks, and after whatever was lost. */
export const rotationId = (environment: Environment, account: AccountId, to: AccountId): IntentId =>
  createdId(IntentId, earliest, derivedCommandId(environment, `rotate ${account} to ${to}`))

export const rotationDetails = (
  account: AccountId,
  to: AccountId,
  sponsor: AccountId | null,
  signedOffline: Text | null = null,
): IntentDetails => ({
  class: 'rotation',
  owner: asText(account),
  source: account,
  action: {
    _tag: 'rotate_key',
    to,
    ...(sponsor === null ? {} : { sponsor }),
    ...(signedOffline === null ? {} : { signedOffline }),
  },
  memo: null,
})

/** Records that a key which is in the vault already is to have an account's weight. Repeated, it records nothing. */
export const recordRotation = (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  { details, to, at }: { readonly details: IntentDetails; readonly to: AccountId; readonly at: UnixMs },
): Promise<E.Either<ExecuteFailure, Executed<unknown>>> => {
  const id = rotationId(scope.environment, details.source, to)
  const context = stepContext(scope, `${scope.environment}/${id}`, 'record intent', at)
  return step(store)(Intent, id, context, Intent.decider.decide({ type: 'RecordIntent', ...details }))
}
