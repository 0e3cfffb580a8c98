import { ContractId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Address, StrKey, xdr } from '@stellar/stellar-sdk'
import type { MandateFact } from '../../mandate.ts'
import { named } from '../../named.ts'
import {
  accountAddress,
  changedBy,
  type HandMadeTransaction,
  i128,
  payee,
  payer,
  readHandMade,
  tokenEvent,
  trader,
  usd,
} from '../../testing/hand-made.ts'
import { callOf, type HandMadeCall, type Scenario, scenario, wasRefused, wentWell } from '../../testing/mandates.ts'

import { address, structure, symbol, textBytes, vector } from './contract-values.ts'

const factsIn = (
  transaction: HandMadeTransaction,
  ...contracts: ReadonlyArray<ContractId>
): ReadonlyArray<MandateFact> => right(readHandMade(transaction)).mandatesOf(new Set(contracts))

/** What steps of a scenario told, each in a ledger of its own. */
const told = (recorded: Scenario): ReadonlyArray<MandateFact> =>
  recorded.steps
    .filter(({ outcome }) => outcome?.value !== undefined)
    .flatMap((step) => factsIn(wentWell(callOf(recorded, step)), recorded.contract))

const brief = (fact: MandateFact) => {
  switch (fact._tag) {
    case 'MandateCreated':
      return [fact._tag, fact.record.reference, fact.allowance, fact.firstAmount]
    case 'MandateCharged':
      return [fact._tag, fact.reference, fact.amount]
    case 'AllowanceRenewed':
      return [fact._tag, fact.allowance, fact.allowanceExpiryLedger]
    case 'MandateCancelled':
      return [fact._tag, fact.by === fact.customer]
    case 'ChargesAnswered':
      return [fact._tag, ...fact.answers.map(({ number }) => number)]
  }
}

describe('the mandate facts of a ledger', () => {
  it('are what the committed contract did, in order', () => {
    expect(told(scenario('trial')).map(brief)).toEqual([
      ['MandateCreated', 'cs_1', 100_000n, 0n],
      ['MandateCharged', 'pay_1', 1_100n],
      ['MandateCancelled', true],
    ])
    expect(told(scenario('batch')).map(brief)).toEqual([
      ['MandateCreated', 'cs_1', 100_000n, 0n],
      ['MandateCreated', 'cs_1', 100_000n, 0n],
      ['MandateCreated', 'cs_1', 200_000n, 0n],
      ['MandateCharged', 'p2', 1_100n],
      ['ChargesAnswered', 10, 107, 0, 100, 110, 113, 114],
      ['ChargesAnswered'],
    ])
    expect(told(scenario('allowance')).map(brief).slice(2)).toEqual([
      ['MandateCharged', 'pay_1', 1_100n],
      ['AllowanceRenewed', 2_200n, 1_050_000],
      ['AllowanceRenewed', 1_100n, 4_110_400],
      ['MandateCharged', 'pay_2', 1_100n],
    ])
  })

  it('hold every field of a mandate and its charge', () => {
    const recorded = scenario('month-ends')
    const [created, charged] = told(recorded)
    const inLedger = { contract: recorded.contract, innerHash: null, ledger: 20, closedAt: expect.any(Number) }
    if (created?._tag !== 'MandateCreated') throw new Error('not created')
    const { record, customer, payee: paid, mandate } = created
    expect(created).toMatchObject({ ...inLedger, allowanceExpiryLedger: 4_110_399, firstAmount: 1_100n })
    expect(record).toEqual({
      customer,
      payee: paid,
      operator: expect.stringMatching(/^C/),
      token: expect.stringMatching(/^C/),
      cap: 1_100n,
      intervalUnit: 'month',
      intervalCount: 1,
      firstChargeAt: 1_769_860_800_000,
      endsAt: null,
      reference: 'cs_1',
      lastPeriodStart: null,
      lastReference: '',
      isCancelled: false,
    })
    expect(charged).toMatchObject({
      ...inLedger,
      _tag: 'MandateCharged',
      transactionHash: created.transactionHash,
      mandate,
      customer,
      payee: paid,
      amount: 1_100n,
      periodStart: 1_769_860_800_000,
      reference: 'cs_1',
      token: record.token,
    })
  })

  it('hold every item of a batch with its result', () => {
    const facts = told(scenario('batch'))
    const answered = facts.find(({ _tag }) => _tag === 'ChargesAnswered')
    const charged = facts.find(({ _tag }) => _tag === 'MandateCharged')
    if (answered?._tag !== 'ChargesAnswered' || charged?._tag !== 'MandateCharged') throw new Error('no batch')
    const { mandate, periodStart, reference, amount } = charged
    expect(answered.answers[2]).toEqual({ mandate, periodStart, reference, amount, number: 0 })
    expect(answered.answers[3]).toMatchObject({ mandate: '09'.repeat(32), reference: 'p3', number: 100 })
  })
})

describe('mandate facts leave out', () => {
  const recorded = scenario('trial')
  const [created] = recorded.steps
  if (created === undefined) throw new Error('no step')
  const call = callOf(recorded, created)
  const other = named(ContractId, StrKey.encodeContract(new Uint8Array(32).fill(9)))

  it('other contracts', () => {
    expect(factsIn(wentWell(call))).toEqual([])
    expect(factsIn(wentWell(call), other)).toEqual([])
    expect(factsIn(wentWell(call), other, recorded.contract)).toHaveLength(1)
  })
  it('a failed call', () => expect(factsIn(wasRefused(call, 100), recorded.contract)).toEqual([]))
  it.each<[string, Partial<HandMadeCall>]>([
    ['events that are not those the header names', { events: call.events.slice(1) }],
    ['an answer that is not the one the header names', { returnValue: xdr.ScVal.scvVoid() }],
  ])('by %s', (_, changed) => expect(factsIn(wentWell(call, { ...call, ...changed }), recorded.contract)).toEqual([]))
  it('events that no mandate contract emits', () => {
    const [event] = call.events.slice(-1)
    if (event === undefined) throw new Error('no event')
    const saying = (topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal) =>
      new xdr.ContractEvent({
        ...event,
        body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics: [...topics], data })),
      })
    const { topics, data } = event.body.v0
    const nonsense = [
      saying([], data),
      saying([symbol('mandate_created')], data),
      saying([symbol('renamed'), ...topics.slice(1)], data),
      saying(topics, xdr.ScVal.scvVoid()),
    ]
    expect(factsIn(wentWell({ ...call, events: nonsense }), recorded.contract)).toEqual([])
  })
})

const idOf = (contract: ContractId): xdr.ContractId => {
  const named = new Address(contract).toScAddress()
  if (named.type !== 'scAddressTypeContract') throw new Error('no contract')
  return named.contractId
}

describe('a charge and its money', () => {
  const contract = named(ContractId, StrKey.encodeContract(new Uint8Array(32).fill(7)))
  const token = xdr.ScVal.scvAddress(new Address(contract).toScAddress())
  const charged = (customer: string, amount: bigint, mandate: number) =>
    new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: idOf(contract),
      type: xdr.ContractEventType.contract,
      body: xdr.ContractEventBody.v0(
        new xdr.ContractEventV0({
          topics: [
            symbol('charged'),
            xdr.ScVal.scvBytes(new Uint8Array(32).fill(mandate)),
            xdr.ScVal.scvAddress(accountAddress(customer)),
            address(payee),
          ],
          data: structure({
            amount: i128(amount),
            period_start: xdr.ScVal.scvU64(1_769_860_800n),
            reference: textBytes(`pay_${mandate}`),
            token,
          }),
        }),
      ),
    })
  const transfer = (from: string, to: string, amount: bigint) =>
    tokenEvent('transfer', [accountAddress(from), accountAddress(to)], usd, i128(amount))
  const batch = (events: ReadonlyArray<xdr.ContractEvent>): HandMadeCall => ({
    contract,
    function: 'charge_many',
    args: [address(payer), vector()],
    events,
    returnValue: vector(),
    changes: [...changedBy(payer, usd, -30n), ...changedBy(trader, usd, -20n), ...changedBy(payee, usd, 50n)],
  })

  it('match: each charge names the incoming payment of its transfer', () => {
    const call = batch([
      transfer(payer, payee, 20n),
      charged(payer, 20n, 1),
      transfer(trader, payee, 20n),
      charged(trader, 20n, 2),
      transfer(payer, payee, 10n),
      charged(payer, 10n, 3),
    ])
    const ledger = right(readHandMade(wentWell(call)))
    const credits = ledger.incomingPaymentsTo(new Set([payee]))
    const charges = ledger.mandatesOf(new Set([contract])).filter((fact) => fact._tag === 'MandateCharged')
    expect(charges.map(({ credit }) => credit)).toEqual([0, 1, 2].map((ordinal) => ({ operationIndex: 0, ordinal })))
    expect(
      charges.map(({ credit, transactionHash }) =>
        credits.find(
          (each) =>
            each.transactionHash === transactionHash &&
            each.operationIndex === credit?.operationIndex &&
            (each.ordinal ?? 0) === credit.ordinal,
        ),
      ),
    ).toMatchObject(charges.map(({ customer, amount }) => ({ from: customer, amount, destination: payee })))
  })
  it.each([
    ['another amount', [transfer(payer, payee, 21n), charged(payer, 20n, 1)]],
    ['another payer', [transfer(trader, payee, 20n), charged(payer, 20n, 1)]],
    ['another payee', [transfer(payer, trader, 20n), charged(payer, 20n, 1)]],
    ['a token of another make', [charged(payer, 20n, 1)]],
  ])('do not match with %s', (_, events) =>
    expect(factsIn(wentWell(batch(events)), contract)).toMatchObject([{ amount: 20n, credit: null }, {}]),
  )
})

describe('the number of a refusal', () => {
  const recorded = scenario('trial')
  const [created] = recorded.steps
  if (created === undefined) throw new Error('no step')
  const call = callOf(recorded, created)
  const hint = (transaction: HandMadeTransaction) => {
    const ledger = right(readHandMade(transaction))
    const [outcome] = ledger.outcomesOf(() => true)
    if (outcome === undefined) throw new Error('no transaction')
    return ledger.contractErrorOf(outcome.transactionHash)
  }
  it('comes from the end of the outermost call', () => expect(hint(wasRefused(call, 10, 118))).toBe(118))
  it('is unknown where the node kept no log, or nothing was refused', () => {
    expect(hint(wasRefused(call))).toBeNull()
    expect(hint(wentWell(call))).toBeNull()
  })
})
