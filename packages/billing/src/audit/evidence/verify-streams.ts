import { createHash } from 'node:crypto'
import { leafHash, leafOf, type TreeHead, verifyInclusion } from '@quittance/transparency'
import { type EvidenceEvent, type EvidenceStream, hashedTextOf } from './format.ts'
import type { EvidenceProblem } from './problems.ts'

type Report = (problem: EvidenceProblem) => void

const beforeFirst = '0'.repeat(64)

/** The hash of an event: computed where it is shown, as told where it is withheld. */
const hashOf = (entry: EvidenceEvent, previousHash: string): string =>
  'withheld' in entry
    ? entry.withheld.hash
    : createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(hashedTextOf(entry.event)).digest('hex')

const follows = (entry: EvidenceEvent, stream: string, revision: number, previousHash: string): boolean =>
  'withheld' in entry ||
  (entry.event.stream === stream &&
    entry.event.revision === revision &&
    entry.event.metadata.previousHash === previousHash)

/**
 * Verifies streams: each from its first event on, each event after the one before it, and each in the tree.
 * `tree` null: no checkpoint is to be believed, which is reported elsewhere.
 */
export const verifyStreams = (streams: ReadonlyArray<EvidenceStream>, tree: TreeHead | null, report: Report): void => {
  const names = new Set<string>()
  const indexes = new Set<number>()
  for (const { stream, events } of streams) {
    const last = events.at(-1)
    if (names.has(stream) || last === undefined || 'withheld' in last) report({ _tag: 'BadStream', stream })
    names.add(stream)
    let [previousHash, previousIndex] = [beforeFirst, -1]
    for (const [revision, entry] of events.entries()) {
      const { index, recorded_at: recordedAt, inclusion } = entry
      if (!follows(entry, stream, revision, previousHash)) report({ _tag: 'BrokenChain', stream, revision })
      if (index <= previousIndex || indexes.has(index)) report({ _tag: 'BadIndex', stream, revision })
      const hash = hashOf(entry, previousHash)
      const proof = inclusion.map((each) => Buffer.from(each, 'base64'))
      if (tree !== null && !verifyInclusion(BigInt(index), leafHash(leafOf({ hash, recordedAt })), tree, proof))
        report({ _tag: 'NotInLog', stream, revision })
      indexes.add(index)
      ;[previousHash, previousIndex] = [hash, index]
    }
  }
}
