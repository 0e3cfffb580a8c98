import { join } from 'node:path'
import { createBilling, embedded, sqliteVault } from '@quittance/billing'
import type { InlineProjection } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { contextsFrom } from './contexts.ts'
import { durability, type openNetwork } from './metered-network.ts'

/** Opens billing on a metered network, with log and vault in a folder; with all read models, unless others are given. */
export const openMeteredServices = (
  folder: string,
  { network, now }: ReturnType<typeof openNetwork>,
  projections: ReadonlyArray<InlineProjection> = inlineProjections,
) => {
  const store = sqliteEventStore({ path: join(folder, 'log'), clock: now, projections, durability })
  const vaultDatabase = openDatabase(join(folder, 'vault'), { durability, secureDelete: true })
  const vault = sqliteVault(vaultDatabase, new Uint8Array(32).fill(7), true)
  const services = embedded(store, {
    vault,
    clock: { now },
    networks: { testnet: network, mainnet: null },
    publicUrl: () => 'http://pay.bench',
  })
  const close = (): void => {
    store.close()
    vaultDatabase.close()
  }
  return { store, vault, services, billing: createBilling(services), newContext: contextsFrom(now), close }
}
