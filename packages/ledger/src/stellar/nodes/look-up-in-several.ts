import * as E from 'fp-ts/lib/Either.js'
import { type LedgerGateway, type LedgerUnreachable, ledgerUnreachable } from '../../gateway.ts'
import type { TransactionLookUp } from '../../submission.ts'
import { confirmLookUp } from './confirm-look-up.ts'
import type { LookUpContradicted } from './node-alarm.ts'
import type { Roster } from './roster.ts'

type NotFound = Extract<TransactionLookUp, { _tag: 'NotFound' }>

/**
 * Looks a transaction up at one node after the other. A node's claim that a ledger holds it counts only once that
 * ledger confirms it. `NotFound` counts only from a node at or past the highest ledger seen, and only while no other
 * node makes an uncontradicted claim. `alarm` hears once of a contradicted node, until one of its claims is confirmed.
 */
export const lookUpInSeveral = (
  { ask, believed, highest, isResting, shows }: Roster,
  readLedgers: LedgerGateway['readLedgers'],
  alarm: (alarm: LookUpContradicted) => void,
): LedgerGateway['lookUp'] => {
  const contradicted = new Set<string>()

  return (transactionHash) => async () => {
    const notFound: Array<NotFound> = []
    const counting = () => notFound.filter(({ range }) => range.latest >= highest())
    let failure = ledgerUnreachable('no node is believed')
    let unconfirmed: LedgerUnreachable | null = null
    for (const member of believed()) {
      if (isResting(member) && counting().length > 0) break
      const response = await ask(member, (node) => node.lookUp(transactionHash))
      if (E.isLeft(response)) {
        failure = response.left
        continue
      }
      const found = response.right
      if (found._tag === 'NotFound') {
        shows(member, found.range.latest)
        notFound.push(found)
        continue
      }
      const { name: node } = member.node
      const { _tag: said, ledger } = found
      const confirmation = await confirmLookUp(readLedgers, transactionHash, found)
      switch (confirmation._tag) {
        case 'Confirmed':
          contradicted.delete(node)
          return E.right(confirmation.lookUp)
        case 'Unknown':
          unconfirmed = ledgerUnreachable(`no node can show whether ledger ${ledger} holds it`)
          break
        case 'Contradicted':
          failure = ledgerUnreachable(`${node} says that ledger ${ledger} holds it, but it does not`)
          if (!contradicted.has(node)) alarm({ _tag: 'LookUpContradicted', node, transactionHash, said, ledger })
          contradicted.add(node)
      }
    }
    if (unconfirmed !== null) return E.left(unconfirmed)
    const [furthestBack] = counting().sort((one, other) => one.range.oldest - other.range.oldest)
    if (furthestBack !== undefined) return E.right(furthestBack)
    return E.left(notFound.length === 0 ? failure : ledgerUnreachable('the nodes that have not found it are late'))
  }
}
