/** The log does not hold what was written to it: a torn page, or an altered, dropped or restored part. */
export class AlteredLog extends Error {
  override readonly name = 'AlteredLog'
}
