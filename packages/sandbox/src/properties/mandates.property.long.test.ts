import { right } from '@quittance/domain/testing/outcomes'
import type { SqlDatabase } from '@quittance/event-store'
import type { contract } from '@stellar/stellar-sdk'
import { scValToNative, xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import { headerIn } from '../ledger/close-meta.ts'
import { hexOf, totalCoins } from '../network.ts'
import { openSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { bytesIn } from '../store/columns.ts'
import { storeIn } from '../store/index.ts'
import { funded, keyNumber, startMs, testPassphrase, trustline, usdc } from '../testing/fixture.ts'
import { foundedDatabase } from '../testing/founded.ts'
import {
  called,
  callOf,
  customer,
  mandateClient,
  operator,
  payee,
  prepared,
  serveMandates,
  termsOf,
} from '../testing/mandates.ts'
import { type Served, serve } from '../testing/server.ts'

const cap = 100n
const dayMs = 24 * 60 * 60 * 1_000
const channels = [31, 32].map(keyNumber)

/** Sends a charge through one of two channels, for a new day, a past day, or again. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('charge' as const),
    channel: fc.integer({ min: 0, max: 1 }),
    mandate: fc.integer({ min: 0, max: 1 }),
    daysAgo: fc.constantFrom(0, 0, 0, 1),
    amount: fc.constantFrom(1n, 60n, cap, cap + 1n),
    reference: fc.constantFrom('a', 'b'),
  }),
  fc.record({ kind: fc.constant('again' as const), which: fc.nat({ max: 9 }) }),
  fc.constant({ kind: 'close' as const }),
  fc.constant({ kind: 'day' as const }),
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

type Opened = { readonly database: SqlDatabase; readonly sandbox: Sandbox }
const openNew = (): Opened => {
  const database = foundedDatabase(testPassphrase, startMs)
  return { database, sandbox: openSandbox({ database, wallClock: () => startMs, passphrase: testPassphrase }) }
}

/** An event of a network: an envelope, a closed ledger, or a day that passed. */
type Happened = string | 'close' | 'day'

const nextDay = async (sandbox: Sandbox): Promise<void> => {
  const idle = { nextDue: async () => null, settle: async () => {} }
  right(await sandbox.advance({ to: sandbox.clock().now + dayMs, ...idle })())
}
const happens = async (sandbox: Sandbox, each: Happened): Promise<void> => {
  if (each === 'close') sandbox.close()
  else if (each === 'day') await nextDay(sandbox)
  else sandbox.submit(each)
}

/** A customer with two mandates of a hundred stroops a day, and two channels. */
const begun = async (sandbox: Sandbox) => {
  const served = await serveMandates(await serve(sandbox))
  await funded(sandbox, ...channels)
  const client = await mandateClient(served)
  const mandates: Buffer[] = []
  for (const number of [1, 2]) {
    const more = {
      cap,
      interval_unit: 1,
      allowance: 1_000_000n * BigInt(number),
      reference: Buffer.from(`chk_${number}`),
    }
    const args = client.spec.funcArgsToScVals('create', termsOf(served, more))
    const made = await called(served, callOf(sandbox.mandateContract, 'create', args, { source: customer }), {
      source: customer,
    })
    if (!(made instanceof Uint8Array)) throw new Error('not enrolled')
    mandates.push(Buffer.from(made))
  }
  return { served, client, mandates }
}

/** A signed charge as the SDK prepares it; undefined where simulation refuses it. */
const envelopeOf = async (
  { sandbox }: Served,
  { served, client, mandates }: { served: Served; client: contract.Client; mandates: ReadonlyArray<Buffer> },
  each: Extract<Step, { kind: 'charge' }>,
): Promise<string | undefined> => {
  const source = channels[each.channel] ?? customer
  const closeTime = sandbox.read.range().latest.closeTime
  const charge = {
    mandate: mandates[each.mandate],
    period_start: BigInt(closeTime - (each.daysAgo * dayMs) / 1_000),
    amount: each.amount,
    reference: Buffer.from(each.reference),
  }
  const options = { source, operationSource: operator }
  const operation = callOf(sandbox.mandateContract, 'charge', client.spec.funcArgsToScVals('charge', charge), options)
  try {
    return (await prepared(served, operation, options)).toEnvelope().toXdr('base64')
  } catch {
    return undefined
  }
}

/** Runs the steps and answers the events in order. */
const runSteps = async (opened: Opened, steps: ReadonlyArray<Step>): Promise<ReadonlyArray<Happened>> => {
  const begin = await begun(opened.sandbox)
  const sent: string[] = []
  const log: Happened[] = []
  const note = async (each: Happened) => {
    log.push(each)
    await happens(opened.sandbox, each)
  }
  for (const each of [...steps, { kind: 'close' as const }]) {
    if (each.kind === 'close' || each.kind === 'day') await note(each.kind)
    else {
      const envelope = each.kind === 'again' ? sent[each.which] : await envelopeOf(begin.served, begin, each)
      if (envelope === undefined) continue
      sent.push(envelope)
      await note(envelope)
    }
  }
  await begin.served.close()
  return log
}

type Charged = { readonly mandate: string; readonly period: bigint; readonly amount: bigint; readonly hash: string }

const chargedIn = (sandbox: Sandbox): ReadonlyArray<Charged> =>
  sandbox.read
    .eventsBehind({ ledger: 0, order: 0, index: 0 }, sandbox.clock().ledger, 10_000)
    .flatMap(({ event, hash }) => {
      const { topics, data } = xdr.ContractEvent.fromXdr(event).body.v0
      const [name, mandate] = topics.map((topic) => scValToNative(topic))
      if (name !== 'charged') return []
      const { amount, period_start: period } = scValToNative(data)
      return [{ mandate: hexOf(mandate), period, amount, hash }]
    })

const stateHash = ({ sandbox }: Opened): string => {
  const [latest] = sandbox.read.ledgersFrom(sandbox.clock().ledger, 1)
  return latest === undefined ? '' : headerIn(latest.meta).header.bucketListHash.toString()
}

describe('whatever an operator sends, in whatever order and however often', () => {
  it('a mandate is charged at most its cap per period, and periods begin at least a day apart', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 16 }), async (steps) => {
        const opened = openNew()
        const log = await runSteps(opened, steps)
        const all = chargedIn(opened.sandbox)
        for (const mandate of new Set(all.map((each) => each.mandate))) {
          const own = all.filter((each) => each.mandate === mandate)
          for (const { amount } of own) expect(amount <= cap).toBe(true)
          const periods = own.map(({ period }) => period)
          for (const [at, period] of periods.entries())
            expect(at === 0 || period >= (periods[at - 1] ?? 0n) + 86_400n).toBe(true)
        }

        const total = all.reduce((sum, { amount }) => sum + amount, 0n)
        expect(trustline(opened.sandbox, payee, usdc).balance).toBe(total)
        expect(trustline(opened.sandbox, customer, usdc).balance).toBe(100_000_000_000n - total)
        expect(new Set(all.map(({ hash }) => hash)).size).toBe(all.length)

        const balances = opened.database
          .prepare('SELECT entry FROM sandbox_entry')
          .all()
          .map((row) => xdr.LedgerEntry.fromXdr(bytesIn(row, 'entry')).data)
          .map((data) => (data.type === 'account' ? data.account.balance : 0n))
        const [latest] = opened.sandbox.read.ledgersFrom(opened.sandbox.clock().ledger, 1)
        const feePool = latest === undefined ? 0n : headerIn(latest.meta).header.feePool
        expect(balances.reduce((sum, each) => sum + each, feePool)).toBe(totalCoins)

        const again = openNew()
        const { served } = await begun(again.sandbox)
        await served.close()
        for (const each of log) await happens(again.sandbox, each)
        expect(stateHash(again)).toBe(stateHash(opened))
        expect(hexOf(storeIn(again.database).entries.recompute())).toBe(stateHash(opened))
      }),
      { numRuns: 5 },
    ))
})
