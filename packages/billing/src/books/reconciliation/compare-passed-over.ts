import { type BalanceComparison, type Environment, LedgerIngestion, uncomparedThrough } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Network, Services } from '../../services/services.ts'
import { type ComparedBalance, compareBalances } from './compare.ts'

/**
 * What a process knows of ledgers that were passed over, or of which transactions were: how many there are, whether any may still
 * have to be compared, how often in a row each difference was met, and the last comparison that found a lasting one.
 */
export type PassedOverMemory = {
  ledgers: number
  isPending: boolean
  met: ReadonlyMap<string, number>
  differing: BalanceComparison | null
}

export const openPassedOver = (): PassedOverMemory => ({ ledgers: 0, isPending: true, met: new Map(), differing: null })

/** What is in a ledger that is still to be ingested differs too, for a ledger or two. */
const timesMet = 3
const ledgersBehind = 2

const nameOf = ({ account, assetId, difference }: ComparedBalance): string => `${account} ${assetId} ${difference}`

/**
 * Compares the books with all balances after ledgers that were passed over, once ingestion has reached the newest ledger, and
 * records the comparison when nothing differs, or as soon as a difference lasts.
 */
export const comparePassedOver = async (
  services: Services,
  network: Network,
  environment: Environment,
  ingested: LedgerHead,
  memory: PassedOverMemory,
): Promise<E.Either<ProcessFailure, void>> => {
  if (!memory.isPending) return E.right(undefined)
  const found = await stateOf(services.store)(LedgerIngestion, environment)
  if (E.isLeft(found)) return found
  memory.ledgers = found.right.state.passedOver.length
  const through = uncomparedThrough(found.right.state)
  if (through === null) {
    memory.isPending = false
    return E.right(undefined)
  }
  const latest = await network.gateway.latestLedger()()
  if (E.isLeft(latest)) return latest
  if (latest.right.sequence - ingested.sequence > ledgersBehind) return E.right(undefined)
  const books = await compareBalances(services, network, environment, latest.right.sequence)
  if (E.isLeft(books)) return books
  const { balances, comparison } = books.right
  const differing = balances.filter(({ difference }) => difference !== 0n).map(nameOf)
  memory.met = new Map(differing.map((name) => [name, (memory.met.get(name) ?? 0) + 1]))
  const isLasting = [...memory.met.values()].some((times) => times >= timesMet)
  if (differing.length > 0 && !isLasting) return E.right(undefined)
  const context = stepContext(
    { merchantId: platform, environment },
    `passed over ${through}`,
    'compare',
    ingested.closedAt,
  )
  const decide = LedgerIngestion.decider.decide({ type: 'ComparePassedOver', through, comparison })
  const recorded = await step(services.store)(LedgerIngestion, environment, context, decide)
  if (E.isLeft(recorded)) return recorded
  memory.isPending = false
  memory.met = new Map()
  memory.differing = differing.length > 0 ? comparison : null
  return E.right(undefined)
}
