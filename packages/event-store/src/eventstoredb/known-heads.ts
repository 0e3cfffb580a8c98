import type { Head } from '../port.ts'

/** The heads that this process has seen, so that most appends need not ask for the hash they go behind. */
export type KnownHeads = {
  readonly remember: (stream: string, head: Head) => void
  /** The hash of the event at that revision, where it is known. */
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
