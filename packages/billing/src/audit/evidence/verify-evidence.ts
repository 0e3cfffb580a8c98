/**
 * Verifies evidence that a log has recorded something, offline: its events, their places in the log, and the signatures of the
 * log and of witnesses.
 *
 * @module @quittance/billing/evidence
 */

import { parseVerifierKey, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { type Evidence, type EvidenceKind, parseEvidence } from './format.ts'
import type { EvidenceProblem } from './problems.ts'
import { type VerifiedAnchor, verifyAnchors } from './verify-anchors.ts'
import { type EvidencePolicy, verifyCheckpoints } from './verify-checkpoints.ts'
import { verifyStreams } from './verify-streams.ts'

export type { EvidenceProblem } from './problems.ts'
export type { VerifiedAnchor } from './verify-anchors.ts'

/**
 * The policy of an auditor who knows keys of the log and of witnesses, as their texts.
 * Errors: the first text that is no verifier key of its kind.
 */
export const policyOf = (
  logs: ReadonlyArray<string>,
  witnesses: ReadonlyArray<string>,
  quorum: number,
): E.Either<{ readonly _tag: 'NoVerifierKey'; readonly key: string }, EvidencePolicy> => {
  const read: Record<VerifierKey['type'], Array<VerifierKey>> = { ed25519: [], 'cosignature/v1': [] }
  for (const [type, texts] of [
    ['ed25519', logs],
    ['cosignature/v1', witnesses],
  ] as const)
    for (const text of texts) {
      const key = parseVerifierKey(text)
      if (E.isLeft(key) || key.right.type !== type) return E.left({ _tag: 'NoVerifierKey', key: text })
      read[type].push(key.right)
    }
  return E.right({ logs: read.ed25519, witnesses: read['cosignature/v1'], quorum })
}

/** What verified evidence shows. `cosigned`: checkpoints
 * and the time, in Unix seconds, of each cosignature by a witness that the auditor knows. */
export type VerifiedEvidence = {
  readonly about: { readonly kind: EvidenceKind; readonly id: string }
  readonly origin: string
  /** How many events the log had, as its last checkpoint says. */
  readonly logSize: bigint
  readonly streams: number
  readonly events: number
  readonly withheld: number
  readonly cosigned: ReadonlyArray<{ readonly size: bigint; readonly witness: string; readonly at: bigint }>
  /** Whether their ledgers hold them, only those ledgers say. */
  readonly anchors: ReadonlyArray<VerifiedAnchor>
}

/**
 * Verifies evidence offline, by the keys of the log and of witnesses that the auditor knows.
 * Errors: every problem, at least one.
 * Source: docs/evidence/format.md.
 */
export const verifyEvidence = (
  text: string,
  policy: EvidencePolicy,
): E.Either<ReadonlyArray<EvidenceProblem>, VerifiedEvidence> => {
  const parsed = parseEvidence(text)
  if (E.isLeft(parsed)) return E.left([parsed.left])
  const evidence = parsed.right
  const problems: Array<EvidenceProblem> = []
  const report = (problem: EvidenceProblem): void => {
    problems.push(problem)
  }
  const checkpoints = verifyCheckpoints(evidence, policy, report)
  const last = checkpoints.at(-1) ?? null
  const subject = `${evidence.about.kind}-${evidence.about.id}`
  if (!evidence.streams.some(({ stream }) => stream === subject)) report({ _tag: 'NothingAbout', stream: subject })
  verifyStreams(evidence.streams, last?.checkpoint ?? null, report)
  const anchors = verifyAnchors(evidence, checkpoints, report)
  if (last === null || problems.length > 0) return E.left(problems)
  const { origin, size: logSize } = last.checkpoint
  return E.right({
    ...countsOf(evidence),
    about: evidence.about,
    origin,
    logSize,
    cosigned: cosignedIn(checkpoints),
    anchors,
  })
}

const countsOf = ({ streams }: Evidence) => {
  const events = streams.flatMap((each) => each.events)
  const withheld = events.filter((each) => 'withheld' in each).length
  return { streams: streams.length, events: events.length, withheld }
}

const cosignedIn = (checkpoints: ReturnType<typeof verifyCheckpoints>): VerifiedEvidence['cosigned'] =>
  checkpoints.flatMap((each) =>
    each === null ? [] : [...each.cosignedAt].map(([witness, at]) => ({ size: each.checkpoint.size, witness, at })),
  )
