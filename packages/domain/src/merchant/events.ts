import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { Environment } from '../shared/environment.ts'
import { fact, facts } from '../shared/fact.ts'
import { ApiKeyId, MemberId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { PlatformFeeDecision } from '../shared/platform-fee.ts'
import { MerchantProfile } from '../shared/profile.ts'
import { KeyedHash } from '../shared/sealed.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, PositiveCount, UnixMs } from '../shared/units.ts'

/**
 * An asset the merchant takes. `pegged` to a currency: its quotes live longer and its peg is watched. `peg` names that
 * currency; where it is missing, the asset's code tells it.
 */
export const AcceptedAsset = t.intersection(
  [strict({ assetId: AssetId, description: Text, pegged: t.boolean }), partial({ peg: CurrencyCode })],
  'AcceptedAsset',
)
export type AcceptedAsset = t.TypeOf<typeof AcceptedAsset>

/** What becomes of XLM that nothing of ours explains: a person decides, or it goes back to its sender. */
export const UnknownLumens = t.keyof({ wait: null, return: null }, 'UnknownLumens')
export type UnknownLumens = t.TypeOf<typeof UnknownLumens>

/**
 * What becomes of a charge that no attempt could settle for a week, for a cause on our side: it is made at the last rates
 * that sources agreed on, of a pegged asset that kept its peg; an invoice is issued for it; or the subscription pauses.
 */
export const RatesAfter = t.keyof({ charge_at_peg: null, invoice: null, pause: null }, 'RatesAfter')
export type RatesAfter = t.TypeOf<typeof RatesAfter>

/**
 * What a merchant decides about money that comes late, short or unasked. Hours of the dunning schedule count from the
 * first counted failure; a shortfall up to the tolerance counts as paid. Without `unknownLumens` the network's rule holds,
 * without `ratesAfter` an invoice is issued.
 */
export const Policy = t.intersection(
  [
    strict({
      accessGraceDays: Count,
      dunningScheduleHours: t.readonlyArray(PositiveCount),
      afterRetries: t.keyof({ overdue: null, cancel: null }),
      underpaymentTolerance: Stroops,
    }),
    partial({ unknownLumens: UnknownLumens, ratesAfter: RatesAfter }),
  ],
  'Policy',
)
export type Policy = t.TypeOf<typeof Policy>

/** What an account held of an asset before the service watched it. */
export const OpeningBalance = strict({ assetId: AssetId, amount: Stroops }, 'OpeningBalance')
export type OpeningBalance = t.TypeOf<typeof OpeningBalance>

/** The member who has made a key, and the person for whom it stands where a second person is asked for. */
export const KeyMaker = strict({ memberId: MemberId, person: Text }, 'KeyMaker')
export type KeyMaker = t.TypeOf<typeof KeyMaker>

/**
 * A credential. `secret` may do everything; `app` only what its scopes name. The key itself is nowhere stored. Without a
 * `maker` the operator has made it.
 */
export const ApiKey = t.intersection(
  [
    strict({
      keyId: ApiKeyId,
      environment: Environment,
      kind: t.keyof({ secret: null, app: null }),
      scopes: t.readonlyArray(Text),
      keyHash: KeyedHash,
      prefix: Text,
      lastFour: Text,
      label: orNull(Text),
    }),
    partial({ maker: KeyMaker }),
  ],
  'ApiKey',
)
export type ApiKey = t.TypeOf<typeof ApiKey>

/** The last ledger of an environment that an installation has ingested for a merchant. */
export const IngestedThrough = strict(
  { environment: Environment, ledger: LedgerSequence, closedAt: UnixMs },
  'IngestedThrough',
)
export type IngestedThrough = t.TypeOf<typeof IngestedThrough>

/** A merchant leaves an installation for another one, which `to` names by the fingerprint of its key. */
export const Departure = strict(
  { to: Text, by: Text, reason: Text, at: UnixMs, through: t.readonlyArray(IngestedThrough) },
  'Departure',
)
export type Departure = t.TypeOf<typeof Departure>

/**
 * A merchant has come from another installation. `digest` is that of the export; `foreign` are accounts that its streams name,
 * whose keys the other installation keeps: channels, and operator accounts of mandates that have ended.
 */
export const Arrival = strict({ digest: Text, by: Text, at: UnixMs, foreign: t.readonlyArray(AccountId) }, 'Arrival')
export type Arrival = t.TypeOf<typeof Arrival>

/** What happens to a merchant, as its stream holds it. */
export const MerchantEvent = facts([
  fact('MerchantCreated', strict({ name: Text })),
  // What the account received up to `setUpThrough` was its set-up (funding, trustlines), and no sale.
  // `custody` is there for an account of the merchant's own, which the service only watches; `opening` is what that held
  // after `setUpThrough`.
  fact(
    'SettlementAccountSet',
    t.intersection([
      strict({ environment: Environment, account: AccountId, networkPassphrase: Text, setUpThrough: LedgerSequence }),
      partial({ custody: t.literal('merchant'), opening: t.readonlyArray(OpeningBalance) }),
    ]),
  ),
  fact(
    'AssetsAccepted',
    strict({ environment: Environment, assets: t.readonlyArray(AcceptedAsset), defaultAsset: AssetId }),
  ),
  // Replaces the list: what comes from these accounts, and names no sale, is the merchant's own money.
  fact('FundingAccountsDeclared', strict({ environment: Environment, accounts: t.readonlyArray(AccountId) })),
  // The network was reset: the books of the account end with these balances, which are gone, and begin anew. What the
  // account received up to `setUpThrough` of the new ledgers is the `opening` of the next books.
  fact(
    'SettlementBooksClosed',
    strict({
      environment: Environment,
      account: AccountId,
      epoch: PositiveCount,
      closing: t.readonlyArray(OpeningBalance),
      setUpThrough: LedgerSequence,
      opening: t.readonlyArray(OpeningBalance),
      at: UnixMs,
    }),
  ),
  // As of a closed ledger the account exists, trusts these assets, and no longer those that were accepted before.
  fact(
    'SetUpCompleted',
    strict({ environment: Environment, account: AccountId, trusted: t.readonlyArray(AssetId), ledger: LedgerSequence }),
  ),
  // Somebody has found that the account lacks something that it had: it is set up anew.
  fact('SetUpRequested', strict({ environment: Environment })),
  // Whether the operator's account keeps the reserves of what is set up from now on.
  fact('SponsorshipSet', strict({ environment: Environment, isSponsored: t.boolean })),
  // Which account the merchant's new mandates name as the one that charges; null: the service's, as before the first such fact.
  fact('OperatorAccountSet', strict({ environment: Environment, account: orNull(AccountId) })),
  fact('PolicySet', Policy),
  fact('ProfileSet', strict({ environment: Environment, profile: MerchantProfile })),
  // A `data:` URI.
  fact('LogoSet', strict({ environment: Environment, logo: orNull(Text) })),
  // What the operator takes of sales. It replaces decisions that were still ahead; what was sold before bears what it bore.
  fact('PlatformFeeSet', t.intersection([strict({ environment: Environment }), PlatformFeeDecision])),
  fact('ApiKeyCreated', ApiKey),
  // Another key has taken its place; until then both are valid.
  fact('ApiKeyReplaced', strict({ keyId: ApiKeyId, by: ApiKeyId, validUntil: UnixMs })),
  fact('ApiKeyRevoked', strict({ keyId: ApiKeyId })),
  // The last event of the merchant's at an installation: nothing of it is written or sent there any more.
  fact('MerchantLeft', Departure),
  // The first event of the merchant's at another installation.
  fact('MerchantArrived', Arrival),
])
export type MerchantEvent = t.TypeOf<typeof MerchantEvent>
