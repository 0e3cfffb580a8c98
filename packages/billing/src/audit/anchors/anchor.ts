import type {
  Environment,
  IntentRecord,
  LedgerSequence,
  LedgerTransactionState,
  TransactionHash,
  UnixMs,
} from '@quittance/domain'
import { anchorHash } from '@quittance/ledger'

/**
 * Where a ledger holds an anchor. `transactionHash` is what the ledger lists; `envelopeXdr` (base64) is that transaction, which
 * hashes to it on the anchor's network; null where a log that went back has lost it.
 */
export type AnchorPlace = {
  readonly transactionHash: TransactionHash
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
  readonly envelopeXdr: string | null
}

/** How far an anchor is: on its way, in a closed ledger, or given up. */
export type AnchorStanding =
  | { readonly _tag: 'waiting' }
  | { readonly _tag: 'sent'; readonly transactionHash: TransactionHash }
  | ({ readonly _tag: 'anchored' } & AnchorPlace)
  | { readonly _tag: 'failed'; readonly reason: string }

/**
 * A checkpoint that is put on a ledger. `checkpoint` is its text; `hash` is SHA-256 of that, 64 lower-case hex digits, which the
 * transaction carries as its memo.
 */
export type Anchor = {
  readonly environment: Environment
  readonly checkpoint: string
  readonly hash: string
  /** The checkpoint with its signatures by keys of the log: a signed note. */
  readonly note: string
  readonly standing: AnchorStanding
}

/** An anchor, from its intent and the transaction that carries that, which is absent where the log has none. */
export const anchorOf = (environment: Environment, intent: IntentRecord, carrier: LedgerTransactionState): Anchor => {
  const { action } = intent.details
  if (action._tag !== 'anchor') throw new Error(`the intent of ${intent.details.owner} anchors nothing`)
  const { checkpoint, signatures } = action
  const note = `${checkpoint}\n${signatures}`
  return { environment, checkpoint, hash: anchorHash(checkpoint), note, standing: standingOf(intent, carrier) }
}

const standingOf = (intent: IntentRecord, carrier: LedgerTransactionState): AnchorStanding => {
  switch (intent.status) {
    case 'waiting':
      return { _tag: 'waiting' }
    case 'attached':
      return { _tag: 'sent', transactionHash: intent.attachedTo }
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported': {
      const { end, attachedTo } = intent
      if (end._tag === 'given_up') return { _tag: 'failed', reason: end.reason }
      if (end._tag === 'refused') return { _tag: 'failed', reason: end.code }
      const { transactionHash, ledger, closedAt } = end
      const envelopeXdr = envelopeIn(carrier, transactionHash === attachedTo ? null : transactionHash)
      return { _tag: 'anchored', transactionHash, ledger, closedAt, envelopeXdr }
    }
  }
}

/** The bytes of a transaction, or of its fee bump with this hash. */
const envelopeIn = (carrier: LedgerTransactionState, bump: TransactionHash | null): string | null => {
  if (carrier.status === 'absent') return null
  if (bump === null) return carrier.details.envelopeXdr
  return carrier.bumps.find(({ transactionHash }) => transactionHash === bump)?.envelopeXdr ?? null
}
