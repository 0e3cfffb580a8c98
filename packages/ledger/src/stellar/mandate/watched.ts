import type { ContractId } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EntriesAt, LedgerUnreachable } from '../../gateway.ts'
import type { MandateKey, MandateStanding } from '../../mandate-standing.ts'
import { mandateKeys, type Reader, readAll, standingIn } from './standing.ts'

/** A mandate and the wallet that pays for it, not decoded yet. */
export type WatchedMandate = {
  readonly standing: () => MandateStanding
  /** Which ledgers have written its entries, and how long these live. While it is the same, so are they. Null where a node does not say. */
  readonly writtenIn: string | null
}

/** Whose ledger keys are remembered: a kilobyte each. */
const mostRemembered = 10_000

/** As `readMandates`, for those that are read again and again and seldom change: only what is asked for is decoded. */
export const watchMandates = (
  gateway: Reader,
): ((keys: ReadonlyArray<MandateKey>) => TaskEither<LedgerUnreachable, ReadonlyArray<WatchedMandate>>) => {
  const remembered = new Map<string, ReadonlyArray<string>>()
  const keysOf = (key: MandateKey, token: ContractId): ReadonlyArray<string> => {
    const name = `${key.contract} ${key.mandate} ${key.customer} ${token}`
    const keys = remembered.get(name) ?? mandateKeys(key, token)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(name, keys)
    return keys
  }
  return readAll<MandateKey, WatchedMandate>(gateway, keysOf, (found, key, token) => ({
    standing: () => standingIn(found, key, token),
    writtenIn: writtenIn(found, keysOf(key, token)),
  }))
}

const writtenIn = ({ entries }: EntriesAt, keys: ReadonlyArray<string>): string | null => {
  const ledgers: Array<string> = []
  for (const key of keys) {
    const entry = entries.get(key)
    if (entry !== undefined && entry.changedIn === undefined) return null
    ledgers.push(entry === undefined ? '' : `${entry.changedIn}/${entry.liveUntil}`)
  }
  return ledgers.join()
}
