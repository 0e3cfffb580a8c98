import { type BalanceComparison, count, type Environment, type LedgerSequence } from '@quittance/domain'
import type { Balance, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { Network, Services } from '../services/services.ts'
import { type Counted, countedOf } from './counted.ts'

/** An account's balance in the books and on the ledger; `difference` is what the ledger holds more, in stroops. */
export type ComparedBalance = Counted & Pick<Balance, 'held'> & { readonly difference: bigint }

/** All balances, and what of them is worth recording. */
export type Compared = { readonly balances: ReadonlyArray<ComparedBalance>; readonly comparison: BalanceComparison }

/** An event has to stay small; `quittance ledger compare` shows all of them. */
const mostRecorded = 100

/**
 * Compares what the books know of all watched accounts with what the ledger holds. `latest` is the newest ledger: the
 * balances are those of it or a later one, so what ledgers brought that are still to be ingested shows as a difference.
 */
export const compareBalances =
  (services: Services, network: Network) =>
  (environment: Environment, latest: LedgerSequence): TE.TaskEither<LedgerUnreachable | StoreUnavailable, Compared> =>
  async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const counted: Array<Counted> = []
    const countMerchant = countedOf(services, network, environment)
    for (const merchant of services.readModels.merchants.all()) {
      const ofMerchant = await countMerchant(merchant)
      if (E.isLeft(ofMerchant)) return ofMerchant
      counted.push(...ofMerchant.right)
    }
    const found = await network.gateway.balances(counted)()
    if (E.isLeft(found)) return found
    const balances = found.right.map(({ held }, place) => compared(counted, place, held))
    const differing = balances.filter(({ difference }) => difference !== 0n)
    const differences = [...differing]
      .sort((one, other) => Number(size(other) - size(one)))
      .slice(0, mostRecorded)
      .map(({ difference: _, ...each }) => each)
    const comparison = {
      asOf: latest,
      compared: count(balances.length),
      differing: count(differing.length),
      differences,
    }
    return E.right({ balances, comparison })
  }

const compared = (counted: ReadonlyArray<Counted>, place: number, held: Balance['held']): ComparedBalance => {
  const line = counted[place]
  if (line === undefined) throw new Error('the gateway answered for more balances than it was asked for')
  return { ...line, held, difference: (held ?? 0n) - line.counted }
}

const size = ({ difference }: ComparedBalance): bigint => (difference < 0n ? -difference : difference)
