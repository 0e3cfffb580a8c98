import * as E from 'fp-ts/lib/Either.js'
import type { LedgerGateway } from '../../gateway.ts'
import type { SubmitFailure } from '../../submission.ts'
import { sha256 } from '../transaction-hash.ts'
import type { Member, Roster } from './roster.ts'

/** For how many submissions the queueing node is remembered. */
const remembered = 10_000

/**
 * Submits the same bytes to the next node while the outcome is unknown. A node that says "queued" may have dropped the
 * bytes: sent again, they go to another node first, unless that rests.
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
