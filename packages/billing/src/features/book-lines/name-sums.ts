import type { Movement } from '@quittance/ledger'
import { isCredit, type MovementName, type NamingFacts, type SummedGains } from './name-movement.ts'

type Names = Array<MovementName | null>

/**
 * Names the movements that sums stand for. An entry says how many there are and how much they are, but not which: they
 * are those of its ledger, account and asset that named the same, and have no entry of their own. They are named only if
 * there are exactly so many and so much.
 */
export const nameSums = async (
  facts: NamingFacts,
  movements: ReadonlyArray<Movement>,
  names: Names,
): Promise<Names> => {
  const all = [...names]
  const left = (
    await Promise.all(
      movements.map(async (movement, index) =>
        all[index] === null && isCredit(movement) ? [{ movement, index, sum: await facts.summedFrom(movement) }] : [],
      ),
    )
  ).flat()
  if (left.every(({ sum }) => sum === null)) return all
  /** How a movement would name a session: by its memo, or else by its transaction. */
  const calls = new Map<Movement, string>()
  for (const { movement } of left)
    calls.set(movement, `${placeOf(movement)} ${(await facts.sessionOf(movement)) ?? movement.transactionHash}`)
  const callOf = (movement: Movement): string => calls.get(movement) ?? placeOf(movement)
  const ofSessions = new Set(left.flatMap(({ movement, sum }) => (sum?.isOfSession === true ? [callOf(movement)] : [])))
  const groupOf = ({ movement }: { readonly movement: Movement }): string =>
    ofSessions.has(callOf(movement)) ? callOf(movement) : placeOf(movement)
  for (const members of Map.groupBy(left, groupOf).values()) {
    const sums = members.flatMap(({ sum }) => sum ?? [])
    if (!isWhole(sums, members)) continue
    const tags = sums.flatMap(({ name, count }) => Array.from({ length: count }, () => name))
    for (const [place, { index }] of members.entries()) all[index] = tags[place] ?? null
    for (const { found } of sums) found()
  }
  return all
}

const isWhole = (
  sums: ReadonlyArray<SummedGains>,
  members: ReadonlyArray<{ readonly movement: Movement }>,
): boolean => {
  const count = sums.reduce((total, each) => total + each.count, 0)
  const amount = sums.reduce((total, each) => total + each.amount, 0n)
  return count === members.length && amount === members.reduce((total, { movement }) => total + movement.delta, 0n)
}

const placeOf = ({ ledger, account, assetId }: Movement): string => `${ledger} ${account} ${assetId}`
