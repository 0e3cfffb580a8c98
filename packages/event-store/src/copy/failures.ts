/** One of the two logs of a copy. */
export type Side = 'source' | 'target'

/** An event that is not as it was written, or not where it should stand, in one of the two logs. */
export type CopyProblem = {
  readonly log: Side
  readonly stream: string
  readonly revision: bigint
  readonly problem: string
}

export type CopyFailure =
  /** The target holds an event that is not the source's at this place of the log. Nothing more was written. */
  | { readonly _tag: 'ForeignTarget'; readonly stream: string; readonly revision: bigint }
  /** Another process has written to the target meanwhile. */
  | { readonly _tag: 'TargetChanged' }
  /** The source does not hold what was written to it; what stands before this event is copied. */
  | { readonly _tag: 'AlteredSource'; readonly problem: CopyProblem }
  /** One of the logs cannot be read or written: copy again later, and it goes on where it was. */
  | { readonly _tag: 'LogUnavailable'; readonly log: Side; readonly cause: unknown }

/** Thrown through an iteration of a log, to tell its failures from those of whoever iterates. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable'
  readonly log: Side
  constructor(log: Side, cause: unknown) {
    super(`the ${log} cannot be read`, { cause })
    this.log = log
  }
}

export const unavailable = (log: Side, cause: unknown): CopyFailure => ({ _tag: 'LogUnavailable', log, cause })
