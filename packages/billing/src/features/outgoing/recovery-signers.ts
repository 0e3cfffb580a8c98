import {
  type AccountId,
  asText,
  type Environment,
  endOf,
  Intent,
  IntentId,
  type IntentState,
  type RecoverySignerAction,
  type UnixMs,
} from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { Found, IntentRow, ReadModels, Scope } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { byEnd, earliest, isUnderWay, knownKeysOf } from './rotations.ts'

type Intents = { readonly intents: Pick<ReadModels['intents'], 'withKey'> }

/** A recorded wish to give an account a recovery signer. */
export type RecoverySigning = Found<IntentRow> & { readonly action: RecoverySignerAction }

/** The recorded wishes for an account, the newest last. */
export const recoverySigningsOf = async (
  { intents }: Intents,
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<RecoverySigning>> =>
  (await intents.withKey(account))
    .flatMap((found) => {
      const { action } = found.row.details
      const isOne = found.environment === environment && action._tag === 'set_recovery_signer'
      return isOne ? [{ ...found, action }] : []
    })
    .toSorted(byEnd)

export const recoverySigningUnderWay = async (
  readModels: Intents,
  environment: Environment,
  account: AccountId,
): Promise<RecoverySigning | null> =>
  (await recoverySigningsOf(readModels, environment, account)).find(isUnderWay) ?? null

/** The last wish that a ledger has fulfilled: the account must have this signer. */
export const recoverySigningInForce = async (
  readModels: Intents,
  environment: Environment,
  account: AccountId,
): Promise<RecoverySigning | null> =>
  (await recoverySigningsOf(readModels, environment, account)).findLast(({ row }) => endOf(row)?._tag === 'settled') ??
  null

/** The keys that were ever wanted as recovery signers of an account: none of them is somebody else's. */
export const recoveryKeysOf = async (
  readModels: Intents,
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<AccountId>> => [
  ...new Set((await recoverySigningsOf(readModels, environment, account)).map(({ action }) => action.signer)),
]

/** A key that has weight on an account, and is neither ours nor was ever wanted as its recovery signer; null if there is none. */
export const foreignSignerIn = async (
  services: Pick<Services, 'vault' | 'readModels'>,
  environment: Environment,
  { account, authority: { signers } }: Pick<AccountView, 'account' | 'authority'>,
  wanted: AccountId,
): Promise<string | null> => {
  const ours = await knownKeysOf(services, environment, account)
  const known: ReadonlyArray<string> = [
    ...ours,
    ...(await recoveryKeysOf(services.readModels, environment, account)),
    wanted,
  ]
  return signers.find(({ key, weight }) => weight > 0 && !known.includes(key))?.key ?? null
}

/**
 * Records that an account is to have a recovery signer, as its wish `number` (from 0). Repeated, it records nothing; so do two
 * callers that have seen as many earlier wishes.
 */
export const recordRecoverySigning = (
  { store }: Pick<Services, 'store'>,
  { environment, merchantId }: Scope,
  { account, number, action, at }: RecoveryWish,
): Promise<E.Either<ExecuteFailure, Executed<IntentState>>> => {
  const id = createdId(IntentId, earliest, derivedCommandId(environment, `recovery signer ${number} of ${account}`))
  const context = stepContext({ environment, merchantId }, `${environment}/${id}`, 'record intent', at)
  const details = { class: 'rotation' as const, owner: asText(account), source: account, action, memo: null }
  return step(store)(Intent, id, context, Intent.decider.decide({ type: 'RecordIntent', ...details }))
}

type RecoveryWish = {
  readonly account: AccountId
  readonly number: number
  readonly action: RecoverySignerAction
  readonly at: UnixMs
}
