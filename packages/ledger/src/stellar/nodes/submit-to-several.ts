import * as E from 'fp-ts/lib/Either.js'
import type { LedgerGateway } from '../../gateway.ts'
import type { SubmitFailure } from '../../submission.ts'
import { sha256 } from '../transaction-hash.ts'
import type { Member, Roster } from './roster.ts'

/** Of how many submissions it is remembered who queued them. */
const remembered = 10_000

/**
 * A submission goes to the next node, with the same bytes, while its outcome is unknown. That it is queued is a node's
 * word, which may have thrown the bytes away: sent again, they go to another one first, unless that rests.
 */
export const submitToSeveral = ({ ask, believed, isResting }: Roster): LedgerGateway['submit'] => {
  const queuedBy = new Map<string, Member>()
  const remember = (bytes: string, member: Member): void => {
    queuedBy.delete(bytes)
    queuedBy.set(bytes, member)
    const [oldest] = queuedBy.keys()
    if (queuedBy.size > remembered && oldest !== undefined) queuedBy.delete(oldest)
  }

  return (envelopeXdr) => async () => {
    let failure: SubmitFailure = { _tag: 'OutcomeUnknown', cause: 'no node is believed' }
    const bytes = sha256(envelopeXdr).toString('hex')
    const rank = (member: Member): number => (isResting(member) ? 2 : member === queuedBy.get(bytes) ? 1 : 0)
    for (const member of believed().toSorted((one, other) => rank(one) - rank(other))) {
      const outcome = await ask(member, (node) => node.submit(envelopeXdr))
      if (E.isRight(outcome)) {
        remember(bytes, member)
        return outcome
      }
      const { left } = outcome
      if (left._tag !== 'LedgerUnreachable' && left._tag !== 'OutcomeUnknown') return E.left(left)
      failure = { _tag: 'OutcomeUnknown', cause: left.cause }
    }
    return E.left(failure)
  }
}
