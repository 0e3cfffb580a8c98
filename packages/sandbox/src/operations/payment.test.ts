import { Asset, Operation } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import { accountEntry, funded, keyNumber, network, outcomeOf, sandboxInMemory, signed } from '../testing/fixture.ts'

const [payer, payee] = [keyNumber(1), keyNumber(2)]
const native = Asset.native()
void network

const pay = (sandbox: Sandbox, amount: string) =>
  outcomeOf(
    sandbox,
    signed(sandbox, payer, [Operation.payment({ destination: payee.publicKey(), asset: native, amount })]),
  )

describe('a payment in XLM', () => {
  it('moves the amount and takes the fee from the payer', async () => {
    const sandbox = sandboxInMemory()
    await funded(sandbox, payer, payee)
    expect(pay(sandbox, '1')).toBe('txSuccess')
    expect(accountEntry(sandbox, payer).balance).toBe(99_989_999_900n)
    expect(accountEntry(sandbox, payee).balance).toBe(100_010_000_000n)
  })
})
