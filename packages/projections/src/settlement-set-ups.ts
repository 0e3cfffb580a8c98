import {
  AccountId,
  AssetId,
  Environment,
  Merchant,
  type MerchantEvent,
  type RecordedEvent,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * The settlement account that a merchant needs in one environment. `assets` are accepted, the default first; `former` were
 * accepted once and are no longer. `accountSetAt` names the account's set-up for ever; `changed` is the revision of the last
 * change, and `isDone` says whether that was set up.
 */
export const SettlementSetUpRow = t.strict({
  environment: Environment,
  account: t.union([t.null, AccountId]),
  accountSetAt: UnixMs,
  assets: t.readonlyArray(AssetId),
  former: t.readonlyArray(AssetId),
  isSponsored: t.boolean,
  changed: t.string,
  isDone: t.boolean,
})
export type SettlementSetUpRow = t.TypeOf<typeof SettlementSetUpRow>

const decode = decodedBy(Merchant)

type SetUpEvent = Extract<
  MerchantEvent,
  {
    readonly type:
      | 'SettlementAccountSet'
      | 'SettlementBooksClosed'
      | 'AssetsAccepted'
      | 'SetUpCompleted'
      | 'SetUpRequested'
      | 'SponsorshipSet'
  }
>
const types: Readonly<Record<SetUpEvent['type'], true>> = {
  SettlementAccountSet: true,
  SettlementBooksClosed: true,
  AssetsAccepted: true,
  SetUpCompleted: true,
  SetUpRequested: true,
  SponsorshipSet: true,
}

const nothingYet = (environment: Environment): SettlementSetUpRow => ({
  environment,
  account: null,
  accountSetAt: unixMs(0),
  assets: [],
  former: [],
  isSponsored: false,
  changed: '0',
  isDone: false,
})

const fold = (row: O.Option<SettlementSetUpRow>, recorded: RecordedEvent): O.Option<SettlementSetUpRow> => {
  const event = decode(recorded)
  if (!isSetUp(event)) return row
  const known = O.isSome(row) ? row.value : nothingYet(event.data.environment)
  const change = (fields: Partial<SettlementSetUpRow>) =>
    O.some({ ...known, ...fields, changed: recorded.revision.toString(), isDone: false })
  switch (event.type) {
    case 'SettlementAccountSet':
      // Of an account of the merchant's own, the service can sign nothing.
      return change({
        account: event.data.custody === 'merchant' ? null : event.data.account,
        accountSetAt: unixMs(recorded.metadata.occurredAt),
      })
    // The account is made anew.
    case 'SettlementBooksClosed':
      return known.account === event.data.account
        ? change({ accountSetAt: unixMs(recorded.metadata.occurredAt), former: [] })
        : O.some(known)
    case 'AssetsAccepted': {
      const { assets: accepted, defaultAsset } = event.data
      const assets = [...new Set([defaultAsset, ...accepted.map(({ assetId }) => assetId)])]
      const before = [...new Set([...known.former, ...known.assets])]
      return change({ assets, former: before.filter((assetId) => !assets.includes(assetId)) })
    }
    case 'SetUpRequested':
      return change({})
    case 'SponsorshipSet':
      return change({ isSponsored: event.data.isSponsored })
    case 'SetUpCompleted':
      return O.some({ ...known, isDone: true })
  }
}

const isSetUp = (event: MerchantEvent): event is SetUpEvent => Object.hasOwn(types, event.type)

/** A row for each merchant in each environment: due from its first account until it is set up, and after each change. */
export const settlementSetUps: ReadModel<SettlementSetUpRow> = {
  name: 'settlement_set_ups',
  version: 2,
  category: Merchant.category,
  row: SettlementSetUpRow,
  fold,
  rowOf: ({ type, stream, data }) =>
    Object.hasOwn(types, type) && typeof data.environment === 'string'
      ? settlementSetUpId(stream.slice(Merchant.category.length + 1), data.environment)
      : null,
  columns: ({ account, isDone }) => ({ dueAt: account === null || isDone ? null : 0 }),
}

/** The id of a merchant's row. */
export const settlementSetUpId = (merchantId: string, environment: string): string => `${merchantId} ${environment}`
