import { AccountId, Environment, LedgerSequence, Merchant, type RecordedEvent, Text, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const Watched = t.strict({ environment: Environment, account: AccountId, setUpThrough: LedgerSequence })
/**
 * A merchant, and the accounts whose movements are its own: also those it no longer uses, since money may still come.
 * What came up to `setUpThrough` was their set-up. What comes from `fundingAccounts` and names no sale is its own money. `operators` charge its
 * new mandates instead of the service's account. It is gone since `leftAt`; where it came from another installation at
 * `arrivedAt`, that has the keys of `foreign` accounts. Keys are rows of a table of their own.
 */
export const MerchantRow = t.exact(
  t.intersection([
    t.type({
      name: Text,
      watched: t.readonlyArray(Watched),
      fundingAccounts: t.strict({ testnet: t.readonlyArray(AccountId), mainnet: t.readonlyArray(AccountId) }),
    }),
    t.partial({
      operators: t.exact(t.partial({ testnet: AccountId, mainnet: AccountId })),
      leftAt: UnixMs,
      arrivedAt: UnixMs,
      foreign: t.readonlyArray(AccountId),
    }),
  ]),
)
export type MerchantRow = t.TypeOf<typeof MerchantRow>

const decode = decodedBy(Merchant)

const fold = (row: O.Option<MerchantRow>, recorded: RecordedEvent): O.Option<MerchantRow> => {
  const event = decode(recorded)
  switch (event.type) {
    case 'MerchantCreated':
      return O.some({ name: event.data.name, watched: [], fundingAccounts: { testnet: [], mainnet: [] } })
    case 'SettlementAccountSet': {
      const { environment, account, setUpThrough } = event.data
      return O.map((known: MerchantRow) => {
        const isKnown = known.watched.some((each) => each.account === account)
        return isKnown ? known : { ...known, watched: [...known.watched, { environment, account, setUpThrough }] }
      })(row)
    }
    case 'SettlementBooksClosed': {
      const { environment, account, setUpThrough } = event.data
      const isThis = (each: MerchantRow['watched'][number]) =>
        each.account === account && each.environment === environment
      return O.map((known: MerchantRow) => ({
        ...known,
        watched: known.watched.map((each) => (isThis(each) ? { ...each, setUpThrough } : each)),
      }))(row)
    }
    case 'FundingAccountsDeclared': {
      const { environment, accounts } = event.data
      return O.map((known: MerchantRow) => ({
        ...known,
        fundingAccounts: { ...known.fundingAccounts, [environment]: accounts },
      }))(row)
    }
    case 'OperatorAccountSet': {
      const { environment, account } = event.data
      return O.map((known: MerchantRow) => {
        const { [environment]: _, ...others } = known.operators ?? {}
        return { ...known, operators: { ...others, ...(account === null ? {} : { [environment]: account }) } }
      })(row)
    }
    case 'MerchantLeft': {
      const { at } = event.data
      return O.map((known: MerchantRow) => ({ ...known, leftAt: at }))(row)
    }
    case 'MerchantArrived': {
      const { foreign, at } = event.data
      return O.map(({ leftAt: _, ...known }: MerchantRow) => ({ ...known, foreign, arrivedAt: at }))(row)
    }
    case 'AssetsAccepted':
    case 'SetUpCompleted':
    case 'SetUpRequested':
    case 'SponsorshipSet':
    case 'PolicySet':
    case 'ProfileSet':
    case 'PlatformFeeSet':
    case 'LogoSet':
    case 'ApiKeyCreated':
    case 'ApiKeyReplaced':
    case 'ApiKeyRevoked':
      return row
  }
}

export const merchants: ReadModel<MerchantRow> = {
  name: 'merchants',
  version: 4,
  category: Merchant.category,
  row: MerchantRow,
  fold,
  columns: () => ({}),
}
