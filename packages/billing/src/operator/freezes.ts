import {
  type AccountId,
  asText,
  closingOf,
  endOf,
  type FreezeDecision,
  type FreezeScope,
  freezeScopeOf,
  type IntentClass,
  isFrozen,
  Merchant,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import { readOfflineRotation } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { recoverySigningsOf } from '../features/outgoing/recovery-signers.ts'
import { type Rotation, rotationsOf } from '../features/outgoing/rotations.ts'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import { filterInTurn } from '../kernel/checks-in-turn.ts'
import { deploymentTime } from '../kernel/clock.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import { type Network, networkOf, type Services } from '../services/services.ts'
import { type KeyringServices, type RotateFailure, shown } from './account-keys.ts'
import { accountsOf, type MerchantAccount } from './leaving/accounts-of.ts'

/** What the operator wants to stop or allow. `merchantId`: null for all merchants, of whom not `everything` is stopped. */
export type FreezeRequest = {
  readonly scope: FreezeScope
  readonly merchantId: string | null
  readonly by: Text
  readonly reason: Text
}

/** A decision. `isNew`: whether it changed anything; `waiting`: how many movements of money it stops or allows. */
export type FreezeOutcome = { readonly isNew: boolean; readonly waiting: number }

/** A freeze in force, and how many movements of money wait for its end. */
export type FreezeInForce = FreezeDecision & { readonly waiting: number }

/** Everything is frozen for one merchant at a time. */
type MerchantNeeded = { readonly _tag: 'MerchantNeeded' }

/** The merchant has come from another installation, and nothing proves that no key from there has weight on these accounts. */
type KeysNotRotated = { readonly _tag: 'KeysNotRotated'; readonly accounts: ReadonlyArray<AccountId> }

/** The merchant is at another installation now. */
type MerchantHasLeft = { readonly _tag: 'MerchantHasLeft' }

/** Why a freeze cannot begin or end. */
export type FreezeFailure = RotateFailure | MerchantNotFound | MerchantNeeded | KeysNotRotated | MerchantHasLeft

/** Stops and allows sales, charges and payouts. Every process reads the decision before it acts. */
export interface FreezeSwitch {
  readonly freeze: (request: FreezeRequest) => TE.TaskEither<FreezeFailure, FreezeOutcome>
  readonly unfreeze: (request: FreezeRequest) => TE.TaskEither<FreezeFailure, FreezeOutcome>
  readonly inForce: TE.TaskEither<ExecuteFailure, ReadonlyArray<FreezeInForce>>
  /** Why the merchant's keys change nothing in an environment at present; null if they may. */
  readonly refusalOf: (scope: Scope) => TE.TaskEither<ExecuteFailure, 'suspended' | 'closed' | 'left' | null>
}

type FreezeServices = KeyringServices & Pick<Services, 'freezing' | 'left'>

export const freezeSwitch = (services: FreezeServices): FreezeSwitch => ({
  freeze: (request) => () => decide(services, 'Freeze', request),
  unfreeze: (request) => () => decide(services, 'Unfreeze', request),
  refusalOf:
    ({ merchantId, environment }) =>
    async () => {
      if (await services.left.has(merchantId)) return E.right('left')
      const found = await services.freezing.now()
      if (E.isLeft(found)) return found
      const closing = closingOf(found.right, merchantId)
      if (closing !== null && services.clock.now(environment) >= closing.refundsUntil) return E.right('closed')
      return E.right(isFrozen(found.right, 'everything', merchantId) ? 'suspended' : null)
    },
  inForce: async () => {
    const found = await services.freezing.now()
    if (E.isLeft(found)) return found
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    return E.right(
      await Promise.all(
        found.right.inForce.map(async (freeze) => ({ ...freeze, waiting: await waitingFor(services, freeze) })),
      ),
    )
  },
})

const decide = async (
  services: FreezeServices,
  type: 'Freeze' | 'Unfreeze',
  { merchantId, ...request }: FreezeRequest,
): Promise<E.Either<FreezeFailure, FreezeOutcome>> => {
  if (merchantId === null && request.scope === 'everything') return E.left({ _tag: 'MerchantNeeded' })
  if (merchantId !== null) {
    const merchant = await stateOf(services.store)(Merchant, merchantId)
    if (E.isLeft(merchant)) return merchant
    if (merchant.right.state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
    if (await services.left.has(merchantId)) return E.left({ _tag: 'MerchantHasLeft' })
    const { arrived } = merchant.right.state
    if (type === 'Unfreeze' && request.scope === 'everything' && arrived !== null) {
      const accounts = await notRotatedSince(services, merchantId, arrived.at)
      if (E.isLeft(accounts)) return accounts
      if (accounts.right.length > 0) return E.left({ _tag: 'KeysNotRotated', accounts: accounts.right })
    }
  }
  const target = merchantId === null ? {} : { merchantId: asText(merchantId) }
  const at = deploymentTime(services.clock)
  const decided = await services.freezing.decide({ type, ...request, at, ...target })
  if (E.isLeft(decided)) return decided
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  return E.right({ isNew: decided.right.isRecorded, waiting: await waitingFor(services, { ...request, ...target }) })
}

/**
 * The accounts of a merchant with keys here on which, by the log or by the ledger, another key has weight than one that was made
 * here since a moment, and a recovery signer that was set or has signed since.
 */
const notRotatedSince = async (
  services: FreezeServices,
  merchantId: string,
  since: UnixMs,
): Promise<E.Either<RotateFailure, ReadonlyArray<AccountId>>> => {
  const accounts: Array<AccountId> = []
  for (const each of await accountsOf(services, merchantId)) {
    const { environment, account, keys } = each
    const [key] = keys
    if (key === undefined) continue
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const held = { scope: { merchantId, environment }, own: { key, account }, sponsor: null }
    const found = await shown(services, environment, { network: network.right, accounts: [held] })
    if (E.isLeft(found)) return found
    const isProven = found.right.every((onLedger) => onLedger.isProven)
    if (!isProven || !(await isRotatedSince(services, network.right.gateway, each, since))) accounts.push(account)
  }
  return E.right(accounts)
}

const isRotatedSince = async (
  { vault, readModels }: FreezeServices,
  { networkPassphrase }: Network['gateway'],
  { environment, account, keys }: MerchantAccount,
  since: UnixMs,
): Promise<boolean> => {
  const isSettledSince = ({ row }: Pick<Rotation, 'row'>): boolean => {
    const end = endOf(row)
    return end?._tag === 'settled' && end.closedAt > since
  }
  const rotation = (await rotationsOf(readModels, environment, account)).at(-1)
  if (rotation === undefined || !isSettledSince(rotation)) return false
  const { to, signedOffline } = rotation.action
  const placed = await Promise.all((await filterInTurn(keys, vault.carriage.hasPlaced)).map(vault.publicKey))
  if (placed.includes(to)) return false
  const recovery = (await recoverySigningsOf(readModels, environment, account)).at(-1)
  if (recovery === undefined || isSettledSince(recovery)) return true
  // It has signed for a key that was made here: it is this operator's to use.
  const signed = signedOffline === undefined ? null : readOfflineRotation(signedOffline, networkPassphrase)
  return signed?.recoveryKey === recovery.action.signer
}

/** The movements of money that wait and that a freeze would stop. */
const waitingFor = async (
  { readModels: { intents } }: Pick<Services, 'readModels'>,
  { scope, merchantId }: Pick<FreezeDecision, 'scope' | 'merchantId'>,
): Promise<number> => {
  let waiting = 0
  for (const environment of ['testnet', 'mainnet'] as const) {
    const owners =
      merchantId === undefined ? await intents.ownersDue(environment, 0, Number.MAX_SAFE_INTEGER) : [merchantId]
    for (const owner of owners)
      for await (const { row } of intents.ofStatus({ merchantId: owner, environment }, 'waiting'))
        if (stopsClass(scope, row.details.class)) waiting += 1
  }
  return waiting
}

const stopsClass = (scope: FreezeScope, of: IntentClass): boolean => {
  const stoppedBy = freezeScopeOf(of)
  return stoppedBy !== null && (stoppedBy === scope || scope === 'everything')
}
