import {
  asText,
  type Environment,
  freezeScopeOf,
  type IntentDetails,
  type ScreeningState,
  standingOf,
  type Text,
  type TransactionDetails,
} from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { IsFrozen } from './frozen.ts'
import { merchantsWaiting, waitingOf } from './merchants-in-turn.ts'
import type { Outgoing } from './outgoing.ts'
import type { Spent } from './waiting.ts'

/** What a screening says about waiting money. `refused`: the operator wants it never sent. */
export type ScreenedMoney = { readonly isHeld: IsFrozen; readonly refused: ReadonlyArray<Spent> }

/**
 * Asks about the destinations of money that waits, and holds what would pay one that is listed. While the list does not
 * answer, nothing is sent that it was not asked about. `payouts` are those that may be beyond what is read of a merchant's
 * waiting intents.
 */
export const screenWaiting = async (
  outgoing: Outgoing,
  environment: Environment,
  isFrozen: IsFrozen,
  payouts: ReadonlyArray<Found<IntentRow>>,
): Promise<E.Either<ExecuteFailure, ScreenedMoney>> => {
  const { services } = outgoing
  const { screening, holding } = services
  const known = await holding.now()
  if (E.isLeft(known)) return known
  if (!screening.isOn && known.right.held.size === 0) return E.right({ isHeld: () => false, refused: [] })
  const waiting = new Map(payouts.filter((each) => !isFrozen(each)).map((each) => [each.id, each]))
  for (const merchantId of await merchantsWaiting(outgoing, environment))
    for await (const intent of waitingOf(services, { merchantId, environment }, isFrozen))
      waiting.set(intent.id, intent)
  const asked = [...waiting.values()].flatMap((intent) => {
    const paid = paidBy(intent.row.details)
    return paid === null || standingOf(known.right, paid.subject) !== 'unknown' ? [] : [{ intent, ...paid }]
  })
  const listed = await screening.listed([...new Set(asked.map(({ address }) => address))])()
  if (E.isLeft(listed)) outgoing.raise(listed.left)
  const clear = new Set<string>()
  let state = known.right
  if (E.isRight(listed))
    for (const { intent, subject, address } of asked) {
      if (!listed.right.has(address)) {
        clear.add(subject)
        continue
      }
      const hold = {
        subject,
        merchantId: asText(intent.merchantId),
        environment,
        address,
        at: outgoing.ingested.closedAt,
      }
      const held = await holding.record({ type: 'HoldMoney', ...hold })
      if (E.isLeft(held)) return held
      state = held.right.state
    }
  const refused = [...waiting.values()].filter(({ row }) => {
    const paid = paidBy(row.details)
    return paid !== null && standingOf(state, paid.subject) === 'refused'
  })
  return E.right({
    isHeld: ({ row }) => {
      const paid = paidBy(row.details)
      return paid !== null && !mayGo(state, paid.subject) && !clear.has(paid.subject)
    },
    refused: refused.map((intent) => ({ intent, reason: 'withdrawn' })),
  })
}

/** Whether a transaction that is about to be released would pay somebody who is listed, or about whom nobody can be asked. */
export const holdsListed = async (
  { services }: Pick<Outgoing, 'services'>,
  { intents }: TransactionDetails,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const { screening, holding, readModels } = services
  const state = await holding.now()
  if (E.isLeft(state)) return state
  if (!screening.isOn && state.right.held.size === 0) return E.right(false)
  const asked: Array<string> = []
  for (const id of intents) {
    const details = (await readModels.intents.withId(id))?.row.details
    const paid = details === undefined ? null : paidBy(details)
    if (paid === null) continue
    const standing = standingOf(state.right, paid.subject)
    if (standing === 'held' || standing === 'refused') return E.right(true)
    if (standing === 'unknown') asked.push(paid.address)
  }
  const listed = await screening.listed(asked)()
  return E.right(E.isLeft(listed) || listed.right.size > 0)
}

const mayGo = (state: ScreeningState, subject: string): boolean => standingOf(state, subject) === 'accepted'

/** Whom an intent pays, and what for; null if it pays nobody. */
export const paidBy = ({
  class: of,
  owner,
  action,
}: IntentDetails): { readonly subject: Text; readonly address: Text } | null =>
  action._tag === 'payment' && freezeScopeOf(of) === 'payouts'
    ? { subject: owner, address: asText(action.destination) }
    : null
