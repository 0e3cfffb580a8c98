import { createHash } from 'node:crypto'

/** All randomness of a run: a seed gives the same numbers on any machine. */
export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  readonly below: (limit: number) => number
  /** True once in so many times; never for 0. */
  readonly onceIn: (times: number) => boolean
  readonly oneOf: <A>(choices: ReadonlyArray<A>) => A
}

const wordsInBlock = 8

/** Uses the words of SHA-256(seed, 0), SHA-256(seed, 1) and so on. */
export const seededRandom = (seed: number | string): Random => {
  let block = Buffer.alloc(0)
  let used = 0
  const word = (): number => {
    const index = used % wordsInBlock
    if (index === 0)
      block = createHash('sha256')
        .update(`${seed} ${used / wordsInBlock}`)
        .digest()
    used += 1
    return block.readUInt32BE(4 * index)
  }
  const below = (limit: number): number => Math.floor((word() / 2 ** 32) * limit)
  return {
    below,
    onceIn: (times) => times > 0 && below(times) === 0,
    oneOf: (choices) => {
      const choice = choices[below(choices.length)]
      if (choice === undefined) throw new Error('the list of choices is empty')
      return choice
    },
  }
}
