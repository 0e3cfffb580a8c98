import { type CreditsEvent, periodOf, units, unitsLeft } from '@quittance/domain'
import { accessChange, isEntitledBy } from './access-facts.ts'
import { keep, left, type Recall } from './memory.ts'
import { allOf, nothing, type Publication, publish, remember } from './publication.ts'

/**
 * Public events of units, over all periods of the books. The refund that takes units back has events of its own; an account
 * is depleted whatever took its last unit.
 */
export const creditsFacts = (event: CreditsEvent, id: string, recall: Recall): Publication => {
  const { account } = periodOf(id)
  switch (event.type) {
    case 'CreditsGranted':
      return allOf(publish('credits.granted', account), moved(recall, account, event.data.units))
    case 'CreditsConsumed':
      return allOf(publish('credits.consumed', account), moved(recall, account, -event.data.units))
    case 'CreditsReversed':
      return moved(recall, account, -event.data.units)
    case 'BooksOpened':
      return remember(keep(left, account, unitsLeft(event.data.carried)))
    case 'BooksClosed':
      return nothing
    // Whoever has taken over has the units, and hears of access where there was none.
    case 'BooksHandedOver':
      return remember(keep(left, account, null))
    case 'BooksTakenOver':
      return moved(recall, account, unitsLeft(event.data.balance))
  }
}

const moved = (recall: Recall, account: string, by: bigint): Publication => {
  const before = recall(left, account) ?? 0n
  const after = units(before + by)
  const [, productId = ''] = account.split('/')
  return allOf(
    before > 0n && after === 0n ? publish('credits.depleted', account) : nothing,
    isEntitledBy(recall, productId, 'units') ? accessChange(account, before > 0n, after > 0n) : nothing,
    remember(keep(left, account, after)),
  )
}
