import type { Services } from '@quittance/billing'
import { claims, embeddedWith } from '@quittance/billing/testing/internals'
import type { SqlDatabase } from '@quittance/event-store'
import { eventStoreOver, sqlitePrograms } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { connectionsTo } from './connections.ts'
import type { SimulatedNetwork } from './network.ts'
import { openVault, type VaultFile } from './open-vault.ts'

/** Opens processes' services, each over its own connections to the log and the vault. */
export const servicesOpener = (
  files: { readonly log: SqlDatabase; readonly vault: SqlDatabase },
  network: SimulatedNetwork,
  vaultFile: VaultFile,
  freshId: () => string,
): (() => Services) => {
  const [connect, connectVault] = [connectionsTo(files.log), connectionsTo(files.vault)]
  return () => openServices(connect(), connectVault(), network, vaultFile, freshId)
}

const openServices = (
  connection: SqlDatabase,
  vaultConnection: SqlDatabase,
  network: SimulatedNetwork,
  vaultFile: VaultFile,
  freshId: () => string,
): Services => {
  const clock = { now: network.now }
  const store = eventStoreOver(connection, { clock: clock.now, projections: inlineProjections })
  const vault = openVault(vaultConnection, vaultFile)
  const networks = { testnet: network.seen(), mainnet: null }
  const services = embeddedWith(freshId)(store, { vault, clock, networks, publicUrl: () => 'http://pay.test' })
  return { ...services, claims: claims(sqlitePrograms(connection), clock, freshId) }
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
