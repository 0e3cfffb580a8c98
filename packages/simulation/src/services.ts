import { embedded, type Services } from '@quittance/billing'
import { sqliteClaims } from '@quittance/billing/testing/internals'
import type { SqlDatabase } from '@quittance/event-store'
import { eventStoreOver } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import type { SimulatedNetwork } from './network.ts'
import { openVault, type VaultFile } from './open-vault.ts'

/** Opens a process's services over its own connection. */
export const openServices = (
  connection: SqlDatabase,
  network: SimulatedNetwork,
  vaultFile: VaultFile,
  freshId: () => string,
): Services => {
  const clock = { now: network.now }
  const store = eventStoreOver(connection, { clock: clock.now, projections: inlineProjections })
  const vault = openVault(connection, vaultFile)
  const services = embedded(store, vault, clock, { testnet: network.seen(), mainnet: null }, () => 'http://pay.test')
  return { ...services, freshId, claims: sqliteClaims(connection, clock, freshId) }
}

/** Consecutive ids in the form of UUID version 4; `run` separates them from others. */
export const idsFrom = (run: number): (() => string) => {
  let last = 0
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  return () => {
    last += 1
    return `${hex(run, 8)}-0000-4000-8000-${hex(last, 12)}`
  }
}
