import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { FeeStatsUnavailable } from '../../fee-stats.ts'
import { type LedgerGateway, type LedgerHead, type LedgerUnreachable, ledgerUnreachable } from '../../gateway.ts'
import { inBatches } from '../balances.ts'
import { type LedgerNode, viewAt } from './ledger-node.ts'
import { lookUpInSeveral } from './look-up-in-several.ts'
import type { NodeAlarm } from './node-alarm.ts'
import { readFromSeveral } from './read-from-several.ts'
import { roster } from './roster.ts'
import { submitToSeveral } from './submit-to-several.ts'

/**
 * One ledger behind several nodes that may be silent, late, pruned or wrong. A node that fails rests and is asked last.
 * A missing entry counts only from a node at or past the highest ledger that any of them has shown; where no such node
 * responds, the ledger is unreachable. Look-ups and submissions: see `lookUpInSeveral` and `submitToSeveral`. `alarm`
 * hears of nodes that are not believed. `now`: see `roster`.
 */
export const severalNodes = (
  networkPassphrase: string,
  nodes: ReadonlyArray<LedgerNode>,
  alarm: (alarm: NodeAlarm) => void,
  now: () => number,
): LedgerGateway => {
  const known = roster(nodes, now, alarm)
  const { ask, believed, highest, shows } = known
  const readLedgers = readFromSeveral(known)

  /** The response of the first node that is at or past the highest ledger seen. */
  const upToDate =
    <A extends { readonly asOf: LedgerSequence }>(
      request: (node: LedgerNode) => TaskEither<LedgerUnreachable, A>,
    ): TaskEither<LedgerUnreachable, A> =>
    async () => {
      let failure = ledgerUnreachable('no node is believed')
      for (const member of believed()) {
        const response = await ask(member, request)
        if (E.isLeft(response)) {
          failure = response.left
          continue
        }
        const { asOf } = response.right
        shows(member, asOf)
        if (asOf >= highest()) return response
        failure = ledgerUnreachable(`${member.node.name} is at ledger ${asOf}, and ledger ${highest()} has been seen`)
      }
      return E.left(failure)
    }

  return {
    networkPassphrase,
    readLedgers,

    latestLedger: () => async () => {
      let newest: LedgerHead | null = null
      let failure = ledgerUnreachable('no node is believed')
      for (const member of believed()) {
        const head = await ask(member, (node) => node.latestLedger())
        if (E.isLeft(head)) {
          failure = head.left
          continue
        }
        shows(member, head.right.sequence, head.right.closedAt)
        if (newest === null || head.right.sequence > newest.sequence) newest = head.right
        if (newest.sequence >= highest()) break
      }
      return newest === null ? E.left(failure) : E.right(newest)
    },

    accountView: (account, assets) => async () => {
      const found = await upToDate((node) => node.account(account, assets))()
      return E.isLeft(found) ? found : E.right(viewAt(found.right))
    },

    balances: inBatches((holdings) => upToDate((node) => node.held(holdings))),

    entries: (keys) => upToDate((node) => node.entries(keys)),
    simulate: (envelopeXdr) => upToDate((node) => node.simulate(envelopeXdr)),

    lookUp: lookUpInSeveral(known, readLedgers, alarm),
    submit: submitToSeveral(known),

    protocol: () => async () => {
      const answers = await Promise.all(believed().map((member) => ask(member, (node) => node.protocol())))
      const known = answers.flatMap((answer) => (E.isRight(answer) ? [answer.right] : []))
      if (known.length === 0) return answers.find(E.isLeft) ?? E.left(ledgerUnreachable('no node is believed'))
      const most = (of: ReadonlyArray<number | null>): number | null =>
        of.reduce((one, other) => (one === null ? other : Math.max(one, other ?? 0)), null)
      return E.right({
        current: Math.max(...known.map(({ current }) => current)),
        prepared: most(known.map(({ prepared }) => prepared)),
        keptLedgers: most(known.map(({ keptLedgers }) => keptLedgers)),
      })
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
