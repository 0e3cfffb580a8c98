/** The log cannot be read now. Thrown where a list or a row is read by the log, since those of today cannot fail so. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable'
  constructor(cause: unknown) {
    super('the log cannot be read', { cause })
  }
}
