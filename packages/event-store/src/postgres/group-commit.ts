import type { Judged, Outcome, PendingAppend } from './append.ts'
import type { Commit } from './commit.ts'
import { openOutcomes } from './open-outcomes.ts'

type Waiting = {
  readonly append: PendingAppend
  readonly resolve: (outcome: Outcome | Promise<Outcome>) => void
  readonly reject: (defect: unknown) => void
}

export type GroupCommit = {
  /** Seals an append and resolves once it is durable or refused. Rejects only for a defect, such as one of sealing. */
  readonly enqueue: (seal: () => PendingAppend) => Promise<Outcome>
  /** Holds back all appends that have not been sent until this has settled. */
  readonly holdUntil: (settled: Promise<unknown>) => void
  /** Resolves once every append has its answer. */
  readonly idle: () => Promise<void>
}

// Bound how long one commit keeps other processes waiting, and what it holds in memory.
const largestGroup = 512
const largestText = 8 * 1024 * 1024

const textOf = ({ events }: PendingAppend): number =>
  events.reduce((length, { stored }) => length + stored.data.length + stored.metadata.length, 0)

/** The next group and the rest. A group holds one append of a stream at most: the next one follows it. */
const nextGroup = (waiting: ReadonlyArray<Waiting>) => {
  const streams = new Set<string>()
  const group: Waiting[] = []
  const rest: Waiting[] = []
  let room = largestText
  for (const each of waiting) {
    const { append } = each
    const isNext = group.length < largestGroup && (group.length === 0 || room >= textOf(append))
    if (isNext && !streams.has(append.stream)) {
      group.push(each)
      room -= textOf(append)
    } else rest.push(each)
    streams.add(append.stream)
  }
  return { group, rest }
}

/** Appends that arrive during a commit share the next one. Each is judged alone. */
export const groupCommit = (
  commit: Commit,
  settle: (append: PendingAppend, judged: Judged) => Promise<Outcome>,
): GroupCommit => {
  const keepOpen = openOutcomes()
  const holds = new Set<Promise<unknown>>()
  const answers = new Set<Promise<unknown>>()
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null

  const answer = async ({ append }: Waiting, judged: Judged): Promise<Outcome> =>
    keepOpen(append, await settle(append, judged))

  const commitNext = async (): Promise<void> => {
    const { group, rest } = nextGroup(waiting)
    waiting = rest
    try {
      const judged = await commit(group.map(({ append }) => append))
      for (const [index, each] of group.entries()) {
        const own = judged[index]
        if (own === undefined) continue
        const answered = answer(each, own)
        answers.add(answered)
        const forget = (): void => void answers.delete(answered)
        answered.then(forget, forget)
        each.resolve(answered)
      }
    } catch (defect) {
      for (const { reject } of group) reject(defect)
    }
  }

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Runs after all callbacks of this turn, so that callers answered by the last commit can join the next.
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.allSettled(holds)
      await commitNext()
    }
    running = null
  }

  return {
    enqueue: (seal) =>
      new Promise((resolve, reject) => {
        const append = seal()
        waiting.push({ append, resolve, reject })
        running ??= run()
      }),
    holdUntil: (settled) => {
      holds.add(settled)
      const release = (): void => void holds.delete(settled)
      settled.then(release, release)
    },
    idle: async () => {
      await running
      await Promise.allSettled(answers)
    },
  }
}
