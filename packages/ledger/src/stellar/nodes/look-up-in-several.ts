import * as E from 'fp-ts/lib/Either.js'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { TransactionLookUp } from '../../submission.ts'
import { confirmLookUp } from './confirm-look-up.ts'
import type { LookUpContradicted } from './node-alarm.ts'
import type { Roster } from './roster.ts'

type NotFound = Extract<TransactionLookUp, { _tag: 'NotFound' }>

const unreachable = (cause: string): LedgerUnreachable => ({ _tag: 'LedgerUnreachable', cause })

/**
 * Looks a transaction up at one node after the other. That a ledger holds it counts only once it was found in that ledger.
 * That none does counts only from a node at or past the highest ledger seen, and where nobody else says that one does,
 * unless that was contradicted. `alarm` is told once of a node that is contradicted, until a look-up of its is confirmed.
 */
export const lookUpInSeveral = (
  { ask, believed, highest, isResting, told }: Roster,
  readLedgers: LedgerGateway['readLedgers'],
  alarm: (alarm: LookUpContradicted) => void,
): LedgerGateway['lookUp'] => {
  const contradicted = new Set<string>()

  return (transactionHash) => async () => {
    const noes: Array<NotFound> = []
    const counting = () => noes.filter(({ range }) => range.latest >= highest())
    let failure = unreachable('no node is believed')
    let unconfirmed: LedgerUnreachable | null = null
    for (const member of believed()) {
      if (isResting(member) && counting().length > 0) break
      const answer = await ask(member, (node) => node.lookUp(transactionHash))
      if (E.isLeft(answer)) {
        failure = answer.left
        continue
      }
      const found = answer.right
      if (found._tag === 'NotFound') {
        told(member, found.range.latest)
        noes.push(found)
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
          unconfirmed = unreachable(`nobody can tell whether ledger ${ledger} holds it`)
          break
        case 'Contradicted':
          failure = unreachable(`${node} says that ledger ${ledger} holds it, which does not`)
          if (!contradicted.has(node)) alarm({ _tag: 'LookUpContradicted', node, transactionHash, said, ledger })
          contradicted.add(node)
      }
    }
    if (unconfirmed !== null) return E.left(unconfirmed)
    const [furthestBack] = counting().sort((one, other) => one.range.oldest - other.range.oldest)
    if (furthestBack !== undefined) return E.right(furthestBack)
    return E.left(noes.length === 0 ? failure : unreachable('who has not found it is late'))
  }
}
