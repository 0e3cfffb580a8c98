import type { AllStreamResolvedEvent } from '@eventstore/db-client'
import type { RecordedEvent } from '@quittance/domain'
import { canonicalJson } from '../canonical.ts'
import type { StoredEvent } from '../chain.ts'
import { type Problem, streamChains } from '../chain-check.ts'
import { recordedEvent } from './encoding.ts'
import type { RecordedHead, Verification } from './verification.ts'

type Name = { readonly stream: string; readonly revision: bigint }
const nameOf = ({ stream, revision }: Name): string => `${revision}@${stream}`

/**
 * Proves that a server's events are unaltered: every hash, every link of the streams' chains, gapless revisions.
 * Servers give no gapless positions, and foreign events are not ours to judge. So a missing or mangled last event of a
 * stream only shows against recorded heads, unless the mangled one still stands in one of our streams.
 * Errors: throws what the reading throws.
 */
export const verifyLog = async (
  everything: AsyncIterable<AllStreamResolvedEvent>,
  heads: ReadonlyArray<RecordedHead>,
): Promise<Verification> => {
  const problems: Array<Problem> = []
  const chains = streamChains((problem) => void problems.push(problem))
  const wanted = new Set(heads.map(nameOf))
  const found = new Map<string, { readonly hash: string; readonly events: number }>()
  const strange: Array<Name> = []
  let events = 0
  for await (const resolved of everything) {
    const recorded = recordedEvent(resolved)
    if (recorded === null) {
      if (resolved.event !== undefined) strange.push(named(resolved.event))
      continue
    }
    events += 1
    const stored = storedFrom(recorded)
    if (stored === null) problems.push({ ...placeOf(recorded), problem: 'holds what no event can hold' })
    else chains.check(stored)
    if (wanted.has(nameOf(recorded))) found.set(nameOf(recorded), { hash: recorded.metadata.hash, events })
  }
  for (const { stream, revision } of strange) {
    const reached = chains.reached(stream)
    // An event that later ones follow already shows as missing among them.
    if (reached >= 0 && revision > reached) problems.push({ stream, revision, problem: 'cannot be read' })
  }
  for (const head of heads) {
    const problem = whyAnother(head, found.get(nameOf(head)))
    if (problem !== null) problems.push({ ...placeOf(head), problem })
  }
  return { ok: problems.length === 0, events, problems }
}

const named = ({ streamId, revision }: { readonly streamId: string; readonly revision: bigint }): Name => ({
  stream: streamId,
  revision,
})

const placeOf = ({ stream, revision }: Name): Name => ({ stream, revision })

/** The event in its hashed form; null where it holds a value without exact JSON text. */
const storedFrom = ({
  id,
  stream,
  revision,
  type,
  schemaVersion,
  data,
  metadata,
}: RecordedEvent): StoredEvent | null => {
  const { hash, ...sealed } = metadata
  try {
    return {
      id,
      stream,
      revision: Number(revision),
      type,
      schemaVersion,
      data: canonicalJson(data),
      metadata: canonicalJson(sealed),
      hash,
    }
  } catch (refusal) {
    if (!(refusal instanceof TypeError)) throw refusal
    return null
  }
}

const whyAnother = (
  head: RecordedHead,
  found: { readonly hash: string; readonly events: number } | undefined,
): string | null => {
  if (found === undefined) return 'is missing, though it was recorded as the last event of the log'
  if (found.hash !== head.hash) return 'is not the event that was recorded as the last one of the log'
  if (found.events === head.events) return null
  return `is event ${found.events} of the log, but was event ${head.events} when it was recorded`
}
