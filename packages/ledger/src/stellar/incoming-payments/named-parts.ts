import type { BalanceChange } from './balance-changes.ts'
import type { Naming, Part, Party } from './part.ts'

const partyTo = ({ giver, taker }: Naming, account: string, rest: bigint): Party | null => {
  const party = rest < 0n ? giver : taker
  return party?.holder.account === account ? party : null
}

/**
 * Names an operation's balance changes: first the parts with amounts of their own, in order, then the rest. The parts
 * of each balance add up to its change. Stated amounts that contradict the change are left out, and the whole change
 * stays unnamed: the balance is the truth.
 */
export const namedParts = (naming: Naming, changes: ReadonlyArray<BalanceChange>): ReadonlyArray<Part> => {
  const rests = new Map(
    changes.map((change) => [`${change.account} ${change.assetId}`, { ...change, rest: change.delta }]),
  )
  for (const { holder, assetId, delta } of naming.parts) {
    const balance = `${holder.account} ${assetId}`
    const { rest, ...change } = rests.get(balance) ?? { account: holder.account, assetId, delta: 0n, rest: 0n }
    rests.set(balance, { ...change, rest: rest - delta })
  }
  const isExplained = ({ account, rest }: { readonly account: string; readonly rest: bigint }): boolean =>
    rest === 0n || partyTo(naming, account, rest) !== null

  const stated = naming.parts.filter(({ holder, assetId }) => {
    const balance = rests.get(`${holder.account} ${assetId}`)
    return balance !== undefined && isExplained(balance)
  })
  const remaining = [...rests.values()].flatMap(({ account, assetId, delta, rest }): ReadonlyArray<Part> => {
    if (rest === 0n) return []
    const party = partyTo(naming, account, rest)
    if (party !== null) return [{ ...party, assetId, delta: rest }]
    const holder = { account, muxedId: null }
    return delta === 0n ? [] : [{ kind: naming.unnamed, holder, counterparty: null, assetId, delta }]
  })
  return [...stated, ...remaining]
}
