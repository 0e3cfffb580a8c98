import type { JournalAccount } from '../accounts.ts'
import { type Commodity, commodityKey, type Posting } from '../entry.ts'

/** What an account holds of a commodity after some entries. */
export type AccountBalance = Posting

/** Adds postings up by account and commodity. Its size follows how many accounts there are, not how many entries. */
export const accountSums = () => {
  const sums = new Map<string, AccountBalance>()
  return {
    add: (postings: ReadonlyArray<Posting>): void => {
      for (const { account, commodity, amount } of postings) {
        const key = `${account} ${commodityKey(commodity)}`
        sums.set(key, { account, commodity, amount: (sums.get(key)?.amount ?? 0n) + amount })
      }
    },
    of: (account: JournalAccount, commodity: Commodity): bigint =>
      sums.get(`${account} ${commodityKey(commodity)}`)?.amount ?? 0n,
    all: (): ReadonlyArray<AccountBalance> => [...sums.values()],
  }
}
