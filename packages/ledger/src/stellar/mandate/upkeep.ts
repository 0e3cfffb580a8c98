import type { AccountId, ContractId } from '@quittance/domain'
import { Operation } from '@stellar/stellar-sdk'
import type { ContractCall } from './calls.ts'
import type { ContractView } from './contract-view.ts'
import { extendCall, upkeepData } from './deployment-calls.ts'
import { codeKey, instanceKey } from './entry-keys.ts'

/** Ledgers of a day, at five seconds each. Public networks are slower, so that a day counted here lasts longer there. */
export const LEDGERS_OF_A_DAY = 17_280

/** A contract with fewer days left is extended, for so many days. */
const leastDays = 14
const keptDays = 60

/** What keeps a contract alive: archived entries are restored, for about a week, and all others extended. */
export type ContractUpkeep = 'extend' | 'restore'

/** An entry of a contract, and how many ledgers it has left; negative once it is archived. */
export type EntryLife = { readonly entry: 'instance' | 'code'; readonly key: string; readonly ledgersLeft: number }

/** The lives of a contract's entries, as of the ledger of the view. A token of the network has no code of its own. */
export const livesOf = (contract: ContractId, { liveUntil, wasmHash, code, asOf }: ContractView): EntryLife[] => [
  { entry: 'instance', key: instanceKey(contract), ledgersLeft: liveUntil - asOf },
  ...(wasmHash === null
    ? []
    : [
        {
          entry: 'code' as const,
          key: codeKey(Buffer.from(wasmHash, 'hex')),
          // Code that an instance names has been on the ledger: a node that leaves it out has archived it.
          ledgersLeft: (code?.liveUntil ?? 0) - asOf,
        },
      ]),
]

const isArchived = ({ ledgersLeft }: EntryLife): boolean => ledgersLeft < 0
const isEnding = ({ ledgersLeft }: EntryLife): boolean => ledgersLeft < leastDays * LEDGERS_OF_A_DAY

/** What a contract needs now; null for nothing. What is archived has to be restored before it can be extended. */
export const upkeepDue = (lives: ReadonlyArray<EntryLife>): ContractUpkeep | null => {
  if (lives.some(isArchived)) return 'restore'
  return lives.some(isEnding) ? 'extend' : null
}

/** Brings archived entries back, as they were. Anybody may do that. */
const restoreCall = (caller: AccountId, keys: ReadonlyArray<string>): ContractCall => ({
  caller,
  operation: (_, source) => Operation.restoreFootprint(source),
  authorised: null,
  transactionData: upkeepData([], keys),
})

/** The operation that a contract needs, paid by `caller`; null if it needs none of this kind. */
export const upkeepCall = (
  caller: AccountId,
  lives: ReadonlyArray<EntryLife>,
  work: ContractUpkeep,
  maxEntryTtl: number,
): ContractCall | null => {
  const due = lives.filter(work === 'restore' ? isArchived : (each) => !isArchived(each) && isEnding(each))
  const keys = due.map(({ key }) => key)
  if (keys.length === 0) return null
  if (work === 'restore') return restoreCall(caller, keys)
  return extendCall(caller, keys, Math.min(keptDays * LEDGERS_OF_A_DAY, maxEntryTtl - 1))
}
