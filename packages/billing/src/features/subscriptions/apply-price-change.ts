import { PriceChange, type SubscriptionRecord, type SubscriptionStep } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { stateOf } from '../../kernel/load.ts'
import type { CurrentSubscription, DueWork, StepTaken } from './due-work.ts'
import { priceAt } from './price.ts'
import { recordStep } from './record-step.ts'

type PriceChangeDue = Extract<SubscriptionStep, { readonly _tag: 'apply_price_change' }>['priceChange']

/**
 * The new price counts for the charge that is due, unless the merchant has canceled the change meanwhile. Without a rate,
 * what was found with the notice holds: the charge waits for a rate anyway.
 */
export const applyPriceChange = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  { priceChangeId, price, assetId }: PriceChangeDue,
): StepTaken => {
  const { services, ingested } = work
  const at = ingested.closedAt
  const record = recordStep(work, current, 'apply_price_change')
  const change = await stateOf(services.store)(PriceChange, priceChangeId)
  if (E.isLeft(change)) return change
  if (change.right.state.status !== 'scheduled') return record({ type: 'DropPriceChange', priceChangeId, at })
  const quoted = await priceAt(services, current.scope, price, { assetId }, at)
  if (E.isRight(quoted)) return record({ type: 'ApplyPriceChange', priceChangeId, quote: quoted.right.amount, at })
  switch (quoted.left._tag) {
    case 'RateUnavailable':
    case 'AmountTooLarge':
      return record({ type: 'ApplyPriceChange', priceChangeId, quote: null, at })
    case 'MerchantNotReady':
    case 'NetworkNotConfigured':
    case 'StoreUnavailable':
      return E.left(quoted.left)
  }
}
