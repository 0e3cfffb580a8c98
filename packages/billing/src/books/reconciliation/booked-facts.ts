import type { Environment } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import {
  type BookLine,
  placeOfFee,
  placeOfGain,
  placeOfLeftOver,
  placeOfLoss,
} from '../../features/book-lines/book-lines.ts'
import type { LeftOver } from '../../features/book-lines/left-over.ts'
import type { NamingFacts } from '../../features/book-lines/name-movement.ts'
import type { Owners } from '../../services/owners.ts'
import { creditPlace } from './recorded-facts.ts'

type Change = Pick<Movement, 'account' | 'assetId' | 'delta'>

/** Lines of books by their places, and which of them a ledger was found to hold. */
export type Booked = {
  readonly facts: NamingFacts
  /** The exception, or the movement of the merchant's own, that stands for this left-over. */
  readonly leftOver: (change: LeftOver) => BookLine | null
  /** Lines that no movement has met yet. */
  readonly unmet: () => ReadonlyArray<BookLine>
}

/** What the books say of a movement: the same questions as of the read models, answered from all lines at once. */
export const bookedFacts = (lines: ReadonlyArray<BookLine>, environment: Environment, ownerOf: Owners): Booked => {
  const byPlace = new Map(lines.map((line) => [line.place, line]))
  const met = new Set<string>()
  const find = (place: string, { account, assetId, delta }: Change): BookLine | null => {
    const line = byPlace.get(place)
    if (line === undefined || line.account !== account || line.assetId !== assetId || line.delta !== delta) return null
    met.add(place)
    return line
  }
  const name = (line: BookLine | null) =>
    line === null || line.tag === 'unexplained' || line.tag === 'own' ? null : { _tag: line.tag, id: line.id }
  return {
    facts: {
      isSetUp: ({ account, ledger }) => ledger <= (ownerOf(account)?.setUpThrough ?? 0),
      creditedTo: (movement) => name(find(placeOfGain(environment, creditPlace(movement)), movement)),
      paidOutFor: (movement) => name(find(placeOfLoss(movement), movement)),
      feeFor: (movement) => name(find(placeOfFee(movement.transactionHash, movement.account), movement)),
    },
    leftOver: (change) => find(placeOfLeftOver(change), change),
    unmet: () => lines.filter(({ place }) => !met.has(place)),
  }
}
