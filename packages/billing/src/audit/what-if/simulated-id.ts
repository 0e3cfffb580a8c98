import { makeId, type UnixMs } from '@quittance/domain'

/** An id of something that happens in a simulation alone: the `number`th, counted from 1, made at `at`. */
export const simulatedId = <A extends string>(
  codec: Parameters<typeof makeId<A>>[0],
  at: UnixMs,
  number: number,
): A => {
  const digest = new Uint8Array(10)
  new DataView(digest.buffer).setUint32(6, number)
  return makeId(codec, at, digest)
}
