import { Asset, Operation, StrKey, xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import {
  accountAddress,
  briefly,
  changedBy,
  contractAddress,
  creditsIn,
  type HandMadeOperation,
  i128,
  issuer,
  movementsIn,
  native,
  only,
  payee,
  payer,
  tokenEvent,
  trader,
  usd,
} from '../../testing/hand-made.ts'
import { sorobanMeta } from '../../testing/older-metas.ts'

const contract = StrKey.encodeContract(new Uint8Array(32).fill(9))
const account = accountAddress

/** A call of some contract by payer: what it is called says nothing of what it does. */
const call = (
  events: ReadonlyArray<xdr.ContractEvent>,
  changes: ReadonlyArray<xdr.LedgerEntryChange>,
): { readonly operations: ReadonlyArray<HandMadeOperation> } => ({
  operations: [
    {
      operation: Operation.invokeContractFunction({ contract, function: 'whatever', args: [] }),
      result: xdr.OperationResultTr.invokeHostFunction(
        xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(new Uint8Array(32)),
      ),
      events,
      changes,
    },
  ],
})
const paid = [...changedBy(payer, usd, -10n), ...changedBy(payee, usd, 10n)]
const transfer = (amount: xdr.ScVal) => tokenEvent('transfer', [account(payer), account(payee)], usd, amount)
const toMuxed = (id: bigint, amount: bigint) =>
  xdr.ScVal.scvMap([
    new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('amount'), val: i128(amount) }),
    new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol('to_muxed_id'), val: xdr.ScVal.scvU64(id) }),
  ])

describe('a transfer by a token contract', () => {
  it('is a payment from its owner, whoever sent the call, as in transfer_from', () => {
    const events = [tokenEvent('transfer', [account(trader), account(payee)], usd, i128(10n))]
    const changes = [...changedBy(trader, usd, -10n), ...changedBy(payee, usd, 10n)]
    expect(creditsIn(call(events, changes))).toMatchObject([
      { kind: 'contract_transfer', from: trader, fromContract: null, destination: payee, muxedId: null, amount: 10n },
    ])
    expect(movementsIn(call(events, changes), only(payee))).toMatchObject([{ source: payer }])
  })
  it('to a muxed address has the id', () =>
    expect(creditsIn(call([transfer(toMuxed(77n, 10n))], paid))).toMatchObject([{ muxedId: '77', amount: 10n }]))
  it('from a contract names the contract, and the sender of the call', () => {
    const events = [tokenEvent('transfer', [contractAddress(contract), account(payee)], usd, i128(10n))]
    expect(creditsIn(call(events, changedBy(payee, usd, 10n)))).toMatchObject([
      { from: payer, fromContract: contract, amount: 10n },
    ])
  })
  it('and a transfer back in the same call are two movements, though no balance changed', () => {
    const back = tokenEvent('transfer', [account(payee), account(trader)], usd, i128(10n))
    const changes = [...changedBy(payer, usd, -10n), ...changedBy(payee, usd, 0n), ...changedBy(trader, usd, 10n)]
    expect(briefly(call([transfer(i128(10n)), back], changes))).toEqual([
      ['contract_transfer', payee, usd, 10n],
      ['contract_transfer', trader, usd, 10n],
      ['contract_transfer', payer, usd, -10n],
      ['contract_transfer', payee, usd, -10n],
    ])
  })
  it('from the issuer or back to it changes no balance of the issuer', () => {
    const out = tokenEvent('transfer', [account(issuer), account(payee)], usd, i128(10n))
    const back = tokenEvent('transfer', [account(payee), account(issuer)], usd, i128(10n))
    expect(briefly(call([out, back], changedBy(payee, usd, 0n)))).toEqual([
      ['contract_transfer', payee, usd, 10n],
      ['contract_transfer', payee, usd, -10n],
    ])
  })
  it('to oneself moves nothing', () => {
    const events = [tokenEvent('transfer', [account(payee), account(payee)], usd, i128(10n))]
    expect(briefly(call(events, changedBy(payee, usd, 0n)))).toEqual([])
  })
  it.each([
    ['mint', [payee], [['contract_mint', payee, usd, 10n]]],
    ['mint', [issuer, payee], [['contract_mint', payee, usd, 10n]]],
    ['burn', [payee], [['contract_burn', payee, usd, -10n]]],
    ['clawback', [payee], [['contract_clawback', payee, usd, -10n]]],
    ['clawback', [issuer, payee], [['contract_clawback', payee, usd, -10n]]],
  ])('is read from %s in the shape of every protocol: %p', (name, who, expected) => {
    const delta = name === 'mint' ? 10n : -10n
    const events = [tokenEvent(name, who.map(account), usd, i128(10n))]
    expect(briefly(call(events, changedBy(payee, usd, delta)))).toEqual(expected)
  })
  it('is read from the meta of protocols 20 to 22', () =>
    expect(creditsIn({ ...call([transfer(i128(10n))], paid), meta: sorobanMeta })).toMatchObject([{ amount: 10n }]))
})

describe('several payments of one call', () => {
  const to = (who: string, amount: bigint) => tokenEvent('transfer', [account(payer), account(who)], usd, i128(amount))
  const events = [to(trader, 1n), to(payee, 2n), to(payee, 3n)]
  const changes = [...changedBy(payer, usd, -6n), ...changedBy(trader, usd, 1n), ...changedBy(payee, usd, 5n)]
  const names = (watched = only(payee, trader)) =>
    creditsIn(call(events, changes), watched).map(({ destination, amount, ordinal }) => [destination, amount, ordinal])

  it('are separate incoming payments, numbered by their place in the call', () =>
    expect(names()).toEqual([
      [trader, 1n, undefined],
      [payee, 2n, 1],
      [payee, 3n, 2],
    ]))
  it('keep their names whoever is watched', () =>
    expect(names(only(payee))).toEqual([
      [payee, 2n, 1],
      [payee, 3n, 2],
    ]))
})

describe('an event', () => {
  const forged = (name: string, amount: bigint) =>
    tokenEvent(name, [account(payer), account(payee)], usd, i128(amount), contract)
  it("of a contract that is not the asset's own brings nothing", () =>
    expect(briefly(call([forged('transfer', 1_000_000n)], changedBy(payee, usd, 0n)))).toEqual([]))
  it('of such a contract changes nothing about a payment beside it', () =>
    expect(creditsIn(call([forged('transfer', 1_000_000n), transfer(i128(10n))], paid))).toMatchObject([
      { kind: 'contract_transfer', amount: 10n },
    ]))
  it('that contradicts the balance is ignored, and the change stays unnamed', () =>
    expect(creditsIn(call([transfer(i128(11n))], paid))).toMatchObject([
      { kind: 'contract_call', from: payer, amount: 10n },
    ]))
  it('of an approval moves nothing', () => {
    const approve = tokenEvent(
      'approve',
      [account(payee), contractAddress(contract)],
      usd,
      xdr.ScVal.scvVec([i128(10n), xdr.ScVal.scvU32(99)]),
    )
    expect(briefly(call([approve], changedBy(payee, usd, 0n)))).toEqual([])
  })
  it.each([
    ['without topics', []],
    [
      'with an amount that is none',
      [tokenEvent('transfer', [account(payer), account(payee)], usd, xdr.ScVal.scvVoid())],
    ],
    ['with one address too few', [tokenEvent('transfer', [account(payee)], usd, i128(10n))]],
    ['with no address at all', [tokenEvent('mint', [], usd, i128(10n))]],
  ])('%s is ignored, and the balance change stands', (_, events) =>
    expect(creditsIn(call(events, changedBy(payee, usd, 10n)))).toMatchObject([{ kind: 'contract_call', amount: 10n }]),
  )
  it("of the native asset's contract moves XLM", () => {
    const events = [tokenEvent('transfer', [account(payer), account(payee)], native, i128(10n))]
    const changes = [...changedBy(payer, native, -10n), ...changedBy(payee, native, 10n)]
    expect(Asset.native().contractId('another network')).not.toBe(contract)
    expect(creditsIn(call(events, changes))).toMatchObject([{ kind: 'contract_transfer', assetId: 'native' }])
  })
})

describe('the movements of a call', () => {
  it('add up to the change of each balance, whatever its events say', () => {
    const someone = fc.constantFrom(payer, payee, trader, issuer)
    const anyEvent = fc
      .tuple(
        fc.constantFrom('transfer', 'mint', 'burn', 'clawback', 'approve'),
        fc.array(someone, { maxLength: 3 }),
        fc.bigInt(-20n, 20n),
      )
      .map(([name, who, amount]) => tokenEvent(name, who.map(account), usd, i128(amount)))
    const anyDeltas = fc.tuple(fc.bigInt(-20n, 20n), fc.bigInt(-20n, 20n), fc.bigInt(-20n, 20n))
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 4 }), anyDeltas, (events, deltas) => {
        const holders = [payer, payee, trader].map((holder, index) => ({ holder, delta: deltas[index] ?? 0n }))
        const changes = holders.flatMap(({ holder, delta }) => changedBy(holder, usd, delta))
        const movements = movementsIn(call(events, changes))
        for (const { holder, delta } of holders) {
          const parts = movements.filter(({ account }) => account === holder).map((each) => each.delta)
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(delta)
          expect(parts).not.toContain(0n)
        }
      }),
    )
  })
})
