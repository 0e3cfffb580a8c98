/**
 * Processes of a newer release have changed the log so that this one does not understand it: its tables, or an event that a read
 * model of this release has to apply. This process neither reads nor writes it any more.
 */
export class LeftBehind extends Error {
  override readonly name = 'LeftBehind'
  constructor(cause: unknown) {
    super(
      `A newer release has written what this one does not know: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
