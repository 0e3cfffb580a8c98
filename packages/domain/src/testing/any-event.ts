import fc from 'fast-check'
import type { CustomerEvent } from '../customer/index.ts'
import type { MerchantEvent } from '../merchant/index.ts'
import type { ProductEvent } from '../product/index.ts'
import type { ReservationEvent } from '../reservation/index.ts'
import * as id from '../shared/ids.ts'
import * as some from './arbitraries.ts'

/** An arbitrary for each type of event: a type that is missing here does not compile. */
export type ByType<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: fc.Arbitrary<Extract<Event, { readonly type: Type }>>
}

/** An arbitrary event of one type. */
export const event = <const Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>) =>
  some.record({ type: fc.constant(type), data })

const { orNothing } = some
const anyPeriod = fc.constantFrom('day', 'week', 'month', 'year')
const anyOwner = { owner: some.anyText }
const customerRecord = {
  profile: orNothing(some.anySealed),
  emailHash: orNothing(some.anyKeyedHash),
  phoneHash: orNothing(some.anyKeyedHash),
}
const anyBalances = fc.array(some.record({ assetId: some.anyAsset, amount: some.anyStroops }))
const merchantEvents: ByType<MerchantEvent> = {
  MerchantCreated: event('MerchantCreated', some.record({ name: some.anyText })),
  SettlementAccountSet: event(
    'SettlementAccountSet',
    some.recordWith(
      {
        environment: some.anyEnvironment,
        account: some.anyAccount,
        networkPassphrase: some.anyText,
        setUpThrough: some.anyLedger,
      },
      {
        custody: fc.constant('merchant' as const),
        opening: anyBalances,
      },
    ),
  ),
  SettlementBooksClosed: event(
    'SettlementBooksClosed',
    some.record({
      environment: some.anyEnvironment,
      account: some.anyAccount,
      epoch: some.anyPositive,
      closing: anyBalances,
      setUpThrough: some.anyLedger,
      opening: anyBalances,
      at: some.anyTime,
    }),
  ),
  AssetsAccepted: event(
    'AssetsAccepted',
    some.record({
      environment: some.anyEnvironment,
      assets: fc.array(
        some.recordWith(
          { assetId: some.anyAsset, description: some.anyText, pegged: fc.boolean() },
          { peg: some.anyCurrency },
        ),
      ),
      defaultAsset: some.anyAsset,
    }),
  ),
  FundingAccountsDeclared: event(
    'FundingAccountsDeclared',
    some.record({ environment: some.anyEnvironment, accounts: fc.array(some.anyAccount) }),
  ),
  SetUpCompleted: event(
    'SetUpCompleted',
    some.record({
      environment: some.anyEnvironment,
      account: some.anyAccount,
      trusted: fc.array(some.anyAsset),
      ledger: some.anyLedger,
    }),
  ),
  SetUpRequested: event('SetUpRequested', some.record({ environment: some.anyEnvironment })),
  OperatorAccountSet: event(
    'OperatorAccountSet',
    some.record({ environment: some.anyEnvironment, account: fc.option(some.anyAccount) }),
  ),
  SponsorshipSet: event('SponsorshipSet', some.record({ environment: some.anyEnvironment, isSponsored: fc.boolean() })),
  ProfileSet: event(
    'ProfileSet',
    some.record({
      environment: some.anyEnvironment,
      profile: some.recordWith(
        {
          legalName: orNothing(some.anyText),
          address: orNothing(some.anyText),
          taxId: orNothing(some.anyText),
          supportContact: orNothing(some.anyText),
          terms: orNothing(some.record({ url: some.anyUrl, version: some.anyText })),
        },
        { customerMails: fc.boolean(), noticesTo: some.anyText },
      ),
    }),
  ),
  LogoSet: event('LogoSet', some.record({ environment: some.anyEnvironment, logo: orNothing(some.anyText) })),
  PolicySet: event(
    'PolicySet',
    some.recordWith(
      {
        accessGraceDays: some.anyCount,
        dunningScheduleHours: fc.array(some.anyPositive),
        afterRetries: fc.constantFrom('overdue', 'cancel'),
        underpaymentTolerance: some.anyStroops,
      },
      {
        unknownLumens: fc.constantFrom('wait', 'return'),
        ratesAfter: fc.constantFrom('charge_at_peg', 'invoice', 'pause'),
      },
    ),
  ),
  PlatformFeeSet: event(
    'PlatformFeeSet',
    some.record({
      environment: some.anyEnvironment,
      fee: some.anyPlatformFee,
      from: some.anyTime,
      by: some.anyText,
      reason: some.anyText,
      setAt: some.anyTime,
    }),
  ),
  ApiKeyCreated: event(
    'ApiKeyCreated',
    some.recordWith(
      {
        keyId: some.anyId(id.ApiKeyId),
        environment: some.anyEnvironment,
        kind: fc.constantFrom('secret', 'app'),
        scopes: fc.array(some.anyText),
        keyHash: some.anyKeyedHash,
        prefix: some.anyText,
        lastFour: some.anyText,
        label: orNothing(some.anyText),
      },
      { maker: some.record({ memberId: some.anyId(id.MemberId), person: some.anyText }) },
    ),
  ),
  ApiKeyReplaced: event(
    'ApiKeyReplaced',
    some.record({ keyId: some.anyId(id.ApiKeyId), by: some.anyId(id.ApiKeyId), validUntil: some.anyTime }),
  ),
  ApiKeyRevoked: event('ApiKeyRevoked', some.record({ keyId: some.anyId(id.ApiKeyId) })),
  MerchantLeft: event(
    'MerchantLeft',
    some.record({
      to: some.anyText,
      by: some.anyText,
      reason: some.anyText,
      at: some.anyTime,
      through: fc.array(
        some.record({ environment: some.anyEnvironment, ledger: some.anyLedger, closedAt: some.anyTime }),
      ),
    }),
  ),
  MerchantArrived: event(
    'MerchantArrived',
    some.record({ digest: some.anyText, by: some.anyText, at: some.anyTime, foreign: fc.array(some.anyAccount) }),
  ),
}
export const anyMerchantEvent: fc.Arbitrary<MerchantEvent> = fc.oneof(...Object.values(merchantEvents))

const productEvents: ByType<ProductEvent> = {
  ProductCreated: event(
    'ProductCreated',
    some.record({
      name: some.anyText,
      description: orNothing(some.anyText),
      images: fc.array(some.anyText),
      productType: fc.constantFrom('one_time', 'subscription', 'metered'),
      assetId: some.anyAsset,
      price: some.record({ currency: some.anyCurrency, cents: some.anyCents }),
      recurringPeriod: orNothing(anyPeriod),
      trialDays: orNothing(some.anyCount),
      unit: orNothing(some.anyText),
      unitsPerCredit: some.anyPositive,
      totalCredits: some.anyCount,
      metadata: some.anyMetadata,
    }),
  ),
  ProductDetailsChanged: event(
    'ProductDetailsChanged',
    some.partial({
      name: some.anyText,
      description: orNothing(some.anyText),
      images: fc.array(some.anyText),
      assetId: some.anyAsset,
      metadata: some.anyMetadata,
      allowsMultipleSubscriptions: fc.boolean(),
    }),
  ),
  ProductRepriced: event(
    'ProductRepriced',
    some.record({
      priceVersion: some.anyPositive,
      cents: some.anyCents,
      recurringPeriod: orNothing(anyPeriod),
    }),
  ),
  ProductArchived: event('ProductArchived', fc.constant({})),
  ProductRestored: event('ProductRestored', fc.constant({})),
}
export const anyProductEvent: fc.Arbitrary<ProductEvent> = fc.oneof(...Object.values(productEvents))

const customerEvents: ByType<CustomerEvent> = {
  CustomerCreated: event('CustomerCreated', some.record(customerRecord)),
  CustomerUpdated: event('CustomerUpdated', some.partial(customerRecord)),
  WalletLinked: event(
    'WalletLinked',
    some.record({
      walletId: some.anyId(id.WalletId),
      address: some.anyAccount,
      metadata: orNothing(some.anySealed),
      via: fc.constantFrom('payment', 'proof'),
    }),
  ),
  WalletProven: event('WalletProven', some.record({ walletId: some.anyId(id.WalletId) })),
  WalletUnlinked: event('WalletUnlinked', some.record({ walletId: some.anyId(id.WalletId) })),
  CustomerDeleted: event('CustomerDeleted', fc.constant({})),
  EmailForfeited: event('EmailForfeited', some.record({ emailHash: some.anyKeyedHash })),
}
export const anyCustomerEvent: fc.Arbitrary<CustomerEvent> = fc.oneof(...Object.values(customerEvents))

const reservationEvents: ByType<ReservationEvent> = {
  Claimed: event('Claimed', some.record(anyOwner)),
  TakenOver: event('TakenOver', some.record({ ...anyOwner, from: some.anyText })),
  Released: event('Released', some.record(anyOwner)),
}
export const anyReservationEvent: fc.Arbitrary<ReservationEvent> = fc.oneof(...Object.values(reservationEvents))
