/** The slope of the line that fits points best, by least squares. */
export const slopeOf = (points: ReadonlyArray<readonly [x: number, y: number]>): number => {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const along = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return along / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}
