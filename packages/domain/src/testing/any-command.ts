import fc from 'fast-check'
import type { CustomerCommand } from '../customer/index.ts'
import type { MerchantCommand } from '../merchant/index.ts'
import type { PaymentCommand } from '../payment/index.ts'
import type { ProductCommand } from '../product/index.ts'
import type { ReservationCommand } from '../reservation/index.ts'
import { cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { ApiKeyId, CheckoutId, WalletId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { noMetadata } from '../shared/metadata.ts'
import { KeyedHash, Sealed } from '../shared/sealed.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, positiveCount, unixMs } from '../shared/units.ts'
import { accountOf } from './account.ts'
import { anyClaimCommand } from './any-refund.ts'
import { orNothing, partial, record } from './arbitraries.ts'
import { decoded, eurc, exampleCredit, exampleId, hashOf, native, start, usdc } from './examples.ts'

// Every value comes from a pool of two or three, so that commands meet: the same id again, the same amount, the same
// wallet under another id.
const one = fc.constantFrom
const anyName = one(asText('Ada'), asText('Bob'))
const anyAccount = one(accountOf(1), accountOf(2))
const anyHash = one(decoded(KeyedHash, 'a'.repeat(64)), decoded(KeyedHash, 'b'.repeat(64)))
const anyProfile = orNothing(one(decoded(Sealed, 'YQ=='), decoded(Sealed, 'Yg==')))
const anyEnvironment = one('testnet' as const, 'mainnet' as const)
const anyPeriod = one('month' as const, 'year' as const)
const anySmallAmount = one(stroops(0n), stroops(1n), stroops(100_000_000n))

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

const anyKeyId = one(exampleId(ApiKeyId, 1), exampleId(ApiKeyId, 2))
const anyApiKey = record({
  keyId: anyKeyId,
  environment: anyEnvironment,
  kind: one('secret' as const, 'app' as const),
  scopes: fc.array(anyName, { maxLength: 1 }),
  keyHash: anyHash,
  prefix: anyName,
  lastFour: anyName,
  label: orNothing(anyName),
})

export const anyMerchantCommand: fc.Arbitrary<MerchantCommand> = fc.oneof(
  command(
    'CompleteSetUp',
    record({
      environment: anyEnvironment,
      account: anyAccount,
      trusted: fc.constantFrom([], [usdc]),
      ledger: fc.constant(decoded(LedgerSequence, 9)),
    }),
  ),
  command('RequestSetUp', record({ environment: anyEnvironment })),
  command('SetOperatorAccount', record({ environment: anyEnvironment, account: fc.option(anyAccount) })),
  command('SetSponsorship', record({ environment: anyEnvironment, isSponsored: fc.boolean() })),
  command('CreateMerchant', record({ name: anyName })),
  command(
    'LeaveMerchant',
    record({ to: anyName, by: anyName, reason: anyName, at: fc.constant(unixMs(5)), through: fc.constant([]) }),
  ),
  command(
    'ReceiveMerchant',
    record({ digest: anyName, by: anyName, at: fc.constant(unixMs(5)), foreign: fc.array(anyAccount) }),
  ),
  command(
    'SetSettlementAccount',
    record({
      environment: anyEnvironment,
      account: anyAccount,
      networkPassphrase: anyName,
      setUpThrough: fc.constant(decoded(LedgerSequence, 7)),
    }),
  ),
  command(
    'AcceptAssets',
    record({
      environment: anyEnvironment,
      assets: fc.array(record({ assetId: one(usdc, native), description: anyName, pegged: fc.boolean() }), {
        maxLength: 2,
      }),
      defaultAsset: one(usdc, native),
    }),
  ),
  command(
    'DeclareFundingAccounts',
    record({ environment: anyEnvironment, accounts: fc.array(anyAccount, { maxLength: 2 }) }),
  ),
  command(
    'SetPolicy',
    record({
      policy: record({
        accessGraceDays: one(count(0), count(1)),
        dunningScheduleHours: fc.array(one(positiveCount(1), positiveCount(2)), { maxLength: 2 }),
        afterRetries: one('overdue' as const, 'cancel' as const),
        underpaymentTolerance: anySmallAmount,
      }),
    }),
  ),
  command('CreateApiKey', record({ key: anyApiKey })),
  command('ReplaceApiKey', record({ keyId: anyKeyId, key: anyApiKey, validUntil: one(start) })),
  command('RevokeApiKey', record({ keyId: anyKeyId })),
)

const anyDetails = record({
  name: anyName,
  description: orNothing(anyName),
  images: fc.array(anyName, { maxLength: 1 }),
  productType: one('one_time' as const, 'subscription' as const),
  assetId: one(usdc, native),
  price: record({ currency: fc.constant(decoded(CurrencyCode, 'EUR')), cents: one(cents(0n), cents(1n)) }),
  recurringPeriod: orNothing(anyPeriod),
  trialDays: orNothing(one(count(0), count(1), count(731))),
  unit: fc.constant(null),
  unitsPerCredit: fc.constant(positiveCount(1)),
  totalCredits: fc.constant(count(0)),
  metadata: fc.constant(noMetadata),
})

export const anyProductCommand: fc.Arbitrary<ProductCommand> = fc.oneof(
  command('CreateProduct', record({ details: anyDetails })),
  command(
    'UpdateProduct',
    partial({
      name: anyName,
      description: orNothing(anyName),
      images: fc.array(anyName, { maxLength: 1 }),
      assetId: one(usdc, native),
      metadata: one({ a: 1 }, { a: null }, { b: { c: 1.5 } }, []),
      cents: one(cents(0n), cents(1n), cents(2n)),
      currency: one(decoded(CurrencyCode, 'EUR'), decoded(CurrencyCode, 'JPY')),
      recurringPeriod: anyPeriod,
      status: one('active' as const, 'archived' as const),
    }),
  ),
  one({ type: 'ArchiveProduct' as const }, { type: 'RestoreProduct' as const }),
)

const customerRecord = { profile: anyProfile, emailHash: orNothing(anyHash), phoneHash: orNothing(anyHash) }
const anyWalletId = one(exampleId(WalletId, 1), exampleId(WalletId, 2))

export const anyCustomerCommand: fc.Arbitrary<CustomerCommand> = fc.oneof(
  command('CreateCustomer', record(customerRecord)),
  command(
    'UpdateCustomer',
    partial({
      profile: anyProfile,
      email: record({ hash: orNothing(anyHash), revision: one(0, 1, 2) }),
      phoneHash: orNothing(anyHash),
    }),
  ),
  command(
    'LinkWallet',
    record({
      walletId: anyWalletId,
      address: anyAccount,
      metadata: anyProfile,
      via: one('payment' as const, 'proof' as const),
    }),
  ),
  command('UnlinkWallet', record({ walletId: anyWalletId })),
  command('ForfeitEmail', record({ emailHash: anyHash })),
  fc.constant({ type: 'DeleteCustomer' as const }),
)

export const anyReservationCommand: fc.Arbitrary<ReservationCommand> = fc.oneof(
  command('Claim', record({ owner: anyName })),
  command('TakeOver', record({ owner: anyName, generation: one(1, 2, 3) })),
  command('Release', record({ owner: anyName, generation: one(1, 2, 3) })),
)

const anyTransaction = one(hashOf(1), hashOf(2))

export const anyPaymentCommand: fc.Arbitrary<PaymentCommand> = fc.oneof(
  command(
    'OpenPayment',
    record({
      checkoutId: fc.constant(exampleId(CheckoutId, 1)),
      customerId: fc.constant(null),
      productId: fc.constant(null),
      subscriptionId: fc.constant(null),
      assetId: fc.constant(usdc),
      currencyCode: fc.constant(null),
      amountCents: fc.constant(null),
      metadata: fc.constant(noMetadata),
      cause: one('submission' as const, 'credit' as const),
    }),
  ),
  command('RecordSubmission', record({ transactionHash: anyTransaction, maxTime: fc.constant(start) })),
  command(
    'RecordCredit',
    record({ transactionHash: anyTransaction, amount: anySmallAmount, assetId: one(usdc, usdc, eurc) }).map(
      (differing) => ({ credit: { ...exampleCredit, ...differing } }),
    ),
  ),
  command(
    'ConfirmPayment',
    record({
      excess: anySmallAmount,
      overpaid: anySmallAmount,
      late: fc.boolean(),
      transactionHash: anyTransaction,
      walletId: fc.constant(null),
      billingDetails: fc.constant(null),
    }),
  ),
  command(
    'FailPayment',
    record({
      reason: one('transaction_dead' as const, 'underpaid' as const, 'charge_refused' as const),
      at: fc.constant(start),
    }),
  ),
  anyClaimCommand,
)
