/** The log was written by a later release with unknown tables. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  constructor(found: number, known: number) {
    super(
      `The event log has schema version ${found}; this release knows versions up to ${known}. Use the newer release.`,
    )
  }
}
