import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FeeStatsUnavailable } from '../../fee-stats.ts'
import type { LedgerGateway, LedgerHead, LedgerUnreachable } from '../../gateway.ts'
import { inBatches } from '../balances.ts'
import { type LedgerNode, viewAt } from './ledger-node.ts'
import { lookUpInSeveral } from './look-up-in-several.ts'
import type { NodeAlarm } from './node-alarm.ts'
import { readFromSeveral } from './read-from-several.ts'
import { roster } from './roster.ts'
import { submitToSeveral } from './submit-to-several.ts'

const unreachable = (cause: string): LedgerUnreachable => ({ _tag: 'LedgerUnreachable', cause })

/**
 * One ledger behind several nodes that may be silent, late, pruned or wrong. Who fails rests and is asked last. That
 * something is not there counts only from a node at or past the highest ledger that any of them has told of; where none
 * such answers, the ledger is unreachable. What is looked up and what is submitted: see `lookUpInSeveral` and
 * `submitToSeveral`. `alarm` is told of nodes that are not believed. `now`: see `roster`.
 */
export const severalNodes = (
  networkPassphrase: string,
  nodes: ReadonlyArray<LedgerNode>,
  alarm: (alarm: NodeAlarm) => void,
  now: () => number,
): LedgerGateway => {
  const known = roster(nodes, now, alarm)
  const { ask, believed, highest, told } = known
  const readLedgers = readFromSeveral(known)

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
    readLedgers,

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

    accountView: (account, assets) => TE.map(viewAt)(upToDate((node) => node.account(account, assets))),

    balances: inBatches((holdings) => upToDate((node) => node.held(holdings))),

    entries: (keys) => upToDate((node) => node.entries(keys)),
    simulate: (envelopeXdr) => upToDate((node) => node.simulate(envelopeXdr)),

    lookUp: lookUpInSeveral(known, readLedgers, alarm),
    submit: submitToSeveral(known),

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
