/** One of the two logs of a copy. */
export type Side = 'source' | 'target'

/** An altered or misplaced event in one of the two logs. */
export type CopyProblem = {
  readonly log: Side
  readonly stream: string
  readonly revision: bigint
  readonly problem: string
}

/** Why a log cannot be copied. */
export type CopyFailure =
  /** The target holds a different event at this place. Nothing more was written. */
  | { readonly _tag: 'ForeignTarget'; readonly stream: string; readonly revision: bigint }
  /**
   * The target has written this event before an earlier one of the source, which it refused or lost. Positions cannot be
   * mended: copy to an empty target.
   */
  | { readonly _tag: 'OrderLost'; readonly stream: string; readonly revision: bigint }
  /** Another process has written to the target meanwhile. */
  | { readonly _tag: 'TargetChanged' }
  /** The source is altered; all events before this one are copied. */
  | { readonly _tag: 'AlteredSource'; readonly problem: CopyProblem }
  /** One of the logs cannot be read or written; a later copy continues from here. */
  | { readonly _tag: 'LogUnavailable'; readonly log: Side; readonly cause: unknown }

/** Thrown by an iteration of a log, to distinguish its failures from the consumer's. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable'
  readonly log: Side
  constructor(log: Side, cause: unknown) {
    super(`the ${log} cannot be read`, { cause })
    this.log = log
  }
}

export const unavailable = (log: Side, cause: unknown): CopyFailure => ({ _tag: 'LogUnavailable', log, cause })
