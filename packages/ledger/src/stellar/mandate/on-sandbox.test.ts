import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ContractId, LedgerSequence, type MandateId, stroops, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import type { MandateCharge, MandateFact, MandateTerms } from '../../mandate.ts'
import { refusalOfNumber } from '../../mandate-refusal.ts'
import type { MandateKey } from '../../mandate-standing.ts'
import { named } from '../../named.ts'
import { localSigner } from '../../signing/local-signer.ts'
import { sequence } from '../../testing/ledgers.ts'
import { payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../../testing/sandbox.ts'
import { keyPairFromSeed, signEnvelope } from '../keys.ts'
import { sha256 } from '../transaction-hash.ts'
import { type ContractCall, cancelCall, createCall, renewCall } from './calls.ts'
import { type ContractCallOrder, type PreparedCall, prepareCall } from './contract-call.ts'
import { codeKey, instanceKey, recordKey } from './entry-keys.ts'
import { latestExpiry, readCallLimits } from './limits.ts'
import { mandateIdOf, tokenContractOf } from './names.ts'
import { prepareCharges } from './prepare-charges.ts'
import { readApprovals, readMandates } from './standing.ts'

const seedOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const operator = keyPairFromSeed(seedOf(8))
const channel = keyPairFromSeed(seedOf(9))
const signers = new Map(
  [1, 8, 9].map((number) => [keyPairFromSeed(seedOf(number)).accountId, localSigner(seedOf(number))]),
)
const day = 86_400_000
const wasmHash = sha256(
  readFileSync(join(import.meta.dirname, '../../../../../contracts/mandate/quittance_mandate.wasm')),
)

let network: StartedSandbox
let contract: ContractId
beforeAll(async () => {
  network = await startSandbox()
  for (const { secret } of [operator, channel]) right(await network.sandbox.provision(secret)())
  contract = named(ContractId, network.sandbox.mandateContract)
})
afterAll(() => network.stop())

const orderFrom = async (source: typeof payer): Promise<ContractCallOrder> => {
  const view = right(await network.gateway.accountView(source.accountId, [])())
  const { closedAt } = right(await network.gateway.latestLedger()())
  return {
    sourceAccount: source.accountId,
    nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
    ledgerClosedAt: closedAt,
    lifetimeMs: 120_000,
    notAfter: null,
    fee: stroops(100n),
    networkPassphrase: sandboxPassphrase,
  }
}

/** Signs by these, submits, and tells what the next ledger holds of mandates. */
const closedWith = async (
  prepared: PreparedCall,
  ...by: ReadonlyArray<typeof payer>
): Promise<ReadonlyArray<MandateFact>> => {
  const keys = by.flatMap(({ accountId }) => signers.get(accountId) ?? [])
  const envelope = right(await signEnvelope(prepared.envelopeXdr, keys, sandboxPassphrase)())
  right(await network.gateway.submit(envelope)())
  const closed = network.sandbox.close()
  const { ledgers } = right(await network.gateway.readLedgers(sequence(closed.sequence), 1, null)())
  const [ledger] = [...ledgers]
  expect(ledger?.outcomesOf((hash) => hash === prepared.transactionHash)).toMatchObject([{ _tag: 'Succeeded' }])
  return ledger?.mandatesOf(new Set([contract])) ?? []
}

const called = async (call: ContractCall, source = payer, ...by: ReadonlyArray<typeof payer>) =>
  closedWith(right(await prepareCall(network.gateway)(await orderFrom(source), call)()), ...by, source)

const termsOf = async (reference: string, changed: Partial<MandateTerms> = {}): Promise<MandateTerms> => {
  const limits = right(await readCallLimits(network.gateway)())
  const of = { contract, customer: payer.accountId, assetId: network.usdc }
  const [approval] = right(await readApprovals(network.gateway)([of])())
  const { closedAt } = right(await network.gateway.latestLedger()())
  if (approval === undefined) throw new Error('no approval')
  const cap = stroops(110_000_000n)
  return {
    ...of,
    payee: payee.accountId,
    operator: operator.accountId,
    cap,
    intervalUnit: 'month',
    intervalCount: 1,
    firstChargeAt: closedAt,
    endsAt: null,
    firstAmount: stroops(100_000_000n),
    allowance: stroops((approval.allowance?.amount ?? 0n) + 7n * cap),
    allowanceExpiryLedger: named(LedgerSequence, latestExpiry(limits, approval.asOf)),
    reference,
    ...changed,
  }
}

const enrolled = async (reference: string, changed: Partial<MandateTerms> = {}) => {
  const terms = await termsOf(reference, changed)
  const facts = await called(createCall(terms, sandboxPassphrase))
  const [created] = facts
  if (created?._tag !== 'MandateCreated') throw new Error('not created')
  return { terms, facts, created, mandate: created.mandate }
}

const keyOf = (mandate: MandateId): MandateKey => ({
  contract,
  mandate,
  customer: payer.accountId,
  assetId: network.usdc,
})
const standing = async (mandate: MandateId) => {
  const [found] = right(await readMandates(network.gateway)([keyOf(mandate)])())
  if (found === undefined) throw new Error('no standing')
  return found
}
const later = (ms: number): void => {
  network.waitMs(ms)
  network.sandbox.close()
}
const chargeOf = (mandate: MandateId, created: { readonly closedAt: number }, reference: string): MandateCharge => ({
  mandate,
  periodStart: unixMs(created.closedAt + 30 * day),
  amount: stroops(100_000_000n),
  reference,
})

describe('a network that runs the committed contract', () => {
  it('creates the offered mandate with its first charge by one signature', async () => {
    const terms = await termsOf('chk_first')
    const call = createCall(terms, sandboxPassphrase)
    const prepared = right(await prepareCall(network.gateway)(await orderFrom(payer), call)())
    const [created, charged, ...others] = await closedWith(prepared, payer)
    if (created?._tag !== 'MandateCreated' || charged?._tag !== 'MandateCharged') throw new Error('no enrolment')
    expect(others).toEqual([])
    const { contract: _, assetId, firstAmount, allowance, allowanceExpiryLedger, ...recorded } = terms
    expect(created).toMatchObject({
      ...{ contract, mandate: mandateIdOf(terms), firstAmount, allowance, allowanceExpiryLedger },
      record: { ...recorded, token: tokenContractOf(assetId, sandboxPassphrase) },
    })
    expect(charged).toMatchObject({
      amount: terms.firstAmount,
      periodStart: created.closedAt,
      reference: 'chk_first',
      credit: { operationIndex: 0, ordinal: 0 },
    })
    const found = await standing(created.mandate)
    expect(found).toMatchObject({
      isArchived: false,
      record: { ...created.record, lastPeriodStart: created.closedAt, lastReference: 'chk_first' },
      allowance: { amount: terms.allowance - terms.firstAmount, liveUntil: terms.allowanceExpiryLedger },
      lastExpiry: terms.allowanceExpiryLedger,
      wallet: { hasTrustline: true, isAuthorized: true },
    })
    const again = await prepareCall(network.gateway)(await orderFrom(payer), call)()
    expect(again).toMatchObject(E.left({ _tag: 'SimulationFailed', contractError: 101 }))
  })

  it('takes charges together over a channel, without those that would fail, each with its incoming payment', async () => {
    const good = await enrolled('chk_good')
    const other = await enrolled('chk_other')
    const ended = await enrolled('chk_ended')
    await called(cancelCall(contract, payer.accountId, ended.mandate))
    later(31 * day)
    const charges = [
      chargeOf(ended.mandate, ended.created, 'pay_ended'),
      chargeOf(good.mandate, good.created, 'pay_good'),
      { ...chargeOf(other.mandate, other.created, 'pay_dear'), amount: stroops(110_000_001n) },
      chargeOf(other.mandate, other.created, 'pay_other'),
    ]
    const limits = right(await readCallLimits(network.gateway)())
    const { prepared, taken, refused, postponed } = right(
      await prepareCharges(network.gateway)(await orderFrom(channel), contract, operator.accountId, charges, limits)(),
    )
    expect(taken.map(({ reference }) => reference)).toEqual(['pay_good', 'pay_other'])
    expect(refused.map(({ charge, number }) => [charge.reference, refusalOfNumber(number, null)])).toEqual([
      ['pay_ended', { _tag: 'hard', cause: 'cancelled' }],
      ['pay_dear', { _tag: 'hard', cause: 'above_cap' }],
    ])
    expect(postponed).toEqual([])
    if (prepared === null) throw new Error('nothing to send')
    const facts = await closedWith(prepared, channel, operator)
    expect(facts).toMatchObject([
      { _tag: 'MandateCharged', mandate: good.mandate, reference: 'pay_good', credit: { ordinal: 0 } },
      { _tag: 'MandateCharged', mandate: other.mandate, reference: 'pay_other', credit: { ordinal: 1 } },
      { _tag: 'ChargesAnswered', answers: [{ number: 0 }, { number: 0 }] },
    ])
    const again = [chargeOf(good.mandate, good.created, 'pay_good')]
    const repeated = right(
      await prepareCharges(network.gateway)(await orderFrom(operator), contract, operator.accountId, again, limits)(),
    )
    expect(repeated.prepared).toBeNull()
    expect(repeated.refused.map(({ number }) => refusalOfNumber(number, null))).toEqual([{ _tag: 'already_charged' }])
  })

  it('renews an allowance by one signature, and cancels for good', async () => {
    const { mandate, terms } = await enrolled('chk_renewed', { firstAmount: stroops(0n) })
    const before = await standing(mandate)
    const allowance = stroops((before.allowance?.amount ?? 0n) + 5n)
    const renewal = { ...terms, mandate, allowance }
    expect(await called(renewCall(renewal, sandboxPassphrase))).toMatchObject([
      { _tag: 'AllowanceRenewed', mandate, allowance, allowanceExpiryLedger: terms.allowanceExpiryLedger },
    ])
    expect(await standing(mandate)).toMatchObject({ allowance: { amount: allowance }, record: { isCancelled: false } })
    const ended = await called(cancelCall(contract, operator.accountId, mandate), channel, operator)
    expect(ended).toMatchObject([{ _tag: 'MandateCancelled', mandate, by: operator.accountId }])
    expect(await standing(mandate)).toMatchObject({ record: { isCancelled: true } })
  })

  it('takes as many charges as fit in one call', async () => {
    const all: Array<MandateCharge> = []
    for (let number = 0; number < 18; number++) {
      const { mandate, created } = await enrolled(`chk_many_${number}`, { firstAmount: stroops(0n) })
      all.push({ mandate, periodStart: created.closedAt, amount: stroops(1_000n), reference: `pay_${number}` })
    }
    const limits = right(await readCallLimits(network.gateway)())
    const { prepared, taken, refused, postponed } = right(
      await prepareCharges(network.gateway)(await orderFrom(operator), contract, operator.accountId, all, limits)(),
    )
    if (prepared === null) throw new Error('nothing to send')
    expect([refused, [...taken, ...postponed]]).toEqual([[], all])
    expect(taken.length).toBeGreaterThan(10)
    const facts = await closedWith(prepared, operator)
    expect(facts.filter(({ _tag }) => _tag === 'MandateCharged')).toHaveLength(taken.length)
  })

  it('restores an archived mandate, its contract and the code in the transaction of its charge', async () => {
    const { mandate, created } = await enrolled('chk_archived')
    later(32 * day)
    for (const key of [recordKey({ contract, mandate }), instanceKey(contract), codeKey(wasmHash)]) {
      right(network.sandbox.faults.set({ archived_entry: { key, for_ledgers: 1 } }))
      later(1_000)
    }
    expect(await standing(mandate)).toMatchObject({ isArchived: true, record: { lastReference: 'chk_archived' } })
    const limits = right(await readCallLimits(network.gateway)())
    const periodStart = unixMs(created.closedAt + 31 * day)
    const charges = [{ ...chargeOf(mandate, created, 'pay_archived'), periodStart }]
    const { prepared } = right(
      await prepareCharges(network.gateway)(await orderFrom(operator), contract, operator.accountId, charges, limits)(),
    )
    if (prepared === null) throw new Error('nothing to send')
    expect(prepared.restoredEntries).toBe(3)
    const [charged] = await closedWith(prepared, operator)
    expect(charged).toMatchObject({ _tag: 'MandateCharged', reference: 'pay_archived' })
    expect(await standing(mandate)).toMatchObject({ isArchived: false, record: { lastReference: 'pay_archived' } })
  })
})
