import type { LogTail } from './chain.ts'
import type { Problem } from './chain-check.ts'

export type Report = (problem: Problem) => void

/** A problem of the log as a whole. */
export const about = (problem: string): Problem => ({ stream: null, revision: null, problem })

/** Reports each head, kept outside the store, that is not found among the digests at their positions. */
export const checkHeads = (
  report: Report,
  expected: ReadonlyArray<LogTail>,
  digests: ReadonlyMap<number, string>,
): void => {
  for (const { position, digest } of expected) {
    const found = digests.get(position)
    if (found === undefined) report(about(`the log holds no position ${position}, of which a head was recorded`))
    else if (found !== digest) report(about(`the digest at position ${position} is not that of the recorded head`))
  }
}
