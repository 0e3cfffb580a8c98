import { StrKey, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { dataOf, ttlKeyOf } from '../ledger/entry-keys.ts'
import { keyNumber, network } from '../testing/fixture.ts'
import type { InvocationOutcome } from './invocation.ts'
import { invoke } from './invoke.ts'
import { liveUntilIn } from './lifetimes.ts'
import { type MemoryLedger, memoryLedger } from './testing/memory-ledger.ts'
import { type Scenario, scenarioNamed, type VectorCall, type VectorChange } from './testing/vectors.ts'
import { contractAddress } from './values/sc-values.ts'

const entryIn = (text: string) => dataOf(xdr.LedgerEntry.fromXdr(text, 'base64'))
const hexOfKey = (text: string) => xdr.LedgerKey.fromXdr(text, 'base64').toXdr('hex')

/** A call's outcome in the form of its vector. */
const outcomeOf = (outcome: InvocationOutcome) => {
  if (E.isRight(outcome.result)) return { value: outcome.result.right.toXdr('base64') }
  const { contractError } = outcome.result.left
  return contractError === null ? { other_error: true } : { contract_error: contractError }
}

const call = (ledger: MemoryLedger, contract: string, step: VectorCall) => {
  const draft = ledger.draftAt(step.ledger.sequence, BigInt(step.ledger.timestamp))
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: contractAddress(new xdr.ContractId(StrKey.decodeContract(contract))),
    functionName: step.function,
    args: step.arguments.map((each) => xdr.ScVal.fromXdr(each, 'base64')),
  })
  const outcome = invoke({
    call: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
    source: keyNumber(9).xdrAccountId(),
    draft,
    network,
    mode: { _tag: 'record' },
  })
  return { draft, outcome }
}

const put = (ledger: MemoryLedger, { key, after }: VectorChange): void => {
  if (after === null) ledger.remove(hexOfKey(key))
  else ledger.put(entryIn(after.entry), after.live_until)
}

/** Vectors omit nonces; expired temporary entries stay in the ledger unseen. */
const isComparable =
  (sequence: number) =>
  ({ before, after }: VectorChange) =>
    !(after === null && before !== null && (before.live_until ?? sequence) < sequence)

const authorisationsOf = ({ auth }: InvocationOutcome) =>
  auth.map(({ credentials, rootInvocation }) => ({
    address: credentials.type === 'sorobanCredentialsAddress' ? credentials.address.address.toXdr('base64') : '',
    invocation: rootInvocation.toXdr('base64'),
  }))

/** The ledger's entry under a vector's key, in the vector's form. */
const storedUnder = (view: MemoryLedger['view'], { key }: VectorChange) => {
  const hex = hexOfKey(key)
  const data = view.find(hex)?.data
  return data === undefined ? null : { data: data.toXdr('base64'), live_until: liveUntilIn(view, hex) ?? null }
}

const keptIn = (kept: VectorChange['after']) =>
  kept && { data: entryIn(kept.entry).toXdr('base64'), live_until: kept.live_until }

const isNonce = (data: xdr.LedgerEntryData | undefined): boolean =>
  data?.type === 'contractData' && data.contractData.key.type === 'scvLedgerKeyNonce'

/** The keys whose entries or lifetimes a call has changed, without nonces. */
const changedKeys = (
  { touched }: ReturnType<MemoryLedger['draftAt']>,
  view: MemoryLedger['view'],
): ReadonlySet<string> => {
  const all = [...touched()].filter(([key, entry]) => entry?.data.toXdr('hex') !== view.find(key)?.data.toXdr('hex'))
  const nonces = all.flatMap(([key, entry]) => (isNonce(entry?.data) ? [key, ttlKeyOf(key)] : []))
  return new Set(all.map(([key]) => key)).difference(new Set(nonces))
}

const play = (scenario: Scenario): number => {
  const ledger = memoryLedger()
  for (const { entry, live_until } of scenario.initial) ledger.put(entryIn(entry), live_until)
  let calls = 0
  for (const step of scenario.steps) {
    if (!('function' in step)) {
      for (const change of step.changes) put(ledger, change)
      continue
    }
    const { draft, outcome } = call(ledger, scenario.contract, step)
    expect(outcomeOf(outcome)).toEqual(step.outcome)
    expect(outcome.events.map((event) => event.toXdr('base64'))).toEqual(step.events)
    expect(authorisationsOf(outcome)).toEqual(step.authorisations)
    expect(Math.abs(outcome.cost.instructions / step.cost.instructions - 1)).toBeLessThan(0.08)
    const answerBytes = E.isRight(outcome.result) ? outcome.result.right.toXdr().length : 0
    expect(outcome.cost.eventBytes).toBe(step.cost.event_bytes + answerBytes)
    if (E.isLeft(outcome.result)) {
      expect(draft.changes()).toEqual([])
      // Entries that a read restored stay restored in the recorder, and the next steps build on them.
      for (const change of step.changes) put(ledger, change)
    } else {
      const comparable = step.changes.filter(isComparable(step.ledger.sequence))
      const keys = comparable.map(({ key }) => hexOfKey(key))
      const named = new Set([...keys, ...keys.map(ttlKeyOf)])
      expect([...changedKeys(draft, ledger.view)].filter((key) => !named.has(key))).toEqual([])
      ledger.keep(draft)
      expect(comparable.map((change) => storedUnder(ledger.view, change))).toEqual(
        comparable.map(({ after }) => keptIn(after)),
      )
    }
    calls += 1
  }
  return calls
}

describe("the mandate's code, run by this host", () => {
  it.each([
    ['trial', 18],
    ['month-ends', 15],
    ['terms', 20],
    ['allowance', 12],
    ['batch', 5],
    ['replacing', 9],
  ])('behaves as natively recorded: %s, %i calls', (name, calls) => {
    expect(play(scenarioNamed(name))).toBe(calls)
  })
})
