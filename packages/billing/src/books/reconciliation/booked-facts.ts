import type { Environment } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import { type BookLine, feeKey, gainKey, leftOverLineKey, lossKey } from '../../features/book-lines/book-lines.ts'
import type { LeftOver } from '../../features/book-lines/left-over.ts'
import type { NamingFacts } from '../../features/book-lines/name-movement.ts'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { positionOf, sessionCalled } from './recorded-facts.ts'

type Change = Pick<Movement, 'account' | 'assetId' | 'delta'>

/** Lines of books by their keys, and which of them were found in a ledger. */
export type Booked = {
  readonly facts: NamingFacts
  /** The exception, or the merchant's own movement, that accounts for this left-over. */
  readonly leftOver: (change: LeftOver) => BookLine | null
  /** The lines that were not found in a ledger. */
  readonly unmet: () => ReadonlyArray<BookLine>
}

/** Answers the questions of `NamingFacts` from the lines of books, as `recordedFacts` does from the read models. */
export const bookedFacts = (
  { readModels }: Pick<Services, 'readModels'>,
  lines: ReadonlyArray<BookLine>,
  environment: Environment,
  ownerOf: Owners,
): Booked => {
  const byKey = new Map(lines.map((line) => [line.key, line]))
  const met = new Set<string>()
  const find = (key: string, { account, assetId, delta }: Change): BookLine | null => {
    const line = byKey.get(key)
    if (line === undefined || line.account !== account || line.assetId !== assetId || line.delta !== delta) return null
    met.add(key)
    return line
  }
  const name = (line: BookLine | null) =>
    line === null || line.tag === 'unexplained' || line.tag === 'own' ? null : { _tag: line.tag, id: line.id }
  return {
    facts: {
      isSetUp: async ({ account, ledger }) => ledger <= ((await ownerOf(account))?.setUpThrough ?? 0),
      creditedTo: async (movement) => name(find(gainKey(environment, positionOf(movement)), movement)),
      summedFrom: async (movement) => {
        const line = byKey.get(gainKey(environment, positionOf(movement)))
        const named = line === undefined ? null : name(line)
        if (line?.sum === undefined || named === null) return null
        if (line.account !== movement.account || line.assetId !== movement.assetId) return null
        return { name: named, amount: line.delta, ...line.sum, found: () => void met.add(line.key) }
      },
      sessionOf: sessionCalled(readModels),
      paidOutFor: async (movement) => name(find(lossKey(movement), movement)),
      feeFor: async (movement) => name(find(feeKey(movement.transactionHash, movement.account), movement)),
    },
    leftOver: (change) => find(leftOverLineKey(change), change),
    unmet: () => lines.filter(({ key }) => !met.has(key)),
  }
}
