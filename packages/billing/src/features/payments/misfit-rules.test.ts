import { asText, type ExceptionDetails, type IncomingPaymentKind, MuxedId, stroops } from '@quittance/domain'
import { decoded, exampleCredit, native, payerAccount, usdc } from '@quittance/domain/testing'
import { ownWay as ownWayBy } from './misfit-rules.ts'

const origin = { kind: 'payment', fromMuxedId: null, fromContract: null, muxedId: null } as const
const details: ExceptionDetails = {
  kind: 'unmatched',
  ...exampleCredit,
  origin,
  checkoutId: null,
  paymentId: null,
}
type Arguments = Parameters<typeof ownWayBy>
const ownWay = (about: Arguments[0], isOurs: Arguments[1]) => ownWayBy(about, isOurs, 'return')
const nobodys = () => false
const back = { _tag: 'return', destination: payerAccount, destinationMuxedId: null }
const leave = (reason: string) => ({ _tag: 'leave', reason })

describe('money that does not fit goes its own way', () => {
  it.each(['underpaid', 'overpaid', 'late', 'paid_twice', 'wrong_asset', 'after_failure', 'unmatched'] as const)(
    'back to who sent it: %s',
    (kind) => expect(ownWay({ ...details, kind }, nobodys)).toEqual(back),
  )
  it('back to the number inside a muxed address that sent it', () => {
    const fromMuxedId = decoded(MuxedId, '7')
    expect(ownWay({ ...details, origin: { ...origin, fromMuxedId } }, nobodys)).toEqual({
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
  ] satisfies ReadonlyArray<[IncomingPaymentKind, object]>)('by how it came: %s', (kind, way) =>
    expect(ownWay({ ...details, origin: { ...origin, kind } }, nobodys)).toEqual(way),
  )
  it('not back to a contract, nor where nobody has recorded how it came', () => {
    const fromContract = asText('CONTRACT')
    expect(ownWay({ ...details, origin: { ...origin, fromContract } }, nobodys)).toEqual(leave('sender_unknown'))
    const { origin: _, ...old } = details
    expect(ownWay(old, nobodys)).toEqual(leave('sender_unknown'))
  })
  it('not back to an account that is watched, which would take it for another exception', () =>
    expect(ownWay(details, (account) => account === payerAccount)).toEqual(leave('sender_is_ours')))
  it.each([
    ['return', '00'],
    ['text', 'exc_0000000000000000000000'],
    ['text', 'rf_0000000000000000000000'],
  ] as const)('not back where it is a return itself, by a memo of %s %s', (type, value) =>
    expect(ownWay({ ...details, memo: { type, value: asText(value) } }, nobodys)).toEqual(leave('is_return')),
  )
  it('back with any other memo', () =>
    expect(ownWay({ ...details, memo: { type: 'text', value: asText('thank you') } }, nobodys)).toEqual(back))
  it.each<[string, Partial<ExceptionDetails>, object]>([
    ['XLM that names nothing waits', {}, leave('unknown_lumens')],
    ['another asset goes back', { assetId: usdc }, back],
    ['XLM that came for a checkout goes back', { kind: 'late' }, back],
    ['a return waits as one', { memo: { type: 'return', value: asText('00') } }, leave('is_return')],
    ['dust is kept', { kind: 'dust' }, { _tag: 'accept' }],
  ])('by the policy to wait: %s', (_, changed, way) =>
    expect(ownWayBy({ ...details, assetId: native, ...changed }, nobodys, 'wait')).toEqual(way),
  )
  it('nowhere where nothing came', () =>
    expect(ownWay({ ...details, kind: 'unexplained' }, nobodys)).toEqual(leave('not_returnable')))
  it.each([
    ['of XLM below ten times the fee', { assetId: native, amount: stroops(999n) }, { _tag: 'accept' }],
    ['of XLM worth ten times the fee', { assetId: native, amount: stroops(1000n) }, back],
    ['of another asset, down to one stroop', { amount: stroops(1n) }, back],
    ['recorded as dust', { kind: 'dust' as const, amount: stroops(5n) }, { _tag: 'accept' }],
  ])('kept where it is not worth returning: %s', (_, changed, way) =>
    expect(ownWay({ ...details, ...changed }, nobodys)).toEqual(way),
  )
})
