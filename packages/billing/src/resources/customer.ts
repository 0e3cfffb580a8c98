import type { CustomerRow, Found } from '@quittance/projections'
import * as O from 'fp-ts/lib/Option.js'
import type { Vault } from '../stores/vault/port.ts'
import { timestamp } from './fields.ts'
import { openProfile } from './profile.ts'
import { walletResource } from './wallet.ts'

type Merges = { readonly remaining: (id: string) => Promise<string> }
const nobodyMerged: Merges = { remaining: async (id) => id }

/** A customer as the interface shows it; `merged_into` is the one that has taken its place. */
export const customerResource =
  (vault: Vault) =>
  async ({ id, row }: Found<CustomerRow>, { remaining }: Merges = nobodyMerged) => {
    const profile = O.toNullable(await openProfile(vault, id, row.record.profile))
    const remainingId = await remaining(id)
    return {
      id,
      object: 'customer' as const,
      email: profile?.email ?? null,
      name: profile?.name ?? null,
      phone: profile?.phone ?? null,
      image: profile?.image ?? null,
      wallets: row.wallets.map(walletResource),
      metadata: profile?.metadata ?? {},
      merged_into: remainingId === id ? null : remainingId,
      created_at: timestamp(row.createdAt),
      updated_at: timestamp(row.updatedAt),
    }
  }
export type CustomerResource = Awaited<ReturnType<ReturnType<typeof customerResource>>>
