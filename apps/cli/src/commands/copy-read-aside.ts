import { Worker } from 'node:worker_threads'
import type * as E from 'fp-ts/lib/Either.js'
import type { CommandError } from '../command-error.ts'
import type { Closers } from './copy-logs.ts'
import type { CopyEnd, CopyToRead, FoundInCopy } from './copy-read-back.ts'

export type ToReader = { readonly _tag: 'Grown' } | { readonly _tag: 'Complete'; readonly end: CopyEnd }

export type FromReader =
  | { readonly _tag: 'Verified'; readonly events: number }
  | { readonly _tag: 'Found'; readonly found: E.Either<CommandError, FoundInCopy> }

/** A thread that reads a copy back while this one makes it. */
export type ReadAside = {
  /** Tells it that the copy holds more. */
  readonly grown: () => void
  /** Tells it that the copy is complete, and waits for what it has found. */
  readonly found: (end: CopyEnd, onProgress: (events: number) => void) => Promise<E.Either<CommandError, FoundInCopy>>
}

/** Errors: `found` rejects with whatever the thread throws. */
export const readAside = (copy: CopyToRead, closers: Closers): ReadAside => {
  const thread = new Worker(new URL('./copy-reading-thread.ts', import.meta.url), { workerData: copy })
  closers.push(async () => {
    await thread.terminate()
  })
  let show: ((events: number) => void) | null = null
  const found = new Promise<E.Either<CommandError, FoundInCopy>>((resolve, reject) => {
    thread.on('message', (message: FromReader) => {
      if (message._tag === 'Found') resolve(message.found)
      else show?.(message.events)
    })
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The reading thread ended without an answer')))
  })
  // Thrown where it is awaited; the copy may end before.
  found.catch(() => undefined)
  const tell = (message: ToReader): void => thread.postMessage(message)
  return {
    grown: () => tell({ _tag: 'Grown' }),
    found: (end, onProgress) => {
      show = onProgress
      tell({ _tag: 'Complete', end })
      return found
    },
  }
}
