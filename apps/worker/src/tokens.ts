import type { ServiceIdentifier } from 'inversify'

/** Works until the signal aborts, and closes everything then. */
export type RunWorker = (signal: AbortSignal) => Promise<void>

export const RUN_WORKER: ServiceIdentifier<RunWorker> = Symbol.for('worker/RunWorker')
