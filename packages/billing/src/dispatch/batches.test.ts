import { type AccountId, AssetId, asText, count, IntentId, unixMs } from '@quittance/domain'
import {
  accountOf,
  contractOf,
  decoded,
  exampleCharge,
  exampleId,
  examplePayout,
  start,
} from '@quittance/domain/testing'
import type { Found, IntentRow } from '@quittance/projections'
import { batchesOf } from './batches.ts'

const room = { each: 9, all: 9, operations: 100 }
type WaitingIntent = Extract<IntentRow, { readonly status: 'waiting' }>
const intent = (number: number, changed: Partial<WaitingIntent> = {}): Found<IntentRow> => ({
  id: exampleId(IntentId, number),
  merchantId: 'mer_1',
  environment: 'testnet',
  row: {
    details: { ...examplePayout, owner: asText(`rf_${number}`) },
    status: 'waiting',
    attachedTo: null,
    attempts: count(0),
    detachedFrom: [],
    collateralFailures: count(0),
    createdAt: start,
    updatedAt: unixMs(start),
    ...changed,
  },
})
const many = (howMany: number, changed: Partial<WaitingIntent> = {}, from = 0) =>
  Array.from({ length: howMany }, (_, index) => intent(from + index, changed))
const sizes = async (...given: Parameters<typeof batchesOf>) =>
  (await batchesOf(...given)).map(({ intents }) => intents.length)

const assetId = decoded(AssetId, 'native')

const chargeOf = ({ action }: typeof exampleCharge) => {
  if (action._tag === 'charge') return action
  throw new Error('no charge')
}

describe('batches of waiting intents', () => {
  it('puts up to a hundred intents into one transaction, in their order', async () => {
    const waiting = many(201)
    expect(await sizes(waiting, room)).toEqual([100, 100, 1])
    expect((await batchesOf(waiting, room)).flatMap(({ intents }) => intents)).toEqual(waiting)
  })
  it('puts no more intents into a transaction than a ledger has room for', async () => {
    expect(await sizes(many(40), { ...room, operations: 19 })).toEqual([19, 19, 2])
    expect(await sizes(many(3), { ...room, operations: 1 })).toEqual([1, 1, 1])
  })
  it('leaves room for the two operations of a sponsor', async () => {
    const set = (sponsor?: AccountId): Partial<WaitingIntent> => {
      const action = { _tag: 'change_trust' as const, assetId, limit: 'maximum' as const, ...(sponsor && { sponsor }) }
      return { details: { ...examplePayout, class: 'set_up', action } }
    }
    expect(await sizes(many(6, set()), { ...room, operations: 5 })).toEqual([5, 1])
    expect(await sizes(many(6, set(accountOf(9))), { ...room, operations: 5 })).toEqual([3, 3])
    expect(await sizes(many(2, set(accountOf(9))), { ...room, operations: 2 })).toEqual([1, 1])
  })
  it('counts the charges of a call as one operation', async () =>
    expect(await sizes(many(3, { details: exampleCharge }), { ...room, operations: 1 })).toEqual([3]))
  it('separates intents by account and by class', async () => {
    const details = { ...examplePayout, source: accountOf(9) }
    const others = [intent(1), intent(2, { details }), intent(3, { details: { ...examplePayout, class: 'return' } })]
    expect(await sizes(others, room)).toEqual([1, 1, 1])
  })
  it('separates intents with collateral failures from intents that were never tried', async () =>
    expect(await sizes([...many(3, { collateralFailures: count(1) }), ...many(2, {}, 3)], room)).toEqual([3, 2]))
  it('makes no more transactions than there is room for, for each account and in total', async () => {
    const details = { ...examplePayout, source: accountOf(9) }
    const two = [...many(150), ...many(150, { details }, 150)]
    expect(await sizes(two, { ...room, each: 1, all: Number.POSITIVE_INFINITY })).toEqual([100, 100])
    expect(await sizes(two, { ...room, each: 3, all: 3 })).toEqual([100, 50, 100])
    expect(await sizes(two, { ...room, each: 0, all: 0 })).toEqual([])
  })
  it('puts charges of one contract into a call, and half as many after each failed call', async () => {
    const charges = { details: exampleCharge }
    expect(await sizes(many(40, charges), room)).toEqual([32, 8])
    expect(await sizes([...many(20, charges), ...many(20, { ...charges, attempts: count(1) }, 20)], room)).toEqual([
      20, 16, 4,
    ])
    expect(await sizes(many(3, { ...charges, attempts: count(4) }), room)).toEqual([2, 1])
    expect(await sizes(many(2, { ...charges, attempts: count(5) }), room)).toEqual([1, 1])
    const another = { ...intent(1, charges), merchantId: 'mer_2' }
    expect(await batchesOf([another, intent(2, charges)], room)).toMatchObject([{ merchantId: 'platform' }])
    const action = { ...chargeOf(exampleCharge), contractId: contractOf(9) }
    expect(await sizes([intent(1, charges), intent(2, { details: { ...exampleCharge, action } })], room)).toEqual([
      1, 1,
    ])
  })
  it('stops reading intents when there is no more room', async () => {
    let read = 0
    const counted = function* () {
      for (const each of many(1_000)) {
        read += 1
        yield each
      }
    }
    expect(await sizes(counted(), { ...room, each: 2, all: 2 })).toEqual([100, 100])
    expect(read).toBe(201)
  })
})
