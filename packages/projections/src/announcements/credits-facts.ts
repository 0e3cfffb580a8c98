import { type CreditsEvent, periodOf, units, unitsLeft } from '@quittance/domain'
import { accessTold, isEntitledBy } from './access-facts.ts'
import { keep, left, type Recall } from './memory.ts'
import { both, nothing, type Telling, tell } from './told.ts'

/**
 * Of units, over all periods of the books. Units that a refund takes back are told by the refund; that none is left is
 * told whatever took the last.
 */
export const creditsFacts = (event: CreditsEvent, id: string, recall: Recall): Telling => {
  const { account } = periodOf(id)
  switch (event.type) {
    case 'CreditsGranted':
      return both(tell('credits.granted', account), moved(recall, account, event.data.units))
    case 'CreditsConsumed':
      return both(tell('credits.consumed', account), moved(recall, account, -event.data.units))
    case 'CreditsReversed':
      return moved(recall, account, -event.data.units)
    case 'BooksOpened':
      return { told: [], kept: [keep(left, account, unitsLeft(event.data.carried))] }
    case 'BooksClosed':
      return nothing
  }
}

const moved = (recall: Recall, account: string, by: bigint): Telling => {
  const before = recall(left, account) ?? 0n
  const after = units(before + by)
  const [, productId = ''] = account.split('/')
  return both(
    before > 0n && after === 0n ? tell('credits.depleted', account) : nothing,
    isEntitledBy(recall, productId, 'units') ? accessTold(account, before > 0n, after > 0n) : nothing,
    { told: [], kept: [keep(left, account, after)] },
  )
}
