import {
  AcceptedAsset,
  AccountId,
  AssetId,
  defaultPolicy,
  Merchant,
  Policy,
  type RecordedEvent,
  Text,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const Settlement = t.strict({ account: AccountId, networkPassphrase: Text })
const Accepted = t.strict({ assets: t.readonlyArray(AcceptedAsset), defaultAsset: AssetId })
const perEnvironment = <C extends t.Mixed>(codec: C) => t.exact(t.partial({ testnet: codec, mainnet: codec }))

/** A merchant: where money of each environment settles, in which assets, and the policy. Keys are rows of their own. */
export const MerchantRow = t.strict({
  name: Text,
  settlement: perEnvironment(Settlement),
  accepted: perEnvironment(Accepted),
  policy: Policy,
})
export type MerchantRow = t.TypeOf<typeof MerchantRow>

const decode = decodedBy(Merchant)

const fold = (row: O.Option<MerchantRow>, recorded: RecordedEvent): O.Option<MerchantRow> => {
  const event = decode(recorded)
  const patch = (change: (row: MerchantRow) => Partial<MerchantRow>) =>
    O.map((known: MerchantRow) => ({ ...known, ...change(known) }))(row)
  switch (event.type) {
    case 'MerchantCreated':
      return O.some({ name: event.data.name, settlement: {}, accepted: {}, policy: defaultPolicy })
    case 'SettlementAccountSet': {
      const { environment, ...settlement } = event.data
      return patch((known) => ({ settlement: { ...known.settlement, [environment]: settlement } }))
    }
    case 'AssetsAccepted': {
      const { environment, ...accepted } = event.data
      return patch((known) => ({ accepted: { ...known.accepted, [environment]: accepted } }))
    }
    case 'PolicySet':
      return patch(() => ({ policy: event.data }))
    case 'ApiKeyCreated':
    case 'ApiKeyRevoked':
      return row
  }
}

export const merchants: ReadModel<MerchantRow> = {
  name: 'merchants',
  version: 1,
  category: Merchant.category,
  row: MerchantRow,
  fold,
  columns: () => ({}),
}
