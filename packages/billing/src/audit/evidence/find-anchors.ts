import { type Environment, LedgerTransaction, type RecordedEvent, type TransactionHash } from '@quittance/domain'
import { parseCheckpoint, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { countRun } from '../../kernel/count-run.ts'
import { fold } from '../../kernel/fold.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { anchorOf } from '../anchors/anchor.ts'
import { anchorWithNumber, type RecordedAnchor } from '../anchors/recorded.ts'
import type { TransparencyLog } from '../transparency/transparency-log.ts'
import { type UsedCheckpoint, usedCheckpoint } from './used-checkpoint.ts'
import { transactionIn } from './verify-anchors.ts'

/** A checkpoint that stands on a ledger, and the events of the transaction that carries its hash. */
export type EvidenceAnchorage = {
  readonly checkpoint: UsedCheckpoint
  readonly networkPassphrase: string
  readonly transactionHash: TransactionHash
  readonly events: ReadonlyArray<RecordedEvent>
}

export type FindServices = Pick<Services, 'store' | 'readModels' | 'networks'>

/** `size`: the checkpoint of the bundle; `reach`: how much of the log the bundle shows; `keys`: those of the log. */
type Wanted = {
  readonly transparency: Pick<TransparencyLog, 'indexOf'>
  readonly size: bigint
  readonly reach: bigint
  readonly keys: ReadonlyArray<VerifierKey>
}
type Found = E.Either<StoreUnavailable, EvidenceAnchorage | null>

const environments: ReadonlyArray<Environment> = ['mainnet', 'testnet']

const sizeOf = ({ intent }: RecordedAnchor): bigint | null => {
  const { action } = intent.row.details
  const checkpoint = action._tag === 'anchor' ? parseCheckpoint(action.checkpoint) : null
  return checkpoint === null || E.isLeft(checkpoint) ? null : checkpoint.right.size
}

/**
 * An anchor as evidence can hold it; null for one that is not on the ledger, whose transaction the bundle's checkpoint does not cover,
 * or that a fee bump carried: the ledger lists that under a hash of which the log has no stream.
 */
const usable = async (
  { store }: FindServices,
  { transparency, size, keys }: Wanted,
  networkPassphrase: string,
  environment: Environment,
  { intent: { row } }: RecordedAnchor,
): Promise<Found> => {
  const { attachedTo } = row
  if (attachedTo === null) return E.right(null)
  const read = await store.readStream(`${LedgerTransaction.category}-${attachedTo}`)()
  if (E.isLeft(read)) return read
  const { events } = read.right
  const { standing, note } = anchorOf(environment, row, fold(LedgerTransaction, events))
  const checkpoint = usedCheckpoint(note, keys)
  const entered = events.find(({ type }) => type === 'TransactionSucceeded')
  if (standing._tag !== 'anchored' || standing.transactionHash !== attachedTo) return E.right(null)
  if (checkpoint === null || checkpoint.size >= size || entered === undefined) return E.right(null)
  const index = await transparency.indexOf(entered.position)()
  if (index === null || index >= size) return E.right(null)
  const envelope = Buffer.from(standing.envelopeXdr ?? '', 'base64')
  // The network of the environment may have been another one.
  if (transactionIn(envelope, networkPassphrase, attachedTo) === null) return E.right(null)
  return E.right({ checkpoint, networkPassphrase, transactionHash: attachedTo, events })
}

/** The oldest anchor that covers all of the bundle, else the newest one before. */
const findAnchor = async (services: FindServices, wanted: Wanted, environment: Environment): Promise<Found> => {
  const passphrase = services.networks[environment]?.gateway.networkPassphrase
  if (passphrase === undefined) return E.right(null)
  const numbered = (number: number) => anchorWithNumber(services.readModels, environment, number)
  const earlier = await countRun(async (number) => {
    const anchor = await numbered(number)
    return anchor !== null && (sizeOf(anchor) ?? 0n) < wanted.reach
  })
  for (const [first, step] of [
    [earlier, 1],
    [earlier - 1, -1],
  ] as const)
    for (let number = first; number >= 0; number += step) {
      const anchor = await numbered(number)
      if (anchor === null) break
      const found = await usable(services, wanted, passphrase, environment, anchor)
      if (E.isLeft(found) || found.right !== null) return found
    }
  return E.right(null)
}

/** At most one anchor for each network: it says when, at the latest, the log held what the bundle shows. */
export const findAnchors = async (
  services: FindServices,
  wanted: Wanted,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<EvidenceAnchorage>>> => {
  const anchors: Array<EvidenceAnchorage> = []
  for (const environment of environments) {
    const found = await findAnchor(services, wanted, environment)
    if (E.isLeft(found)) return found
    if (found.right !== null) anchors.push(found.right)
  }
  return E.right(anchors)
}
