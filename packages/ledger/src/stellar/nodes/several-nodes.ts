import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FeeStatsUnavailable } from '../../fee-stats.ts'
import type { LedgerGateway, LedgerHead, LedgerUnreachable } from '../../gateway.ts'
import type { SubmitFailure, TransactionLookUp } from '../../submission.ts'
import { inBatches } from '../balances.ts'
import type { AccountAt, LedgerNode } from './ledger-node.ts'
import type { NodeSetAside } from './node-alarm.ts'
import { readFromSeveral } from './read-from-several.ts'
import { roster } from './roster.ts'

type NotFound = Extract<TransactionLookUp, { _tag: 'NotFound' }>

const unreachable = (cause: string): LedgerUnreachable => ({ _tag: 'LedgerUnreachable', cause })

/**
 * One ledger behind several nodes that may be silent, late, pruned or wrong. Who fails rests and is asked last. That
 * something is not there counts only from a node at or past the highest ledger that any of them has told of; where none
 * such answers, the ledger is unreachable. A submission goes to the next node, with the same bytes, while its outcome is
 * unknown. `alarm` is told once of each node that is set aside. `now`: see `roster`.
 */
export const severalNodes = (
  networkPassphrase: string,
  nodes: ReadonlyArray<LedgerNode>,
  alarm: (setAside: NodeSetAside) => void,
  now: () => number,
): LedgerGateway => {
  const known = roster(nodes, now, alarm)
  const { ask, believed, highest, isResting, told } = known

  /** The answer of the first node that is at or past the highest ledger seen. */
  const upToDate =
    <A extends { readonly asOf: LedgerSequence }>(
      question: (node: LedgerNode) => TE.TaskEither<LedgerUnreachable, A>,
    ): TE.TaskEither<LedgerUnreachable, A> =>
    async () => {
      let failure = unreachable('no node is believed')
      for (const member of believed()) {
        const answer = await ask(member, question)
        if (E.isLeft(answer)) {
          failure = answer.left
          continue
        }
        const { asOf } = answer.right
        told(member, asOf)
        if (asOf >= highest()) return answer
        failure = unreachable(`${member.node.name} is at ledger ${asOf}, and ledger ${highest()} has been seen`)
      }
      return E.left(failure)
    }

  return {
    networkPassphrase,
    readLedgers: readFromSeveral(known),

    latestLedger: () => async () => {
      let newest: LedgerHead | null = null
      let failure = unreachable('no node is believed')
      for (const member of believed()) {
        const head = await ask(member, (node) => node.latestLedger())
        if (E.isLeft(head)) {
          failure = head.left
          continue
        }
        told(member, head.right.sequence)
        if (newest === null || head.right.sequence > newest.sequence) newest = head.right
        if (newest.sequence >= highest()) break
      }
      return newest === null ? E.left(failure) : E.right(newest)
    },

    accountView: (account, assets) =>
      TE.map(({ view }: AccountAt) => view)(upToDate((node) => node.account(account, assets))),

    balances: inBatches((holdings) => upToDate((node) => node.held(holdings))),

    lookUp: (hash) => async () => {
      const noes: Array<NotFound> = []
      const counting = () => noes.filter(({ range }) => range.latest >= highest())
      let failure = unreachable('no node is believed')
      for (const member of believed()) {
        if (isResting(member) && counting().length > 0) break
        const found = await ask(member, (node) => node.lookUp(hash))
        if (E.isLeft(found)) failure = found.left
        else if (found.right._tag !== 'NotFound') return found
        else {
          told(member, found.right.range.latest)
          noes.push(found.right)
        }
      }
      const [furthestBack] = counting().sort((one, other) => one.range.oldest - other.range.oldest)
      if (furthestBack !== undefined) return E.right(furthestBack)
      return E.left(noes.length === 0 ? failure : unreachable('who has not found it is late'))
    },

    submit: (envelopeXdr) => async () => {
      let failure: SubmitFailure = { _tag: 'OutcomeUnknown', cause: 'no node is believed' }
      for (const member of believed()) {
        const outcome = await ask(member, (node) => node.submit(envelopeXdr))
        if (E.isRight(outcome)) return outcome
        const { left } = outcome
        if (left._tag !== 'LedgerUnreachable' && left._tag !== 'OutcomeUnknown') return E.left(left)
        failure = { _tag: 'OutcomeUnknown', cause: left.cause }
      }
      return E.left(failure)
    },

    feeStats: () => async () => {
      let failure: FeeStatsUnavailable = { _tag: 'FeeStatsUnavailable', cause: 'no node is believed' }
      for (const member of believed()) {
        const stats = await ask(member, (node) => node.feeStats())
        if (E.isRight(stats)) return stats
        failure = { ...failure, cause: stats.left.cause }
      }
      return E.left(failure)
    },
  }
}
