import {
  type AccountId,
  asText,
  type Count,
  type CustomerId,
  count,
  type KeyedHash,
  type ProductId,
  Reservation,
  type SubscriptionPlan,
  type UnixMs,
} from '@quittance/domain'
import { customers, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { retrieve, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { SessionId } from '../../kernel/session-kinds.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { namesCustomer } from '../payments/payer.ts'
import type { ExistingCheckout } from '../payments/session.ts'

/** A session that may give a trial. */
type TrialSession = { readonly id: SessionId; readonly found: Scope; readonly state: ExistingCheckout }

/** A trial of a product, in a session; `wallet` is null until it is known. */
export type Trial = {
  readonly checkoutId: SessionId
  readonly productId: ProductId
  readonly customerId: CustomerId | null
  /** Whether the merchant named the customer by id. Else somebody may have typed another person's email. */
  readonly isCustomerNamed: boolean
  readonly wallet: AccountId | null
}

export const trialKinds = ['customer', 'email', 'typed customer', 'typed email', 'wallet'] as const

/** What a trial is reserved under: one of a product for each customer, email and wallet. */
export const trialName = (
  vault: Pick<Vault, 'keyedHash'>,
  productId: ProductId,
  kind: (typeof trialKinds)[number],
  value: string,
): Promise<KeyedHash> => vault.keyedHash('trial', `${productId}\n${kind}\n${value}`)

/** What has a trial once. A session reserves its `own` names, and gives no trial while another one holds any of them all. */
type Names = { readonly own: ReadonlyArray<KeyedHash>; readonly others: ReadonlyArray<KeyedHash> }

/**
 * A trial is given once for each of: the customer, the customer's current email, and the wallet. Merged customers are one. A trialthat was taken under an
 * email that was only typed counts against typed emails, not against a customer whom the merchant names.
 */
const namesOf = async (
  { store, vault, readModels }: Pick<Services, 'store' | 'vault' | 'readModels'>,
  scope: Scope,
  { productId, customerId, isCustomerNamed, wallet }: Trial,
): Promise<E.Either<StoreUnavailable, Names>> => {
  const name = (kind: (typeof trialKinds)[number], value: string) => trialName(vault, productId, kind, value)
  const ofWallet = wallet === null ? [] : [await name('wallet', wallet)]
  if (customerId === null) return E.right({ own: ofWallet, others: [] })
  const named: Array<KeyedHash> = []
  const typed: Array<KeyedHash> = []
  for (const each of await readModels.customerFamily.allOf(customerId)) {
    const found = await retrieve(store)(customers, each, scope)
    if (E.isLeft(found)) return found
    const emailHash = O.toNullable(found.right)?.row.record.emailHash ?? null
    const ofEmail = async (kind: 'email' | 'typed email') => (emailHash === null ? [] : [await name(kind, emailHash)])
    named.push(await name('customer', each), ...(await ofEmail('email')))
    typed.push(await name('typed customer', each), ...(await ofEmail('typed email')))
  }
  return E.right(
    isCustomerNamed ? { own: [...named, ...ofWallet], others: [] } : { own: [...typed, ...ofWallet], others: named },
  )
}

/** Whether no other session is known to hold the trial. */
const isTrialFree = async (
  services: Pick<Services, 'store' | 'vault' | 'readModels'>,
  scope: Scope,
  trial: Trial,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  const names = await namesOf(services, scope, trial)
  if (E.isLeft(names)) return names
  return areFree(services, trial, [...names.right.own, ...names.right.others])
}

const areFree = async (
  { store }: Pick<Services, 'store'>,
  { checkoutId }: Trial,
  names: ReadonlyArray<KeyedHash>,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  for (const name of names) {
    const reservation = await stateOf(store)(Reservation, name)
    if (E.isLeft(reservation)) return reservation
    const { state } = reservation.right
    if (state.status !== 'free' && state.owner !== asText(checkoutId)) return E.right(false)
  }
  return E.right(true)
}

/**
 * The trial days that a session gives a wallet; `wallet` is null before it is known. 0 if the customer, the email or
 * the wallet had the trial before.
 */
export const trialDaysFor = async (
  services: Pick<Services, 'store' | 'vault' | 'readModels'>,
  { id, found, state }: TrialSession,
  { trialDays }: SubscriptionPlan,
  wallet: AccountId | null,
): Promise<E.Either<StoreUnavailable, Count>> => {
  const trial = trialOf(id, state, wallet)
  if (trialDays === 0 || trial === null) return E.right(count(0))
  return E.map((isFree: boolean) => (isFree ? trialDays : count(0)))(await isTrialFree(services, found, trial))
}

/** The trial of a session; null if it gives none. */
export const trialOf = (checkoutId: SessionId, checkout: ExistingCheckout, wallet: AccountId | null): Trial | null => {
  const { details, customerId } = checkout
  const { productId, subscription } = details
  return productId === null || (subscription?.trialDays ?? 0) === 0
    ? null
    : { checkoutId, productId, customerId, isCustomerNamed: namesCustomer(checkout), wallet }
}

/**
 * Reserves the trial for a session's mandate, which `cause` names. Returns false if another session has it. What was
 * reserved until then is released by `giveTrialBack`, after the session has refused the mandate.
 */
export const takeTrial = async (
  services: Pick<Services, 'store' | 'vault' | 'readModels'>,
  scope: Scope,
  trial: Trial,
  cause: string,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const names = await namesOf(services, scope, trial)
  if (E.isLeft(names)) return names
  const { own, others } = names.right
  const areOthersFree = await areFree(services, trial, others)
  if (E.isLeft(areOthersFree) || !areOthersFree.right) return areOthersFree
  for (const name of own) {
    const context = stepContext(scope, cause, `take trial ${name}`, at)
    const decide = Reservation.decider.decide({ type: 'Claim', owner: asText(trial.checkoutId) })
    const taken = await stepUnless(services.store)(['HeldBy'], Reservation, name, context, decide)
    if (E.isLeft(taken)) return taken
    if (taken.right === null) return E.right(false)
  }
  return E.right(true)
}

export const giveTrialBack = async (
  services: Pick<Services, 'store' | 'vault' | 'readModels'>,
  scope: Scope,
  trial: Trial,
  cause: string,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, void>> => {
  const names = await namesOf(services, scope, trial)
  if (E.isLeft(names)) return names
  const owner = asText(trial.checkoutId)
  for (const name of [...names.right.own, ...names.right.others]) {
    const reservation = await stateOf(services.store)(Reservation, name)
    if (E.isLeft(reservation)) return reservation
    const { state } = reservation.right
    if (state.status === 'free' || state.owner !== owner) continue
    const { generation } = state
    const context = stepContext(scope, cause, `give trial back ${name} ${generation}`, at)
    const decide = Reservation.decider.decide({ type: 'Release', owner, generation })
    const released = await step(services.store)(Reservation, name, context, decide)
    if (E.isLeft(released)) return released
  }
  return E.right(undefined)
}
