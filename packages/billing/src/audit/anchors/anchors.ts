import {
  type Environment,
  type LedgerSequence,
  LedgerTransaction,
  type TransactionHash,
  type UnixMs,
} from '@quittance/domain'
import { anchorHash } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { anchorsOf, type RecordedAnchor } from './recorded.ts'

/** How far an anchor is: on its way, in a closed ledger, or given up. */
export type AnchorStanding =
  | { readonly _tag: 'waiting' }
  | { readonly _tag: 'sent'; readonly transactionHash: TransactionHash }
  | ({ readonly _tag: 'anchored' } & AnchorPlace)
  | { readonly _tag: 'failed'; readonly reason: string }

/**
 * Where a ledger holds an anchor. `transactionHash` is what the ledger lists; `envelopeXdr` (base64) is that transaction, which
 * hashes to it on the network of this passphrase. Null where a log that went back has lost it.
 */
export type AnchorPlace = {
  readonly transactionHash: TransactionHash
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
  readonly envelopeXdr: string | null
}

/**
 * A checkpoint that is put on a ledger. `checkpoint` is its text; `hash` is SHA-256 of that, 64 lower-case hex digits, which the
 * transaction carries as its memo. `number` counts the anchors of an environment from 0.
 */
export type Anchor = {
  readonly environment: Environment
  readonly number: number
  readonly checkpoint: string
  readonly hash: string
  readonly standing: AnchorStanding
}

/** The checkpoints of the log that stand on ledgers. */
export interface Anchors {
  /** At most `limit` anchors of an environment, the newest first. */
  readonly list: (environment: Environment, limit: number) => TE.TaskEither<StoreUnavailable, ReadonlyArray<Anchor>>
}

export const anchors = (services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>): Anchors => ({
  list: (environment, limit) => async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const found: Array<Anchor> = []
    for await (const recorded of anchorsOf(services.readModels, environment)) {
      if (found.length >= limit) break
      const anchor = await anchorOf(services, environment, recorded)
      if (E.isLeft(anchor)) return anchor
      found.push(anchor.right)
    }
    return E.right(found)
  },
})

const anchorOf = async (
  services: Pick<Services, 'store'>,
  environment: Environment,
  { number, intent: { row } }: RecordedAnchor,
): Promise<E.Either<StoreUnavailable, Anchor>> => {
  const { action } = row.details
  if (action._tag !== 'anchor') throw new Error(`anchor ${number} of the ${environment} is of another kind`)
  const { checkpoint } = action
  const standing = await standingOf(services, row)
  if (E.isLeft(standing)) return standing
  const facts = { environment, number, checkpoint, hash: anchorHash(checkpoint) }
  return E.right({ ...facts, standing: standing.right })
}

/** The transaction of ours that a ledger lists as `listed`, base64; null where the log does not have it. */
const envelopeOf = async (
  { store }: Pick<Services, 'store'>,
  own: TransactionHash,
  listed: TransactionHash,
): Promise<E.Either<StoreUnavailable, string | null>> => {
  const found = await stateOf(store)(LedgerTransaction, own)
  if (E.isLeft(found)) return found
  const { state } = found.right
  if (state.status === 'absent') return E.right(null)
  if (listed === own) return E.right(state.details.envelopeXdr)
  return E.right(state.bumps.find(({ transactionHash }) => transactionHash === listed)?.envelopeXdr ?? null)
}

const standingOf = async (
  services: Pick<Services, 'store'>,
  row: RecordedAnchor['intent']['row'],
): Promise<E.Either<StoreUnavailable, AnchorStanding>> => {
  switch (row.status) {
    case 'waiting':
      return E.right({ _tag: 'waiting' })
    case 'attached':
      return E.right({ _tag: 'sent', transactionHash: row.attachedTo })
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported': {
      const { end, attachedTo } = row
      if (end._tag === 'given_up') return E.right({ _tag: 'failed', reason: end.reason })
      if (end._tag === 'refused') return E.right({ _tag: 'failed', reason: end.code })
      const { transactionHash, ledger, closedAt } = end
      const envelopeXdr = attachedTo === null ? E.right(null) : await envelopeOf(services, attachedTo, transactionHash)
      if (E.isLeft(envelopeXdr)) return envelopeXdr
      const place = { transactionHash, ledger, closedAt, envelopeXdr: envelopeXdr.right }
      return E.right({ _tag: 'anchored', ...place })
    }
  }
}
