import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { mergeMetadata } from '../shared/metadata.ts'
import { requestedBy } from './authorization.ts'
import type { ChangeMetadata, SwapProduct } from './commands.ts'
import { type Decision, forbidden, type LaterEvent, record, reject } from './decision.ts'
import type { SubscriptionRecord } from './state.ts'

/** Why the mandate does not allow another product; null where it does. */
const obstacle = ({ authorization }: SubscriptionRecord, { terms, quote }: SwapProduct) => {
  const { interval, intervalCount, cap } = authorization.mandate
  if (terms.interval !== interval || terms.intervalCount !== intervalCount) return 'swap_of_interval'
  return quote > cap ? 'swap_above_cap' : null
}

/**
 * Another product from the next charge on. Where the mandate does not allow it the old one stays, and waits for a mandate
 * that does. Asking for the product that stands drops a swap that waits. While money is owed, nothing is swapped.
 */
export const swapProduct = (command: SwapProduct, state: SubscriptionRecord): Decision => {
  const { terms, assetId, authorizationId, at } = command
  const { details, collection, lifecycle, pendingSwap, anchor } = state
  if (lifecycle._tag === 'canceled' || collection._tag !== 'current') return forbidden(state)
  if (assetId !== details.assetId) return reject({ _tag: 'AssetMismatch', expected: details.assetId })
  const { currency } = state.terms.price
  if (terms.price.currency !== currency) return reject({ _tag: 'CurrencyMismatch', expected: currency })
  if (isSame(terms, state.terms)) return pendingSwap === null ? nothing : record({ type: 'SwapDropped', data: { at } })
  if (isSame(terms, pendingSwap?.terms)) return nothing
  const why = obstacle(state, command)
  if (why === null) return record({ type: 'ProductSwapped', data: { terms, anchor, at } })
  const pending: LaterEvent = { type: 'SwapPending', data: { terms, authorizationId, at } }
  return record(pending, requestedBy(command, 'mandate', why))
}

export const changeMetadata = (command: ChangeMetadata, { metadata }: SubscriptionRecord): Decision => {
  const merged = mergeMetadata(metadata, command.metadata)
  if (E.isLeft(merged)) return merged
  return merged.right === metadata ? nothing : record({ type: 'MetadataChanged', data: { metadata: merged.right } })
}
