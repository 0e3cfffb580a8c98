import { isAnySkipped, LedgerSequence, type LedgerTransactionState } from '@quittance/domain'
import { isProvenDead, type ReadFailure } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import { followingOf } from '../following/record.ts'
import { type ProcessFailure, unlessRejected } from '../processes/steps.ts'
import { recordOutcome } from './outcomes.ts'
import { type Ours, type Outgoing, toTransaction, transactionNow } from './walk.ts'

type Released = Extract<LedgerTransactionState, { readonly status: 'released' }>
type Next = E.Either<ProcessFailure, LedgerTransactionState | null>

/**
 * What became of a released transaction whose time is over, and which no walked ledger has told of. Dead only on two
 * proofs: every ledger up to one after its `maxTime` was walked, and a node that holds all of them does not find it.
 * Where ledgers were skipped, only what such a ledger still tells counts; otherwise it is left to a person, and nothing
 * of it is sent again. The state to go on from; null: it stays as it is.
 */
export const findFate =
  (
    outgoing: Outgoing,
    ours: Ours,
    { details, failedBumps }: Released,
  ): TE.TaskEither<ProcessFailure, LedgerTransactionState | null> =>
  async () => {
    const { services, network, walked, raise } = outgoing
    const { maxTime, preparedAfter, preparedAt } = details
    const following = await followingOf(services.store, ours.environment)()
    if (E.isLeft(following)) return following
    const first = decodeOrThrow(LedgerSequence, preparedAfter + 1)
    const isSkipped = isAnySkipped(following.right, first, walked.sequence)
    const lookUp = await network.gateway.lookUp(ours.hash)()
    if (E.isLeft(lookUp)) return lookUp
    const found = lookUp.right
    // Of a fee bump that failed by itself, nodes say that the transaction inside failed: that one was never tried.
    const isOfBump = found._tag === 'Failed' && failedBumps.some(({ ledger }) => ledger === found.ledger)
    if (found._tag !== 'NotFound' && !isOfBump) {
      if (found.ledger > walked.sequence) return E.right(null)
      if (isAnySkipped(following.right, found.ledger, found.ledger)) return fromSkipped(outgoing, ours, found.ledger)
      const cause = `a node says that it ${found._tag.toLowerCase()} there, which the ledger that was walked does not`
      raise({ _tag: 'OutcomeContradicted', transactionHash: ours.hash, ledger: found.ledger, cause })
      return E.right(null)
    }
    const proof = { maxTime, firstSentAt: preparedAt, highestLedgerSeen: walked.sequence }
    if (!isSkipped && (isOfBump || isProvenDead(found, proof))) return die(outgoing, ours)
    const isPruned = found._tag === 'NotFound' && found.range.oldestClosedAt > preparedAt
    if (isSkipped || isPruned) raise({ _tag: 'OutcomeUnprovable', transactionHash: ours.hash })
    return E.right(null)
  }

const die = async (outgoing: Outgoing, ours: Ours): Promise<Next> => {
  const { sequence: ledger, closedAt } = outgoing.walked
  const recorded = unlessRejected(
    await toTransaction(outgoing, ours, 'death', { type: 'RecordDeath', ledger, closedAt })(),
  )
  return E.isLeft(recorded) ? recorded : transactionNow(outgoing.services, ours)()
}

/** Reads the end from a ledger that was skipped, as if that were walked now. */
const fromSkipped = async (outgoing: Outgoing, ours: Ours, ledger: LedgerSequence): Promise<Next> => {
  const read = await outgoing.network.gateway.readLedgers(ledger, 1, null)()
  if (E.isLeft(read)) return unreadable(outgoing, ours, read.left)
  const [held] = read.right.ledgers
  const outcomes = held?.sequence === ledger ? held.outcomesOf((hash) => hash === ours.hash) : []
  const outcome = outcomes.find(({ _tag }) => _tag !== 'BumpFailed')
  if (outcome === undefined) return unprovable(outgoing, ours)
  const recorded = await recordOutcome(outgoing, ours, outcome)
  return E.isLeft(recorded) ? recorded : transactionNow(outgoing.services, ours)()
}

const unreadable = (outgoing: Outgoing, ours: Ours, failure: ReadFailure): Next => {
  switch (failure._tag) {
    case 'LedgerUnreachable':
      return E.left(failure)
    case 'RangePruned':
    case 'LedgerUnreadable':
      return unprovable(outgoing, ours)
  }
}

const unprovable = ({ raise }: Outgoing, { hash }: Ours): Next => {
  raise({ _tag: 'OutcomeUnprovable', transactionHash: hash })
  return E.right(null)
}
