import {
  asText,
  type ExceptionDetails,
  type IncomingPaymentKind,
  MuxedId,
  positiveCount,
  stroops,
} from '@quittance/domain'
import { decoded, exampleCredit, native, payerAccount, usdc } from '@quittance/domain/testing'
import { lumensOfDust, ownWay as ownWayBy } from './misfit-rules.ts'

const origin = { kind: 'payment', fromMuxedId: null, fromContract: null, muxedId: null } as const
const details: ExceptionDetails = {
  kind: 'unmatched',
  ...exampleCredit,
  origin,
  checkoutId: null,
  paymentId: null,
}
type Arguments = Parameters<typeof ownWayBy>
const lumensLimit = (about: Arguments[0]) => (about.assetId === native ? lumensOfDust : null)
const ownWay = (about: Arguments[0], isOurs: Arguments[1]) => ownWayBy(about, isOurs, 'return', lumensLimit(about))
const nobodys = async () => false
const back = { _tag: 'return', destination: payerAccount, destinationMuxedId: null }
const leave = (reason: string) => ({ _tag: 'leave', reason })

describe('automatic handling of exceptions', () => {
  it.each(['underpaid', 'overpaid', 'late', 'paid_twice', 'wrong_asset', 'after_failure', 'unmatched'] as const)(
    'returns an exception to its sender: %s',
    async (kind) => expect(await ownWay({ ...details, kind }, nobodys)).toEqual(back),
  )
  it('returns an exception to the muxed id that sent it', async () => {
    const fromMuxedId = decoded(MuxedId, '7')
    expect(await ownWay({ ...details, origin: { ...origin, fromMuxedId } }, nobodys)).toEqual({
      ...back,
      destinationMuxedId: '7',
    })
  })
  it.each([
    ['payment', back],
    ['path_payment', back],
    ['account_created', back],
    ['account_merged', back],
    ['claimable_balance_claimed', leave('sender_unknown')],
    ['contract_transfer', leave('sender_unknown')],
    ['contract_mint', leave('sender_unknown')],
    ['contract_call', leave('sender_unknown')],
  ] satisfies ReadonlyArray<[IncomingPaymentKind, object]>)(
    'decides whether the sender is known by the kind of incoming payment: %s',
    async (kind, way) => expect(await ownWay({ ...details, origin: { ...origin, kind } }, nobodys)).toEqual(way),
  )
  it('leaves an exception undecided when a contract sent it or its origin is not recorded', async () => {
    const fromContract = asText('CONTRACT')
    expect(await ownWay({ ...details, origin: { ...origin, fromContract } }, nobodys)).toEqual(leave('sender_unknown'))
    const { origin: _, ...old } = details
    expect(await ownWay(old, nobodys)).toEqual(leave('sender_unknown'))
  })
  it('never returns money to a watched account, where it would become another exception', async () =>
    expect(await ownWay(details, async (account) => account === payerAccount)).toEqual(leave('sender_is_ours')))
  it.each([
    ['return', '00'],
    ['text', 'exc_0000000000000000000000'],
    ['text', 'rf_0000000000000000000000'],
  ] as const)('never returns a return, recognised by a memo of %s %s', async (type, value) =>
    expect(await ownWay({ ...details, memo: { type, value: asText(value) } }, nobodys)).toEqual(leave('is_return')),
  )
  it('returns an exception with any other memo', async () =>
    expect(await ownWay({ ...details, memo: { type: 'text', value: asText('thank you') } }, nobodys)).toEqual(back))
  it.each<[string, Partial<ExceptionDetails>, object]>([
    ['XLM that names nothing waits', {}, leave('unknown_lumens')],
    ['another asset goes back', { assetId: usdc }, back],
    ['XLM that came for a checkout goes back', { kind: 'late' }, back],
    ['a return waits as one', { memo: { type: 'return', value: asText('00') } }, leave('is_return')],
    ['dust is kept', { kind: 'dust' }, { _tag: 'accept' }],
  ])('applies the policy to wait: %s', async (_, changed, way) =>
    expect(await ownWayBy({ ...details, assetId: native, ...changed }, nobodys, 'wait', null)).toEqual(way),
  )
  it('never returns an unexplained change, which brought no money', async () =>
    expect(await ownWay({ ...details, kind: 'unexplained' }, nobodys)).toEqual(leave('not_returnable')))
  it.each([
    ['of XLM below ten times the fee', { assetId: native, amount: stroops(999n) }, { _tag: 'accept' }],
    ['of XLM worth ten times the fee', { assetId: native, amount: stroops(1000n) }, back],
    ['of an asset without a rate, down to one stroop', { amount: stroops(1n) }, back],
    ['recorded as dust', { kind: 'dust' as const, amount: stroops(5n) }, { _tag: 'accept' }],
  ])('decides whether money is worth returning: %s', async (_, changed, way) =>
    expect(await ownWay({ ...details, ...changed }, nobodys)).toEqual(way),
  )
  const count = positiveCount(3)
  it.each<[string, Partial<ExceptionDetails>, object]>([
    ['one stroop below', { amount: stroops(249n) }, { _tag: 'accept' }],
    ['as much', { amount: stroops(250n) }, back],
    [
      'a sum of more, none of whose parts is as much',
      { amount: stroops(747n), sum: { count, largest: stroops(249n), senders: 'one' } },
      { _tag: 'accept' },
    ],
    [
      'a sum with one part that is as much',
      { amount: stroops(252n), sum: { count, largest: stroops(250n), senders: 'one' } },
      back,
    ],
    [
      'a part of a sum below it',
      { kind: 'overpaid', amount: stroops(249n), sum: { count, largest: stroops(900n), senders: 'one' } },
      { _tag: 'accept' },
    ],
  ])('compares an asset with what its rate says is dust: %s', async (_, changed, way) =>
    expect(await ownWayBy({ ...details, ...changed }, nobodys, 'return', 250n)).toEqual(way),
  )
})
