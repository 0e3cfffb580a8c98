import fc from 'fast-check'
import type { CreditBalance, CreditsCommand, CreditsEvent } from '../credits/index.ts'
import { units } from '../credits/index.ts'
import * as id from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { asText } from '../shared/text.ts'
import { positiveCount } from '../shared/units.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleId } from './examples.ts'

// A few of each, so that commands meet.
const one = fc.constantFrom
const aTransaction = one(...[1, 2, 3].map((number) => exampleId(id.CreditTransactionId, number)))
const aPayment = one(...[1, 2, 3].map((number) => exampleId(id.PaymentId, number)))
const aFew = one(units(1n), units(2n), units(3n), units(100n))
const aBalance: CreditBalance = {
  granted: units(9n),
  consumed: units(4n),
  reversed: units(0n),
  grants: [{ paymentId: exampleId(id.PaymentId, 1), units: units(9n), left: units(5n) }],
}

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

export const anyCreditsCommand: fc.Arbitrary<CreditsCommand> = fc.oneof(
  command('OpenBooks', fc.constant({ carried: aBalance })),
  {
    weight: 3,
    arbitrary: command('GrantCredits', some.record({ transactionId: aTransaction, paymentId: aPayment, units: aFew })),
  },
  {
    weight: 3,
    arbitrary: command(
      'ConsumeCredits',
      some.record({ transactionId: aTransaction, units: aFew, metadata: fc.constant(noMetadata) }),
    ),
  },
  command('ReverseCredits', some.record({ transactionId: aTransaction, paymentId: aPayment })),
  command('RestoreCredits', some.record({ transactionId: aTransaction, paymentId: aPayment, units: aFew })),
  command('HandOverBooks', fc.constant({ to: asText('cus_3/prod_1') })),
  command(
    'TakeOverBooks',
    some.record({ from: one(asText('cus_4/prod_1'), asText('cus_5/prod_1')), balance: fc.constant(aBalance) }),
  ),
  command('CloseBooks', some.record({ atEvents: one(positiveCount(1), positiveCount(9)) })),
)

const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 48n }).map(units)
const anyEntry = { transactionId: some.anyId(id.CreditTransactionId), units: anyUnits }
const anyPayment = { paymentId: some.anyId(id.PaymentId) }
const anyBalance = some.recordWith(
  {
    granted: anyUnits,
    consumed: anyUnits,
    reversed: anyUnits,
    grants: fc.array(some.record({ ...anyPayment, units: anyUnits, left: anyUnits }), { maxLength: 3 }),
  },
  { takenOver: fc.array(some.anyText, { maxLength: 2 }) },
)

const creditsEvents: ByType<CreditsEvent> = {
  BooksOpened: event('BooksOpened', some.record({ carried: anyBalance })),
  CreditsGranted: event('CreditsGranted', some.record({ ...anyEntry, ...anyPayment })),
  CreditsConsumed: event('CreditsConsumed', some.record({ ...anyEntry, metadata: some.anyMetadata })),
  CreditsReversed: event('CreditsReversed', some.record({ ...anyEntry, ...anyPayment })),
  BooksClosed: event('BooksClosed', some.record({ balance: anyBalance })),
  BooksHandedOver: event('BooksHandedOver', some.record({ to: some.anyText, balance: anyBalance })),
  BooksTakenOver: event('BooksTakenOver', some.record({ from: some.anyText, balance: anyBalance })),
}
export const anyCreditsEvent: fc.Arbitrary<CreditsEvent> = fc.oneof(...Object.values(creditsEvents))
