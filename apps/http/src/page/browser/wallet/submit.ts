import { Refused, Unanswered } from '../api.ts'
import { textIn } from '../fields.ts'
import type { Rpc } from './rpc.ts'
import { walletWords } from './wallet-words.ts'

export type Pause = (ms: number) => Promise<void>

const ATTEMPTS = 60
const BETWEEN_MS = 1_000

/**
 * Waits until a ledger holds the transaction. The hash is known before, so the response to the submission is not
 * needed. Rejects with `Refused` when the transaction fails, with `Unanswered` after a minute.
 */
export const untilApplied = async (rpc: Rpc, hash: string, pause: Pause): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const status = textIn(await rpc('getTransaction', { hash }), 'status')
    if (status === 'SUCCESS') return
    if (status === 'FAILED') throw new Refused(walletWords.sandbox.ledgerRefused)
    await pause(BETWEEN_MS)
  }
  throw new Unanswered(walletWords.sandbox.ledgerSilent)
}

/** Sends a signed envelope, and retries the same bytes while the network asks to try again later. */
export const sendToNetwork = async (rpc: Rpc, envelope: string, pause: Pause): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const status = textIn(await rpc('sendTransaction', { transaction: envelope }), 'status')
    if (status === 'PENDING' || status === 'DUPLICATE') return
    if (status !== 'TRY_AGAIN_LATER') throw new Refused(walletWords.sandbox.noTrustline)
    await pause(BETWEEN_MS)
  }
  throw new Unanswered(walletWords.sandbox.busy)
}
