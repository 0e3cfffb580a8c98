import type { JsonObject, RecordedEvent } from '@quittance/domain'
import {
  type Hash,
  keyIdOf,
  type MalformedCheckpoint,
  type MalformedNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  printNote,
  type SignedNote,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { TransparencyLog } from '../transparency/transparency-log.ts'
import type { Collected } from './collect.ts'
import type { Evidence, EvidenceEvent, EvidenceStream, ShownEvent } from './format.ts'
import { reasonToWithhold } from './withheld.ts'

/** A checkpoint with the keys that have signed it, and no other signatures. */
export type UsedCheckpoint = { readonly note: string; readonly size: bigint; readonly keys: ReadonlyArray<string> }

/** Leaves in a checkpoint only the signatures by these keys: nobody could verify others by the bundle. */
export const checkpointWith = (
  note: string,
  vkeys: ReadonlyArray<string>,
): E.Either<MalformedNote | MalformedCheckpoint, UsedCheckpoint> => {
  const signed = parseNote(note)
  if (E.isLeft(signed)) return signed
  const checkpoint = parseCheckpoint(signed.right.text)
  if (E.isLeft(checkpoint)) return checkpoint
  const keys = vkeys.filter((vkey) => isSignerOf(signed.right, vkey))
  const signatures = signed.right.signatures.filter((each) =>
    keys.some((vkey) => isSignerOf({ text: '', signatures: [each] }, vkey)),
  )
  return E.right({ note: printNote({ text: signed.right.text, signatures }), size: checkpoint.right.size, keys })
}

const isSignerOf = ({ signatures }: SignedNote, vkey: string): boolean => {
  const key = parseVerifierKey(vkey)
  if (E.isLeft(key)) return false
  return signatures.some(({ keyName, keyId }) => keyName === key.right.name && keyId === keyIdOf(key.right))
}

const shownEvent = ({ data, id, metadata, revision, schemaVersion, stream, type }: RecordedEvent): ShownEvent => {
  const { hash: _, ...hashed } = metadata
  const members: JsonObject = hashed
  return { data, id, metadata: members, revision: Number(revision), schemaVersion, stream, type }
}

/** The tree was made again meanwhile, as after the log went back. */
export type TreeChanging = { readonly _tag: 'TreeChanging' }

type Work = {
  readonly transparency: Pick<TransparencyLog, 'indexOf' | 'proveInclusion'>
  readonly collected: Collected
  readonly size: bigint
  readonly now: number
}

const entryOf = async (
  { transparency, collected, size, now }: Work,
  event: RecordedEvent,
): Promise<E.Either<TreeChanging, EvidenceEvent | null>> => {
  const index = await transparency.indexOf(event.position)()
  // Recorded after the checkpoint.
  if (index === null || index >= size) return E.right(null)
  const proof = await transparency.proveInclusion(index, size)()
  if (E.isLeft(proof)) return E.left({ _tag: 'TreeChanging' })
  const inclusion = proof.right.map((hash: Hash) => Buffer.from(hash).toString('base64'))
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

/** Puts collected streams and their proofs into evidence. Streams of which the checkpoint covers nothing are left out. */
export const assemble = async (
  work: Work,
  about: Evidence['about'],
  { note, keys }: UsedCheckpoint,
): Promise<E.Either<TreeChanging, Evidence>> => {
  const streams: Array<EvidenceStream> = []
  for (const [name, events] of work.collected.streams) {
    const stream = await streamOf(work, name, events)
    if (E.isLeft(stream)) return stream
    if (stream.right.events.length > 0) streams.push(stream.right)
  }
  const checkpoints = [{ consistency: [], note }]
  return E.right({ about, anchors: [], checkpoints, format: 'quittance-evidence@v1', keys, streams })
}
