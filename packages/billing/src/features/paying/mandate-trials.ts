import {
  type AccountId,
  asText,
  type Count,
  type CustomerId,
  count,
  type KeyedHash,
  type ProductId,
  Reservation,
  type ReservationState,
  type SubscriptionPlan,
  type UnixMs,
} from '@quittance/domain'
import { customers, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExecuteFailure, execute, fold, step } from '../../kernel/execute.ts'
import { retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import type { SessionId } from '../../kernel/session-kinds.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected } from '../../services/steps.ts'
import type { ExistingCheckout } from '../payments/session.ts'
import type { PublicSession } from './session.ts'

/** A trial of a product, in a session; `wallet` is null until it is known. */
export type Trial = {
  readonly checkoutId: SessionId
  readonly productId: ProductId
  readonly customerId: CustomerId | null
  readonly wallet: AccountId | null
}

/** The names under which a trial may be had once: for the customer, their email as the customer has it now, the wallet. */
const namesOf = (
  { store, vault }: Services,
  scope: Scope,
  { productId, customerId, wallet }: Trial,
): TE.TaskEither<StoreUnavailable, ReadonlyArray<KeyedHash>> => {
  const name = (kind: string, value: string) => vault.keyedHash('trial', `${productId}\n${kind}\n${value}`)
  const ofWallet = wallet === null ? [] : [name('wallet', wallet)]
  if (customerId === null) return TE.right(ofWallet)
  return pipe(
    retrieveLater(store)(customers, customerId, scope),
    TE.map((found) => {
      const emailHash = O.toNullable(found)?.row.record.emailHash ?? null
      const ofEmail = emailHash === null ? [] : [name('email', emailHash)]
      return [name('customer', customerId), ...ofEmail, ...ofWallet]
    }),
  )
}

const reservation = ({ store }: Services, name: KeyedHash): TE.TaskEither<StoreUnavailable, ReservationState> =>
  pipe(
    store.readStream(`${Reservation.category}-${name}`),
    TE.map(({ events }) => fold(Reservation, events)),
  )

/** Whether nobody has had the trial in another session, as far as is known now. */
const isTrialFree = (services: Services, scope: Scope, trial: Trial): TE.TaskEither<StoreUnavailable, boolean> =>
  pipe(
    namesOf(services, scope, trial),
    TE.chain(TE.traverseSeqArray((name) => reservation(services, name))),
    TE.map((found) => found.every((each) => each.status === 'free' || each.owner === asText(trial.checkoutId))),
  )

/** How many days of trial a session gives: to a wallet, or before it is known which. None to who had the product's before. */
export const trialDaysFor =
  (services: Services) =>
  (
    { id, found, state }: PublicSession,
    { trialDays }: SubscriptionPlan,
    wallet: AccountId | null,
  ): TE.TaskEither<StoreUnavailable, Count> => {
    const trial = trialOf(id, state, wallet)
    if (trialDays === 0 || trial === null) return TE.right(count(0))
    return TE.map((isFree: boolean) => (isFree ? trialDays : count(0)))(isTrialFree(services, found, trial))
  }

/** The trial of a session; null where none is given. */
export const trialOf = (
  checkoutId: SessionId,
  { details: { productId, subscription }, customerId }: ExistingCheckout,
  wallet: AccountId | null,
): Trial | null =>
  productId === null || (subscription?.trialDays ?? 0) === 0 ? null : { checkoutId, productId, customerId, wallet }

/**
 * Takes the trial for a session, for the mandate that `cause` names; whether nobody else has it. What is taken of one that
 * cannot be had is given back by `giveTrialBack`, once the session has refused the mandate.
 */
export const takeTrial =
  (services: Services) =>
  (scope: Scope, trial: Trial, cause: string, at: UnixMs): TE.TaskEither<ExecuteFailure, boolean> =>
  async () => {
    const names = await namesOf(services, scope, trial)()
    if (E.isLeft(names)) return names
    const owner = asText(trial.checkoutId)
    for (const name of names.right) {
      const context = stepContext(scope, cause, `take trial ${name}`, at)
      const decide = Reservation.decider.decide({ type: 'Claim', owner })
      const taken = unlessRejected(await execute(services.store)(Reservation, name, context, decide))
      if (E.isLeft(taken)) return taken
      if (taken.right === null) return E.right(false)
    }
    return E.right(true)
  }

export const giveTrialBack =
  (services: Services) =>
  (scope: Scope, trial: Trial, cause: string, at: UnixMs): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    const names = await namesOf(services, scope, trial)()
    if (E.isLeft(names)) return names
    const owner = asText(trial.checkoutId)
    for (const name of names.right) {
      const found = await reservation(services, name)()
      if (E.isLeft(found)) return found
      const { right: held } = found
      if (held.status === 'free' || held.owner !== owner) continue
      const context = stepContext(scope, cause, `give trial back ${name} ${held.generation}`, at)
      const decide = Reservation.decider.decide({ type: 'Release', owner, generation: held.generation })
      const released = await step(services.store)(Reservation, name, context, decide)
      if (E.isLeft(released)) return released
    }
    return E.right(undefined)
  }
