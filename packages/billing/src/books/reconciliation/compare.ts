import { type BalanceComparison, count, type Environment, type LedgerSequence } from '@quittance/domain'
import type { Balance, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Network } from '../../services/services.ts'
import type { BooksServices } from '../services.ts'
import { type Counted, countedOf } from './counted.ts'

/** An account's balance in the books and on the ledger; `difference` is the surplus of the ledger, in stroops. */
export type ComparedBalance = Counted & Pick<Balance, 'held'> & { readonly difference: bigint }

/** All balances, and the part of them to record. */
export type Compared = { readonly balances: ReadonlyArray<ComparedBalance>; readonly comparison: BalanceComparison }

/** An event has to stay small; `quittance ledger compare` shows all differences. */
const mostRecorded = 100

/**
 * Compares the books of all watched accounts with the balances on the ledger. `latest` is the newest ledger: the balances
 * are of that or a later one, so what is in ledgers that are still to be ingested shows as a difference.
 */
export const compareBalances = async (
  services: BooksServices,
  network: Network,
  environment: Environment,
  latest: LedgerSequence,
): Promise<E.Either<LedgerUnreachable | StoreUnavailable, Compared>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const counted: Array<Counted> = []
  const countMerchant = await countedOf(services, network, environment)
  for (const merchant of await filterInTurn(
    await services.readModels.merchants.all(),
    async ({ id }) => !(await services.left.has(id)),
  )) {
    const ofMerchant = await countMerchant(merchant)
    if (E.isLeft(ofMerchant)) return ofMerchant
    counted.push(...ofMerchant.right)
  }
  const found = await network.gateway.balances(counted)()
  if (E.isLeft(found)) return found
  const balances = found.right.map(({ held }, index) => compared(counted[index], held))
  const differing = balances.filter(({ difference }) => difference !== 0n)
  const differences = differing
    .toSorted((one, other) => Number(size(other) - size(one)))
    .slice(0, mostRecorded)
    .map(({ difference: _, ...each }) => each)
  const comparison = { asOf: latest, compared: count(balances.length), differing: count(differing.length), differences }
  return E.right({ balances, comparison })
}

const compared = (line: Counted | undefined, held: Balance['held']): ComparedBalance => {
  if (line === undefined) throw new Error('the gateway answered for more balances than it was asked for')
  return { ...line, held, difference: (held ?? 0n) - line.counted }
}

const size = ({ difference }: ComparedBalance): bigint => (difference < 0n ? -difference : difference)
