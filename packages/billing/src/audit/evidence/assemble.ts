import { type JsonObject, LedgerTransaction, type RecordedEvent } from '@quittance/domain'
import type { Hash } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { TransparencyLog } from '../transparency/transparency-log.ts'
import type { Collected } from './collect.ts'
import type { EvidenceAnchorage } from './find-anchors.ts'
import type { Evidence, EvidenceEvent, EvidenceStream, ShownEvent } from './format.ts'
import type { UsedCheckpoint } from './used-checkpoint.ts'
import { reasonToWithhold } from './withheld.ts'

const shownEvent = ({ data, id, metadata, revision, schemaVersion, stream, type }: RecordedEvent): ShownEvent => {
  const { hash: _, ...hashed } = metadata
  const members: JsonObject = hashed
  return { data, id, metadata: members, revision: Number(revision), schemaVersion, stream, type }
}

/** The tree was made again meanwhile, as after the log went back. */
export type TreeChanging = { readonly _tag: 'TreeChanging' }

type Work = {
  readonly transparency: Pick<TransparencyLog, 'indexOf' | 'proveInclusion' | 'proveConsistency'>
  readonly collected: Collected
  readonly size: bigint
  readonly now: number
}

const base64 = (hash: Hash): string => Buffer.from(hash).toString('base64')

const entryOf = async (
  { transparency, collected, size, now }: Work,
  event: RecordedEvent,
): Promise<E.Either<TreeChanging, EvidenceEvent | null>> => {
  const index = await transparency.indexOf(event.position)()
  // Recorded after the checkpoint.
  if (index === null || index >= size) return E.right(null)
  const proof = await transparency.proveInclusion(index, size)()
  if (E.isLeft(proof)) return E.left({ _tag: 'TreeChanging' })
  const inclusion = proof.right.map(base64)
  const place = { index: Number(index), recorded_at: event.recordedAt, inclusion }
  const reason = reasonToWithhold(event, collected, now)
  const withheld = reason === null ? null : { hash: event.metadata.hash, reason }
  return E.right(withheld === null ? { event: shownEvent(event), ...place } : { withheld, ...place })
}

const streamOf = async (
  work: Work,
  stream: string,
  events: ReadonlyArray<RecordedEvent>,
): Promise<E.Either<TreeChanging, EvidenceStream>> => {
  const entries: Array<EvidenceEvent> = []
  for (const event of events) {
    const entry = await entryOf(work, event)
    if (E.isLeft(entry)) return entry
    if (entry.right === null) break
    entries.push(entry.right)
  }
  const last = entries.findLastIndex((entry) => 'event' in entry)
  return E.right({ stream, events: entries.slice(0, last + 1) })
}

/** An older checkpoint, with the proof that the one of the bundle continues it. */
const continuedFrom = async (
  { transparency, size }: Work,
  { note, size: older }: UsedCheckpoint,
): Promise<E.Either<TreeChanging, Evidence['checkpoints'][number]>> => {
  const proof = await transparency.proveConsistency(older, size)()
  return E.isLeft(proof) ? E.left({ _tag: 'TreeChanging' }) : E.right({ consistency: proof.right.map(base64), note })
}

/** Puts collected streams, anchors and their proofs into evidence. Streams of which the checkpoint covers nothing are left out. */
export const assemble = async (
  work: Work,
  about: Evidence['about'],
  { note, keys }: UsedCheckpoint,
  anchored: ReadonlyArray<EvidenceAnchorage>,
): Promise<E.Either<TreeChanging, Evidence>> => {
  const streams: Array<EvidenceStream> = []
  const carriers = anchored.map(
    ({ transactionHash, events }) => [`${LedgerTransaction.category}-${transactionHash}`, events] as const,
  )
  for (const [name, events] of [...work.collected.streams, ...carriers]) {
    const stream = await streamOf(work, name, events)
    if (E.isLeft(stream)) return stream
    if (stream.right.events.length > 0) streams.push(stream.right)
  }
  const checkpoints: Array<Evidence['checkpoints'][number]> = []
  for (const { checkpoint } of anchored) {
    const older = await continuedFrom(work, checkpoint)
    if (E.isLeft(older)) return older
    checkpoints.push(older.right)
  }
  return E.right({
    about,
    anchors: anchored.map(({ networkPassphrase, transactionHash }, place) => ({
      checkpoint: place,
      network_passphrase: networkPassphrase,
      transaction_hash: transactionHash,
    })),
    checkpoints: [...checkpoints, { consistency: [], note }],
    format: 'quittance-evidence@v1',
    keys: [...new Set([...anchored.flatMap(({ checkpoint }) => checkpoint.keys), ...keys])],
    streams,
  })
}
