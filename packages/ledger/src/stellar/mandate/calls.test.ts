import { LedgerSequence, MandateId, stroops, unixMs } from '@quittance/domain'
import { Address, scValToNative } from '@stellar/stellar-sdk'
import type { MandateTerms } from '../../mandate.ts'
import { named } from '../../named.ts'
import { handMadeNetwork, payee, payer, trader, usd } from '../../testing/hand-made.ts'
import { type Scenario, type Step, scenario, scValOf } from '../../testing/mandates.ts'
import { type ContractCall, cancelCall, chargeManyCall, createCall, renewCall } from './calls.ts'
import { allowanceKey, expiryKey, recordKey } from './entry-keys.ts'
import { mandateIdOf, tokenContractOf } from './names.ts'

const hexOf = (address: string): string => Buffer.from(new Address(address).toScAddress().toXdr()).toString('hex')
const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

const token = tokenContractOf(usd, handMadeNetwork)

const stepOf = ({ steps }: Scenario, name: string, place = 0): Step => {
  const step = steps.filter((each) => each.function === name)[place]
  if (step === undefined) throw new Error(`no ${name}`)
  return step
}

/** XDR as it would be with accounts, and a token of theirs, in the place of the contracts of a scenario. */
const recast = (recorded: Scenario, base64: string): string => {
  const contracts = stepOf(recorded, 'create').arguments.slice(0, 4)
  return [payer, payee, trader, token].reduce((bytes, stand, place) => {
    const contract: string = scValToNative(scValOf(contracts[place] ?? ''))
    return bytes.replaceAll(hexOf(contract), hexOf(stand))
  }, hex(base64))
}

/** What is asked and what is authorised, beside what the contract was asked and what it recorded as authorised. */
const expectRecorded = (call: ContractCall, recorded: Scenario, step: Step): void => {
  const { body } = call.operation([], {})
  if (body.type !== 'invokeHostFunction') throw new Error('no call')
  const { hostFunction } = body.invokeHostFunctionOp
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw new Error('no call')
  const { functionName, args, contractAddress } = hostFunction.invokeContract
  expect(functionName.toString()).toBe(step.function)
  expect(Address.fromScAddress(contractAddress).toString()).toBe(recorded.contract)
  expect(args.map((arg) => hex(arg.toXdr('base64')))).toEqual(step.arguments.map((arg) => recast(recorded, arg)))
  const [authorised] = step.authorisations
  if (authorised !== undefined)
    expect(hex(call.authorised?.toXdr('base64') ?? '')).toBe(recast(recorded, authorised.invocation))
}

const mandateOf = (step: Step): MandateId =>
  named(MandateId, Buffer.from(scValToNative(scValOf(step.outcome.value ?? ''))).toString('hex'))

const termsOf = ({ contract }: Scenario, step: Step, changed: Partial<MandateTerms> = {}): MandateTerms => {
  const [, , , , cap, , , from, , first, allowance, expiry, reference] = step.arguments.map((each) =>
    scValToNative(scValOf(each)),
  )
  return {
    contract,
    customer: payer,
    payee,
    operator: trader,
    assetId: usd,
    cap: stroops(cap),
    intervalUnit: 'month',
    intervalCount: 1,
    firstChargeAt: unixMs(Number(from) * 1000),
    endsAt: null,
    firstAmount: stroops(first),
    allowance: stroops(allowance),
    allowanceExpiryLedger: named(LedgerSequence, expiry),
    reference: Buffer.from(reference).toString('utf8'),
    ...changed,
  }
}

describe('a call, with what its signature authorises, equals the recording of the committed contract', () => {
  const trial = scenario('trial')
  const batch = scenario('batch')
  const allowance = scenario('allowance')
  const start = unixMs(1_769_860_800_000)
  const day = 86_400_000

  it('for a creation, with and without an end', () => {
    const monthly = scenario('month-ends')
    const step = stepOf(monthly, 'create')
    expectRecorded(createCall(termsOf(monthly, step), handMadeNetwork), monthly, step)
    const first = stepOf(trial, 'create')
    const ends = { endsAt: unixMs(start + 52 * day) }
    expectRecorded(createCall(termsOf(trial, first, ends), handMadeNetwork), trial, first)
  })
  it('for a creation that replaces another mandate', () => {
    const recorded = scenario('replacing')
    const replaces = mandateOf(stepOf(recorded, 'create'))
    const step = stepOf(recorded, 'create', 2)
    const terms = termsOf(recorded, step, { intervalUnit: 'day', replaces })
    expectRecorded(createCall(terms, handMadeNetwork), recorded, step)
  })
  it.each(['day', 'week', 'month', 'year'] as const)('for an interval in %ss', (intervalUnit) => {
    const recorded = scenario('terms')
    // The creations before them are refused.
    const places = { day: 15, week: 16, month: 17, year: 18 }
    const step = stepOf(recorded, 'create', places[intervalUnit])
    expectRecorded(createCall(termsOf(recorded, step, { intervalUnit }), handMadeNetwork), recorded, step)
  })
  it('for many charges', () => {
    const [good, poor, foreign] = [0, 1, 2].map((place) => mandateOf(stepOf(batch, 'create', place)))
    const unknown = named(MandateId, '09'.repeat(32))
    const items: ReadonlyArray<readonly [MandateId | undefined, bigint, string]> = [
      [poor, 1_100n, 'p1'],
      [good, 1_101n, 'p2'],
      [good, 1_100n, 'p2'],
      [unknown, 1_100n, 'p3'],
      [foreign, 1_100n, 'p4'],
      [good, 1_100n, 'p2'],
      [good, 1_100n, 'p5'],
    ]
    const charges = items.map(([mandate, amount, reference]) => ({
      mandate: mandate ?? unknown,
      periodStart: start,
      amount: stroops(amount),
      reference,
    }))
    expectRecorded(chargeManyCall(batch.contract, trader, charges), batch, stepOf(batch, 'charge_many'))
  })
  it('for a renewed approval', () => {
    const mandate = mandateOf(stepOf(allowance, 'create'))
    const renewal = { ...termsOf(allowance, stepOf(allowance, 'create')), mandate, allowance: stroops(2_200n) }
    const expiry = named(LedgerSequence, 1_050_000)
    const call = renewCall({ ...renewal, allowanceExpiryLedger: expiry }, handMadeNetwork)
    expectRecorded(call, allowance, stepOf(allowance, 'renew_allowance', 2))
  })
  it('for a cancellation', () => {
    const mandate = mandateOf(stepOf(trial, 'create'))
    expectRecorded(cancelCall(trial.contract, payer, mandate), trial, stepOf(trial, 'cancel', 1))
    expectRecorded(cancelCall(trial.contract, trader, mandate), trial, stepOf(trial, 'cancel', 2))
  })
})

describe('the id of a mandate', () => {
  it.each(['trial', 'terms', 'batch', 'allowance', 'month-ends', 'replacing'])(
    'is the one that the contract gives: %s',
    (name) => {
      const created = scenario(name).steps.filter(
        (step) => step.function === 'create' && step.outcome.value !== undefined,
      )
      const ids = created.map((step) => {
        const { contract } = scenario(name)
        const values = step.arguments.map((each) => scValToNative(scValOf(each)))
        const [customer, paid, operator, reference] = [0, 1, 2, 12].map((place) => values[place])
        return mandateIdOf({ contract, customer, payee: paid, operator, reference: Buffer.from(reference).toString() })
      })
      expect(ids).toEqual(created.map(mandateOf))
    },
  )
})

describe('the keys of entries of the contract and the token', () => {
  it('are those that the committed contract wrote', () => {
    const recorded = scenario('trial')
    const { contract } = recorded
    const step = stepOf(recorded, 'create')
    const [customer, , , of] = step.arguments.map((each) => scValToNative(scValOf(each)))
    const written = step.changes.map(({ key }) => key)
    expect(written).toContain(recordKey({ contract, mandate: mandateOf(step) }))
    expect(written).toContain(expiryKey({ contract, customer }, of))
    expect(written).toContain(allowanceKey({ contract, customer }, of))
  })
})
