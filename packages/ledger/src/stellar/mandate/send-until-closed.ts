import type { LedgerSequence, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { LedgerGateway } from '../../gateway.ts'
import { isProvenDead, type SubmitFailure } from '../../submission.ts'
import type { UnsignedTransaction } from '../unsigned-transaction.ts'

/** A transaction without effect, as closed ledgers prove; `because` is a node's last failure to take it. */
export type CameToNothing =
  | {
      readonly _tag: 'Failed'
      readonly ledger: LedgerSequence
      readonly code: string
      readonly operationCodes: ReadonlyArray<string>
    }
  | { readonly _tag: 'NeverIncluded'; readonly because: SubmitFailure | null }

type Network = Pick<LedgerGateway, 'submit' | 'lookUp' | 'latestLedger'>

/** Whether the same bytes may be sent again: some refusals are final, others last until fees fall or a ban ends. */
const maySendAgain = ({ _tag }: SubmitFailure): boolean =>
  _tag === 'TryAgainLater' || _tag === 'OutcomeUnknown' || _tag === 'FeeTooLow'

/**
 * Sends a signed transaction, the same bytes before each look-up, until a closed ledger holds it or ledgers prove that
 * none ever will: a node may silently forget what it has taken. `sentAt` is the close time of the newest ledger before;
 * `pause` lets time pass between two look-ups.
 */
export const sendUntilClosed = async (
  { submit, lookUp, latestLedger }: Network,
  pause: T.Task<void>,
  signedXdr: string,
  { transactionHash, maxTime }: Pick<UnsignedTransaction, 'transactionHash' | 'maxTime'>,
  sentAt: UnixMs,
): Promise<E.Either<CameToNothing, LedgerSequence>> => {
  let failure: SubmitFailure | null = null
  let isToBeSent = true
  for (;;) {
    if (isToBeSent) {
      const sent = await submit(signedXdr)()
      failure = E.isLeft(sent) ? sent.left : null
      isToBeSent = failure === null || maySendAgain(failure)
    }
    await pause()
    const found = await lookUp(transactionHash)()
    if (E.isLeft(found)) continue
    const { right: look } = found
    if (look._tag === 'Succeeded') return E.right(look.ledger)
    if (look._tag === 'Failed') {
      const { ledger, code, operationCodes } = look
      return E.left({ _tag: 'Failed', ledger, code, operationCodes })
    }
    const head = await latestLedger()()
    if (E.isLeft(head)) continue
    const times = { maxTime, firstSentAt: sentAt, highestLedgerSeen: head.right.sequence }
    if (isProvenDead(look, times)) return E.left({ _tag: 'NeverIncluded', because: failure })
  }
}
