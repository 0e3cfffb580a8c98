import { right } from '@quittance/domain/testing/outcomes'
import { Asset, Operation } from '@stellar/stellar-sdk'
import type { Sandbox } from './sandbox-api.ts'
import { appliedOf, funded, keyNumber, sandboxInMemory, signed, startMs, submit } from './testing/fixture.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const payment = Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '1' })
const hourMs = 3_600_000

/** A worker that submits a payment at each of these times. */
const workerOf = (sandbox: Sandbox, times: ReadonlyArray<number>) => {
  let open = times
  const paid: { readonly due: number; readonly hash: string }[] = []
  return {
    paid,
    nextDue: async () => open[0] ?? null,
    settle: async () => {
      const [due] = open
      if (due === undefined || due > sandbox.clock().now) return
      const { status, hash } = submit(sandbox, signed(sandbox, payer, [payment]))
      if (status !== 'PENDING') return
      open = open.slice(1)
      paid.push({ due, hash })
    },
  }
}

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, payer, payee)
})

describe('advancing the clock', () => {
  it('advancing the clock gives requested grants first, since the work that it settles may wait for them', async () => {
    sandbox.start()
    const given = sandbox.fund({ address: keyNumber(3).publicKey() })()
    const settle = async () => void right(await given)
    const start = sandbox.clock().now
    const after = right(await sandbox.advance({ seconds: 60, nextDue: async () => null, settle })())
    sandbox.stop()
    expect(after.now - start).toBeGreaterThanOrEqual(60_000)
  })

  it('advancing the clock stops and settles at each due time', async () => {
    const start = sandbox.clock().now
    const times = [1, 2, 24].map((hours) => start + hours * hourMs)
    const worker = workerOf(sandbox, times)
    const after = right(await sandbox.advance({ to: start + 48 * hourMs, ...worker })())
    expect(worker.paid.map(({ due }) => due)).toEqual(times)
    expect(after).toEqual({ now: start + 48 * hourMs, ledger: sandbox.clock().ledger })
    for (const { due, hash } of worker.paid) {
      const { succeeded, closeTime } = appliedOf(sandbox, hash)
      expect(succeeded).toBe(true)
      expect(closeTime * 1_000 - due).toBe(1_000)
    }
  })

  it('advancing the clock may end seconds past the target while transactions are queued', async () => {
    const start = sandbox.clock().now
    const worker = workerOf(sandbox, [start + 10_000, start + 10_000, start + 10_000])
    const { now } = right(await sandbox.advance({ seconds: 10, ...worker })())
    expect(worker.paid).toHaveLength(3)
    expect(now).toBe(start + 13_000)
  })

  it('advancing the clock closes queued transactions even when the target is now', async () => {
    const { hash } = submit(sandbox, signed(sandbox, payer, [payment]))
    await sandbox.advance({ seconds: 0, ...workerOf(sandbox, []) })()
    expect(appliedOf(sandbox, hash).succeeded).toBe(true)
  })

  it('rejects a target in the past', async () => {
    const { now } = sandbox.clock()
    expect(now).toBeGreaterThan(startMs)
    const outcome = await sandbox.advance({ to: startMs, ...workerOf(sandbox, []) })()
    expect(outcome).toEqual({ _tag: 'Left', left: { _tag: 'TargetInThePast', now } })
  })

  it('advancing the clock ends even when a due time stays in the past', async () => {
    const start = sandbox.clock().now
    const stuck = { nextDue: async () => start - 1, settle: async () => {} }
    expect(right(await sandbox.advance({ seconds: 20, ...stuck })()).now).toBe(start + 20_000)
  })

  it('runs concurrent advances one after another', async () => {
    const start = sandbox.clock().now
    const worker = workerOf(sandbox, [])
    const both = [sandbox.advance({ seconds: 60, ...worker })(), sandbox.advance({ seconds: 60, ...worker })()]
    expect((await Promise.all(both)).map((each) => right(each).now)).toEqual([start + 60_000, start + 120_000])
  })

  it('funds accounts that the worker requests during an advance', async () => {
    const asks = {
      nextDue: async () => null,
      settle: async () => void (await sandbox.fund({ address: keyNumber(7).publicKey() })()),
    }
    await sandbox.advance({ seconds: 1, ...asks })()
    expect(await sandbox.fund({ address: keyNumber(7).publicKey() })()).toMatchObject({ _tag: 'Left' })
  })
})
