import { Asset, Operation } from '@stellar/stellar-sdk'
import { funded, keyNumber, sandboxInMemory, signed, submit } from './testing/fixture.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const pay = (amount: string) => Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount })

describe('the queue', () => {
  it('the queue holds one transaction per account', async () => {
    const sandbox = sandboxInMemory()
    await funded(sandbox, payer, payee)
    const first = signed(sandbox, payer, [pay('1')])
    const second = signed(sandbox, payer, [pay('2')])
    const statuses = [first, first, second].map((each) => submit(sandbox, each).status)
    expect(statuses).toEqual(['PENDING', 'DUPLICATE', 'TRY_AGAIN_LATER'])
    expect(sandbox.close().transactions).toBe(1)
  })

  it('a ledger takes at most 1,000 operations; the rest waits', async () => {
    const sandbox = sandboxInMemory()
    const keys = Array.from({ length: 11 }, (_, index) => keyNumber(10 + index))
    await funded(sandbox, payee, ...keys)
    const hundred = Array.from({ length: 100 }, () => pay('1'))
    for (const key of keys) submit(sandbox, signed(sandbox, key, hundred, { fee: '10000' }))
    expect([sandbox.close().transactions, sandbox.close().transactions]).toEqual([10, 1])
  })

  it('rejects text that is not an envelope', () => {
    const sandbox = sandboxInMemory()
    expect(sandbox.submit('not an envelope')).toEqual({ _tag: 'Left', left: { _tag: 'MalformedEnvelope' } })
    expect(sandbox.submit('')).toEqual({ _tag: 'Left', left: { _tag: 'MalformedEnvelope' } })
  })

  it('the same submissions are applied in the same order in every run', async () => {
    const run = async () => {
      const sandbox = sandboxInMemory()
      await funded(sandbox, payer, payee)
      submit(sandbox, signed(sandbox, payer, [pay('1')]))
      submit(sandbox, signed(sandbox, payee, [Operation.manageData({ name: 'a', value: '1' })]))
      return sandbox.close().hash
    }
    expect(await run()).toBe(await run())
  })
})
