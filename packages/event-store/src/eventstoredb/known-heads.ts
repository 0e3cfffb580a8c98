import type { Head } from '../port.ts'

/** Heads that this process has seen, so that most appends need not ask the server for a hash. */
export type KnownHeads = {
  readonly remember: (stream: string, head: Head) => void
  /** The hash of the event at that revision, if known. */
  readonly hashAt: (stream: string, revision: bigint) => string | null
}

const rememberedStreams = 10_000

export const knownHeads = (): KnownHeads => {
  const heads = new Map<string, Head>()
  return {
    remember: (stream, head) => {
      if (heads.size >= rememberedStreams) heads.clear()
      heads.set(stream, head)
    },
    hashAt: (stream, revision) => {
      const head = heads.get(stream)
      return head?.revision === revision ? head.hash : null
    },
  }
}
