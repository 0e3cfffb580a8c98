import type { VaultKeys } from '../../stores/vault/read-vault.ts'
import { type Finding, findingIn, type LogCheck } from '../log-check.ts'
import { placeOf, type Signings } from './read-signings.ts'
import { ownTransactions } from './unsigned-transactions.ts'

/**
 * Compares the records of signatures with the log and the keys. Each transaction that the log sent has a record; each event that
 * was the newest when a key was used is in the log as it was then, unless a person has accepted a loss since. `early` was read before
 * the log, and `late` reads it behind: a record is written before the event that needs it.
 */
export const signaturesCheck = (early: Signings, late: () => Promise<Signings>, keys: VaultKeys | null): LogCheck => {
  const unseen = new Map(early.marks)
  const transactions = ownTransactions()
  let acceptedAt = -1
  return {
    see: (event) => {
      transactions.see(event)
      if (event.type === 'LogAccepted') acceptedAt = Math.max(acceptedAt, event.recordedAt)
      const place = placeOf(event)
      if (unseen.get(place)?.hash === event.metadata.hash) unseen.delete(place)
    },
    end: async () => {
      const signings = await late()
      const lost = [...unseen.values()].filter(({ at }) => at > acceptedAt)
      return [
        ...signings.broken.map((problem) => findingIn(null, `vault: ${problem}`)),
        ...lost.map((mark) => findingIn(null, `${placeOf(mark)} is not the event that it was when a key was used`)),
        ...transactions.without(signings.transactions),
        ...(keys === null ? [] : otherKeys(signings, keys)),
      ]
    },
  }
}

/** A later key of an account names it; every other key is the account's own. */
const otherKeys = ({ keys: used }: Signings, { signing, unreadable }: VaultKeys): ReadonlyArray<Finding> =>
  [...used.values()].flatMap(({ key, account }) => {
    const present = signing.get(key)
    if (present === account || unreadable.some((name) => name.endsWith(`/${key}`))) return []
    if (present === undefined)
      return [findingIn(null, `vault: the key ${key}, which has signed for ${account}, is missing`)]
    return key.includes(`/${account}/`)
      ? []
      : [findingIn(null, `vault: the key ${key}, which has signed for ${account}, is another one now`)]
  })
