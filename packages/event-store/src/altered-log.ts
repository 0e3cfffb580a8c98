/** The log differs from what was written: a torn page, or an altered, dropped or restored part. */
export class AlteredLog extends Error {
  override readonly name = 'AlteredLog'
}
