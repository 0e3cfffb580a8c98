/** Positions of the log, one after the other: 16 bytes each, unsigned, big-endian, since those of a server have two halves. */
const positionBytes = 16
const half = 64n

export const bytesOfPosition = (position: bigint): Uint8Array => {
  const bytes = Buffer.alloc(positionBytes)
  bytes.writeBigUInt64BE(position >> half)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, position), positionBytes / 2)
  return bytes
}

/** The position at a place; null behind the last one. */
export const positionAt = (positions: Uint8Array, at: number): bigint | null => {
  if ((at + 1) * positionBytes > positions.length) return null
  const bytes = Buffer.from(positions.buffer, positions.byteOffset + at * positionBytes, positionBytes)
  return (bytes.readBigUInt64BE() << half) | bytes.readBigUInt64BE(positionBytes / 2)
}

/** Where a position is among sorted ones; null if it is not. */
export const placeAmong = (positions: Uint8Array, position: bigint): number | null => {
  let [low, high] = [0, positions.length / positionBytes]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((positionAt(positions, middle) ?? 0n) < position) low = middle + 1
    else high = middle
  }
  return positionAt(positions, low) === position ? low : null
}

/** As text of one width, so that texts sort as positions do. */
export const sortable = (position: bigint): string => position.toString().padStart(39, '0')
