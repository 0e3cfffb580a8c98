import { Refused, Unanswered } from '../api.ts'
import { textIn } from '../fields.ts'
import type { Rpc } from './rpc.ts'

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
    if (status === 'FAILED') throw new Refused('The ledger refused the transaction; nothing was paid.')
    await pause(BETWEEN_MS)
  }
  throw new Unanswered('The ledger has not taken the transaction yet. This page keeps watching for the payment.')
}

/** Sends a signed envelope, and retries the same bytes while the network asks to try again later. */
export const sendToNetwork = async (rpc: Rpc, envelope: string, pause: Pause): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const status = textIn(await rpc('sendTransaction', { transaction: envelope }), 'status')
    if (status === 'PENDING' || status === 'DUPLICATE') return
    if (status !== 'TRY_AGAIN_LATER') throw new Refused('The sandbox network refused to trust the asset.')
    await pause(BETWEEN_MS)
  }
  throw new Unanswered('The sandbox network is too busy. Please try again.')
}
